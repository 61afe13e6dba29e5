// SPDX-License-Identifier: Apache-2.0

import Problems

/// A piece of music that is read from its file while it plays, with its beginning in memory so that it starts at once.
///
/// Each stream opens the file again: the one that was loaded, whatever was put in its place since (`TrackFile`). Where that cannot
/// be had any more, or was written to, the stream ends with the error `changed`.
public final class StreamedTrack: Sendable {
  /// The file, as it was named.
  public let path: String
  /// Frames a second of all that is below: the engine's rate.
  public let rate: Int
  /// Length of the file, played once.
  public let frames: Int64
  /// The frames that repeat; nil when the track plays once. A looping stream plays 0 ..< upperBound, then `loop` for
  /// ever.
  public let loop: Range<Int64>?

  /// What is played with it, on the same frames: each as long as the track, and repeated alike.
  public let stems: [StreamedTrack]

  /// What is read.
  let file: TrackFile
  let plan: TrackPlan
  let head: SampleMemory
  /// What it is when it repeats instead of playing once, or the other way round.
  private let turnedPlan: TrackPlan
  private let turnedHead: SampleMemory

  /// Opens the file, inside `folder` where one is given, finds its length and loop and decodes its first `headSeconds`;
  /// throws what is wrong with it.
  ///
  /// `stems` are files like it, of its rate and length, that are read together with it.
  ///
  /// Its files are kept open where `keptFiles` has room, and its head is counted by `room`.
  ///
  /// The head is 60 s at most; by default it is `HeadLength.longest`, 115 kB at 48 kHz.
  public init(
    path: String, inside folder: String? = nil, rate: Int, loop: TrackLoop = .automatic,
    headSeconds: Double = HeadLength.longest,
    stems files: [String] = [], keptFiles: KeptFiles = KeptFiles(), room: PackRoom = PackRoom()
  ) throws(Problem) {
    var decoder = try Decoder.open(path: path, inside: folder)
    try decoder.checkEnd()
    let sourceLoop = try loop.resolved(
      path: path, rate: decoder.rate, frames: decoder.frames, fileLoop: decoder.fileLoop)
    let plan = TrackPlan(
      sourceRate: decoder.rate, engineRate: rate, sourceFrames: decoder.frames, loop: sourceLoop)
    let isInteger = decoder.isInteger && decoder.rate == rate
    file = TrackFile(decoder.source, inside: folder, keptFiles)
    let reader = try TrackReader(decoder: decoder, plan: plan)
    let wanted = Int64(((headSeconds > 0 ? min(headSeconds, 60) : 0) * Double(rate)).rounded())
    head = try SampleMemory(
      frames: plan.headFrames(wanted), from: reader, of: path, isInteger: isInteger, in: room)
    turnedPlan = plan.turned
    // What is too short to repeat is never turned.
    let repeats =
      plan.loop != nil
      || (try? TrackLoop.wholeFile.resolved(
        path: path, rate: plan.sourceRate, frames: plan.sourceFrames, fileLoop: nil)) != nil
    if !repeats || plan.sharesHead(ofFrames: head.frames, with: turnedPlan) {
      turnedHead = head
    } else {
      let reader = try TrackReader(file, plan: turnedPlan)
      turnedHead = try SampleMemory(
        frames: turnedPlan.headFrames(wanted), from: reader, of: path, isInteger: isInteger, in: room)
    }
    self.path = path
    self.rate = rate
    self.plan = plan
    frames = plan.frames
    self.loop = plan.loop
    var stems: [StreamedTrack] = []
    for file in files { stems.append(try Self.stem(file, inside: folder, of: plan, headSeconds, keptFiles, room)) }
    self.stems = stems
  }

  /// Loads a stem of a track that is read by `plan`.
  private static func stem(
    _ path: String, inside folder: String?, of plan: TrackPlan, _ headSeconds: Double, _ keptFiles: KeptFiles,
    _ room: PackRoom
  ) throws(Problem) -> StreamedTrack {
    // Points of the file of the track, whatever the stem's own tags say.
    let loop =
      plan.sourceLoop.map { loop in
        let rate = Double(plan.sourceRate)
        return TrackLoop.seconds(start: Double(loop.lowerBound) / rate, end: Double(loop.upperBound) / rate)
      } ?? .none
    let decoder = try Decoder.open(path: path, inside: folder)
    guard decoder.rate == plan.sourceRate, decoder.frames == plan.sourceFrames else {
      throw Problem(
        .invalidValue, file: path,
        "\(path) has \(decoder.frames) frames at \(decoder.rate) Hz, and the track that it goes with "
          + "\(plan.sourceFrames) at \(plan.sourceRate) Hz",
        remedy: "make both alike, so that they stay together")
    }
    return try StreamedTrack(
      path: path, inside: folder, rate: plan.engineRate, loop: loop, headSeconds: headSeconds, keptFiles: keptFiles,
      room: room)
  }

  /// The same track, made to repeat or to play once; one that was loaded to play once repeats whole.
  /// Throws `badLoop` when it is too short to repeat. Opens no file.
  public func playing(loops: Bool) throws(Problem) -> StreamedTrack {
    if loops == (loop != nil) { return self }
    if loops {
      _ = try TrackLoop.wholeFile.resolved(path: path, rate: plan.sourceRate, frames: plan.sourceFrames, fileLoop: nil)
    }
    return StreamedTrack(turning: self)
  }

  private init(turning track: StreamedTrack) {
    path = track.path
    file = track.file
    rate = track.rate
    plan = track.turnedPlan
    head = track.turnedHead
    turnedPlan = track.plan
    turnedHead = track.head
    frames = plan.frames
    loop = plan.loop
    stems = track.stems.map(StreamedTrack.init(turning:))
  }

  /// Length of the file in seconds, played once.
  public var seconds: Double { Double(frames) / Double(rate) }

  /// Frames from its beginning that are in memory.
  public var headFrames: Int64 { Int64(head.frames) }

  /// Bytes of memory the track keeps while it is loaded.
  public var residentBytes: Int {
    head.bytes + (turnedHead === head ? 0 : turnedHead.bytes) + stems.reduce(0) { $0 + $1.residentBytes }
  }

  /// The track and its stems, each a layer of its streams.
  var layers: [StreamedTrack] { [self] + stems }

  /// The frame of the track (within its length) that is heard at frame `position` of a stream of it.
  public func trackFrame(at position: Int64) -> Int64 { plan.trackFrame(at: position) }

  /// The frame just before `position` where the head holds it, else silence.
  func lastOfHead(before position: Int64) -> SIMD2<Float> {
    guard position > 0, position <= Int64(head.frames) else { return .zero }
    let index = 2 * Int(position - 1)
    return SIMD2(head.samples[index], head.samples[index + 1])
  }
}
