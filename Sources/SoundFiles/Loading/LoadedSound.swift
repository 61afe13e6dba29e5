// SPDX-License-Identifier: Apache-2.0

import Files
import Mixing
import Problems

/// A sound effect, decoded and resampled whole and kept in memory: what is 16-bit at the engine's rate as that, else as
/// floats.
public final class LoadedSound: Sendable {
  /// The longest sound that is kept in memory: 60 s, 23 MB at 48 kHz.
  public static let longestSeconds = 60

  /// The file, as it was named.
  public let path: String
  /// Frames a second: the engine's rate.
  public let rate: Int
  /// Length in frames.
  public let frames: Int
  /// The frames that repeat when it loops: the file's own loop points, or all of it.
  public let loop: Range<Int>

  private let once: SampleMemory
  /// The sound resampled round its loop, with the frames that repeat; nil where `once` does as well.
  private let round: (memory: SampleMemory, loop: Range<Int>)?

  /// Decodes the file at `path`, inside `folder` where one is given, to `rate` frames a second; throws what is wrong with
  /// it, also when it is too long or there is no `room` for it, calling it `name` where that is given.
  public convenience init(
    path: String, inside folder: String? = nil, named name: String? = nil, rate: Int, room: PackRoom = PackRoom()
  ) throws(Problem) {
    try self.init(try FileInspection.open(path, inside: folder, named: name), rate: rate, room: room) { true }
  }

  /// The same of a file that is open. Gives up in its middle once it is not wanted.
  init(_ file: RegularFile, rate: Int, room: PackRoom, isWanted: () -> Bool) throws(Problem) {
    let decoder = try Decoder.open(file)
    let path = decoder.path
    guard decoder.frames <= Int64(Self.longestSeconds) * Int64(decoder.rate) else {
      throw Problem(
        .tooLong, file: path,
        "\(path) lasts \(inSeconds(decoder.frames, rate: decoder.rate)), too long for a sound "
          + "(at most \(Self.longestSeconds) s)",
        remedy: "list it under the pack's tracks, which are streamed")
    }
    let (sourceRate, sourceFrames) = (decoder.rate, decoder.frames)
    let fileLoop = decoder.fileLoop
    let isInteger = decoder.isInteger && sourceRate == rate
    let plan = TrackPlan(sourceRate: sourceRate, engineRate: rate, sourceFrames: sourceFrames, loop: nil)
    let reader = try TrackReader(decoder: decoder, plan: plan)
    once = try SampleMemory(
      frames: Int(plan.frames), from: reader, of: path, isInteger: isInteger, in: room, isWanted: isWanted)
    let looping = TrackPlan(
      sourceRate: sourceRate, engineRate: rate, sourceFrames: sourceFrames, loop: fileLoop ?? 0..<sourceFrames)
    let turn = looping.loop ?? 0..<plan.frames
    self.path = path
    self.rate = rate
    frames = once.frames
    loop = Int(turn.lowerBound)..<min(Int(turn.upperBound), once.frames)
    round =
      plan.ratio.isIdentity || (fileLoop == nil && Self.endsSilent(once))
      ? nil : try Self.roundTheLoop(file, plan: looping, turn: turn, in: room, isWanted)
  }

  /// What a voice plays. Keep the sound until the voice has finished.
  public func source(loop: Bool) -> ResidentSource {
    if loop, let round {
      return ResidentSource(samples: round.memory.samples, frames: round.memory.frames, loop: round.loop)
    }
    return ResidentSource(samples: once.samples, frames: frames, loop: loop ? self.loop : nil)
  }

  /// Length in seconds.
  public var seconds: Double { Double(frames) / Double(rate) }

  /// Bytes of memory the sound keeps.
  public var residentBytes: Int { once.bytes + (round?.memory.bytes ?? 0) }

  /// The first pass up to the loop's end and one turn behind it, which repeats.
  private static func roundTheLoop(
    _ file: RegularFile, plan: TrackPlan, turn: Range<Int64>, in room: PackRoom, _ isWanted: () -> Bool
  ) throws(Problem) -> (memory: SampleMemory, loop: Range<Int>) {
    let end = Int(turn.upperBound) + turn.count
    let reader = try TrackReader(decoder: try Decoder.open(file), plan: plan)
    let memory = try SampleMemory(
      frames: end, from: reader, of: file.path, isInteger: false, in: room, isWanted: isWanted)
    return (memory, Int(turn.upperBound)..<end)
  }

  /// Whether the first and last frames are below -80 dB: then there is nothing to resample across the seam.
  private static func endsSilent(_ memory: SampleMemory) -> Bool {
    let edge = min(memory.frames, 256)
    let ends = [0..<(2 * edge), (2 * (memory.frames - edge))..<(2 * memory.frames)]
    return ends.joined().allSatisfy { abs(memory.samples[$0]) < 1e-4 }
  }
}
