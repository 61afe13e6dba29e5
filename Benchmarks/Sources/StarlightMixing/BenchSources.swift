// SPDX-License-Identifier: Apache-2.0

import Mixing

/// What is played: the rows of the tables.
enum Row: String {
  case ramped, steady, limited, pitched
  /// Loops shorter than the filter they are read through, at almost the highest speed.
  case short

  var pitch: Float {
    switch self {
    case .pitched: 1.25
    case .short: 7.9
    default: 1
    }
  }

  /// Frames of a source that are played.
  var loopFrames: Int { self == .short ? 24 : sourceFrames }
}

/// Frames of a source: a loop of 0.512 s.
let sourceFrames = 24_576

/// White noise of a voice's own, the same as in Peers/harness.h.
private func noise(_ voice: Int, peak: Float) -> [Float] {
  var state = (0x9E37_79B9 &* UInt32(voice + 1)) | 1
  return (0..<2 * sourceFrames).map { _ in
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return peak * (Float(Int32(bitPattern: state)) * 0x1p-31)
  }
}

/// How loud each of `voices` voices is: together never above 0.9, but when there is to be limiting.
func peak(_ row: Row, voices: Int) -> Float {
  row == .limited ? 0.7 * (3 / Float(voices)).squareRoot() : (row.pitch != 1 ? 0.45 : 0.9) / Float(voices)
}

/// The loops of all voices, in memory that stays.
func makeSources(_ voices: Int, peak: Float, asIntegers: Bool = false) -> [Samples] {
  (0..<voices).map { voice in
    let values = noise(voice, peak: peak)
    if asIntegers { return .int16(copy(values.map { Int16(($0 * 0x1p15).rounded()) })) }
    return .float(copy(values))
  }
}

private func copy<Sample>(_ values: [Sample]) -> UnsafePointer<Sample> {
  let room = UnsafeMutableRawPointer.allocate(byteCount: values.count * MemoryLayout<Sample>.stride, alignment: 64)
    .bindMemory(to: Sample.self, capacity: values.count)
  room.initialize(from: values, count: values.count)
  return UnsafePointer(room)
}
