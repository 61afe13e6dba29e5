// SPDX-License-Identifier: Apache-2.0

/// What a card of 16 bits and twice the engine's rate gave back. alsa-lib draws a straight line from each frame to the next:
/// every other frame is one of the engine's to the bit, and those between are the mean of their neighbours, rounded down.
struct DoubledSound {
  /// The engine's frames.
  let frames: Sound
  /// Where the first of them is.
  private let phase: Int
  /// How many of the frames between are not the mean.
  let strays: Int

  init(_ captured: Sound) {
    let strays = (0..<2).map { phase in Self.strays(in: captured.frames, phase: phase) }
    phase = strays[0] <= strays[1] ? 0 : 1
    self.strays = strays[phase]
    frames = Sound(frames: stride(from: phase, to: captured.frames.count, by: 2).map { captured.frames[$0] })
  }

  /// Where one of the engine's frames was captured.
  func captured(_ index: Int) -> Int { 2 * index + phase }

  private static func strays(in frames: [UInt64], phase: Int) -> Int {
    stride(from: phase + 1, to: frames.count - 1, by: 2).count { index in
      mean(frames[index - 1] >> 32, frames[index + 1] >> 32) != UInt32(frames[index] >> 32)
        || mean(frames[index - 1], frames[index + 1]) != UInt32(truncatingIfNeeded: frames[index])
    }
  }

  /// Of two samples of 16 bits, each at the top of a word.
  private static func mean(_ a: UInt64, _ b: UInt64) -> UInt32 {
    let values = [a, b].map { Int32(bitPattern: UInt32(truncatingIfNeeded: $0)) >> 16 }
    return UInt32(bitPattern: ((values[0] + values[1]) >> 1) << 16)
  }
}
