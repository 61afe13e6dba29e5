// SPDX-License-Identifier: Apache-2.0

import Problems

/// The frames of a track's stream at the engine's rate, in order, from any position: decoded, resampled, looped.
///
/// Where no resampling is needed, or a loop is a whole number of engine frames, the file simply goes round and no seam
/// is heard. Otherwise each turn resamples anew from the loop's start, having heard the loop's end before it; the last
/// turn runs on for a few frames and fades linearly into the new one, so that being up to half a frame apart makes no
/// step. From the third on, every turn is the same to the last bit.
final class TrackReader {
  let plan: TrackPlan
  /// The frame of the stream that is read next.
  private(set) var position: Int64 = 0

  private var source: EndlessSource
  private var feed: ResamplerFeed?
  /// How often the loop's start was passed, and the frame of this turn that is next, counted like the track's.
  private var turn: Int64 = 0
  private var frame: Int64 = 0
  /// What the last turn would have gone on with, faded out over the new one's first frames. Empty: no fades.
  private var tail: [Float]
  /// How many frames of the new turn have been joined to the tail.
  private var joined: Int
  /// Why nothing more can be read.
  private var failure: Problem?

  /// How long a resampler must have run before its output is that of an earlier beginning (to 1e-6): so many engine
  /// frames, and so many source frames.
  private static let warmUp: (engine: Int64, source: Int64) = (2_048, 192)
  /// Frames of the fade between two turns of a loop.
  private static let seam = 128

  /// Opens the file of a track at frame `position` of its stream. Throws `changed` when the file is no longer as `plan` has
  /// it, and what `Decoder` throws.
  convenience init(_ file: TrackFile, plan: TrackPlan, from position: Int64 = 0) throws(Problem) {
    try self.init(decoder: try file.open(), plan: plan, from: position)
  }

  /// The same of the file at `path` (inside `folder`, where one is given).
  convenience init(
    path: String, inside folder: String? = nil, plan: TrackPlan, from position: Int64 = 0
  ) throws(Problem) {
    try self.init(decoder: try Decoder.open(path: path, inside: folder), plan: plan, from: position)
  }

  /// Reads from a file that is open already.
  init(decoder: consuming Decoder, plan: TrackPlan, from position: Int64 = 0) throws(Problem) {
    let path = decoder.path
    guard decoder.rate == plan.sourceRate, decoder.frames == plan.sourceFrames else {
      throw Problem(
        .changed, file: path,
        "\(path) has changed since it was loaded",
        remedy: "load the pack again")
    }
    self.plan = plan
    source = EndlessSource(decoder: decoder, loop: plan.sourceLoop)
    joined = plan.loopNeedsRestart ? min(Self.seam, (plan.loop?.count ?? 0) / 2) : 0
    tail = [Float](repeating: 0, count: 2 * joined)
    if !plan.ratio.isIdentity {
      guard let resampler = Resampler(source: plan.sourceRate, engine: plan.engineRate) else {
        throw Problem(
          .unsupported, file: path,
          "\(path): \(plan.sourceRate) Hz cannot be resampled",
          remedy: "use a file of \(plan.engineRate) Hz")
      }
      feed = ResamplerFeed(resampler)
    }
    try seek(to: position)
  }

  /// Reads up to `count` frames of interleaved stereo; returns how many, fewer only at the end or before a failure, then
  /// 0. A stream that loops has no end. Where the file breaks off all before is returned first, then this throws.
  func read(into output: UnsafeMutablePointer<Float>, frames count: Int) throws(Problem) -> Int {
    if let failure { throw failure }
    var count = count
    if let total = plan.streamFrames { count = Int(max(0, min(Int64(count), total - position))) }
    var done = 0
    do throws(Problem) {
      while done < count { done += try readPiece(into: output + 2 * done, frames: count - done) }
    } catch {
      failure = error
      if done == 0 { throw error }
    }
    return done
  }

  /// Makes frame `target` of the stream the next to be read.
  func seek(to target: Int64) throws(Problem) {
    position = max(0, target)
    if let total = plan.streamFrames { position = min(position, total) }
    joined = tail.count / 2
    failure = nil
    (turn, frame) = (0, position)
    guard feed != nil else { return try source.seek(to: position) }
    if let loop = plan.loop, !tail.isEmpty, position >= loop.upperBound {
      (turn, frame) = (1, plan.trackFrame(at: position))
    }
    var start = warmStart(before: frame, turn: turn)
    // What the next turn hears again must be read in this one, however near the loop's end it starts.
    if let mark = nextTurnStart { while sourceIndex(of: start, turn: turn) > mark { start -= plan.ratio.up } }
    try source.seek(to: sourceIndex(of: start, turn: turn))
    try restart(from: start)
  }

  /// One piece of at most `frames` frames within one turn; at least one frame.
  private func readPiece(into output: UnsafeMutablePointer<Float>, frames: Int) throws(Problem) -> Int {
    var wanted = frames
    if let loop = plan.loop, !tail.isEmpty {
      if frame == loop.upperBound { try beginTurn(loop) }
      wanted = min(wanted, Int(loop.upperBound - frame))
    }
    let got = try produce(into: output, frames: wanted)
    join(output, frames: got)
    frame += Int64(got)
    position += Int64(got)
    return got
  }

  /// Up to `frames` frames of this turn as they come out of the resampler, joined to nothing; at least one.
  private func produce(into output: UnsafeMutablePointer<Float>, frames: Int) throws(Problem) -> Int {
    let given =
      feed == nil
      ? try source.read(into: output, frames: frames)
      : try feed?.read(from: &source, into: output, frames: frames) ?? 0
    if given > 0 { return given }
    // Rounding may make the stream a frame longer than its last sound.
    output.update(repeating: 0, count: 2 * frames)
    return frames
  }
}

extension TrackReader {
  /// Ends a turn at the loop's end: hears how it would have gone on, then begins again at the loop's start.
  private func beginTurn(_ loop: Range<Int64>) throws(Problem) {
    tail = try producing(frames: tail.count / 2)
    joined = 0
    turn += 1
    frame = loop.lowerBound
    let start = warmStart(before: frame, turn: turn)
    source.rewind(to: sourceIndex(of: start, turn: turn))
    try restart(from: start)
  }

  /// Lets the resampler run from frame `start` of this turn, where the source stands, up to `frame`.
  private func restart(from start: Int64) throws(Problem) {
    feed?.reset()
    if let mark = nextTurnStart { source.keep(from: mark) }
    _ = try producing(frames: Int(frame - start))
  }

  /// The next `frames` frames of this turn, in memory of their own.
  private func producing(frames: Int) throws(Problem) -> [Float] {
    var samples = [Float](repeating: 0, count: 2 * frames)
    try samples.withUnsafeMutableBufferPointer { (buffer) throws(Problem) in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      while done < frames { done += try produce(into: base + 2 * done, frames: frames - done) }
    }
    return samples
  }

  /// The source's index at which the resampler begins for the next turn; nil when turns do not begin anew.
  private var nextTurnStart: Int64? {
    guard let loop = plan.loop, !tail.isEmpty else { return nil }
    return sourceIndex(of: warmStart(before: loop.lowerBound, turn: turn + 1), turn: turn + 1)
  }

  /// Fades the last turn's tail out and this turn's first frames in.
  private func join(_ output: UnsafeMutablePointer<Float>, frames: Int) {
    let length = tail.count / 2
    for i in 0..<min(frames, length - joined) {
      let new = Float(joined + 1) / Float(length + 1)
      for side in 0..<2 {
        let old = tail[2 * joined + side]
        output[2 * i + side] = old + (output[2 * i + side] - old) * new
      }
      joined += 1
    }
  }

  /// The frame at which the resampler begins so that `frame` comes out right: one that falls on a source frame.
  private func warmStart(before frame: Int64, turn: Int64) -> Int64 {
    let up = plan.ratio.up
    let wanted = frame - max(Self.warmUp.engine, plan.ratio.engineFrames(Self.warmUp.source))
    let start = (wanted >= 0 ? wanted / up : -((up - 1 - wanted) / up)) * up
    // The source has nothing before its first frame; turns behind the first look back round the loop.
    let earliest = turn == 0 ? 0 : -(Int64(plan.sourceLoop?.count ?? 0) / plan.ratio.down) * up
    return max(start, earliest)
  }

  /// The source's index of what is heard at `frame` of a turn. `frame` must fall on a source frame.
  private func sourceIndex(of frame: Int64, turn: Int64) -> Int64 {
    frame / plan.ratio.up * plan.ratio.down + turn * Int64(plan.sourceLoop?.count ?? 0)
  }
}
