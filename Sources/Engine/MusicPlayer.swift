import Mixing
import Timing

/// Which tracks sound, where each is, and which fade: a pure state machine over output frames.
///
/// A track that fades out keeps its voice until the mixer has finished it, so that it can be brought back. The tails of a
/// fade that is interrupted fade anew from the gain they have in flight, which keeps the sum of powers (`FadeLaw`).
/// Where they are alike their sum is louder than one track, and falls the more steeply: see `unhurried`.
struct MusicPlayer {
  /// One track in a voice.
  struct Part {
    var voice: VoiceID
    var track: AssetKey
    var info: TrackInfo
    var loops: Bool
    var gain: Float
    /// The output frame at which `position` is heard.
    var anchor: Int64
    /// Frames into the track at `anchor`, not looped.
    var position: Int64
    /// The output frame at which the fade-out ends; nil while it plays.
    var fadeEnd: Int64?
    /// Its gain over time, as the mixer was told.
    var level: Ramp

    /// Goes over from the gain in flight to another.
    mutating func fade(to gain: Float, at frame: Int64, _ fade: Fade) {
      level = Ramp(from: level.value(at: frame), to: gain, start: frame, fade: fade)
    }

    /// Frames into the track at an output frame, looped or clamped.
    func position(at frame: Int64) -> Int64 {
      let unwrapped = position + max(0, frame - anchor)
      return loops ? info.loop.wrap(unwrapped) : min(unwrapped, info.frames)
    }
  }

  /// A request to play.
  struct Request {
    var track: AssetKey
    var info: TrackInfo
    /// Frames into the track to begin at.
    var position: Int64
    var loops: Bool
    var gain: Float
    /// Whether a track that sounds already goes on where it is.
    var continues: Bool
    var fade: Fade
    /// The chapter whose music it is: called off with it.
    var chapter: AssetKey?

    /// Where the track stands when it is entered that many frames late; at its end when it would be over.
    func entered(lateBy frames: Int64) -> Int64 {
      loops ? info.loop.wrap(position + frames) : min(position + frames, info.frames)
    }
  }

  /// What came of `play`.
  struct Started {
    var steps: [AudioStep]
    /// The track that is faded out.
    var from: AssetKey?
    /// The position heard at the frame asked for.
    var position: Int64
    /// The cross-fade, as long as it takes.
    var fade: Fade
  }

  /// How much steeper than that of a single track a cross-fade may be where all its tracks are alike.
  static let steepest: Float = 1.2

  /// The track that plays or is paused.
  private(set) var current: Part?
  /// Tracks on their way out, oldest first.
  private(set) var tails: [Part] = []
  /// The output frame at which the current track froze.
  private(set) var pausedAt: Int64?

  /// Plays a track from output frame `frame` on, fading out what sounds. `declick` is the shortest fade.
  mutating func play(_ request: Request, voice: VoiceID, at frame: Int64, declick: Fade) -> Started {
    if request.continues, let part = current, part.track == request.track {
      let steps = pausedAt == nil ? [] : resume(at: frame, fade: request.fade)
      return Started(
        steps: steps, from: nil, position: current?.position(at: frame) ?? part.position, fade: request.fade)
    }
    let from = pausedAt == nil ? current?.track : nil
    if request.continues, let returning = tail(of: request.track, at: frame) {
      var part = tails.remove(at: returning)
      let fade = unhurried(request.fade, at: frame)
      let leaving = fadeOutAll(at: frame, fade: fade, declick: declick)
      part.fadeEnd = nil
      part.gain = request.gain
      part.fade(to: request.gain, at: frame, fade)
      current = part
      let back: [AudioStep] = [
        .command(.gain(part.voice, to: request.gain, at: frame, fade: fade)),
        .command(.resume(part.voice, at: frame, fade: fade)),
      ]
      return Started(steps: leaving + back, from: from, position: part.position(at: frame), fade: fade)
    }
    let isAlone = (current == nil || pausedAt != nil) && !tails.contains { ($0.fadeEnd ?? .max) > frame }
    let fade = unhurried(request.fade, at: frame)
    var steps = fadeOutAll(at: frame, fade: fade, declick: declick)
    // Alone and from its first frame a track begins as it was made; anywhere else a ramp keeps it from clicking.
    let entry = isAlone ? (request.position == 0 ? Fade.none : declick) : fade
    current = Part(
      voice: voice, track: request.track, info: request.info, loops: request.loops, gain: request.gain,
      anchor: frame, position: request.position, fadeEnd: nil,
      level: Ramp(from: entry == .none ? request.gain : 0, to: request.gain, start: frame, fade: entry))
    steps.append(
      .startTrack(
        TrackStart(
          voice: voice, track: request.track, position: request.position, at: frame, gain: request.gain, fade: entry,
          loops: request.loops)))
    return Started(steps: steps, from: from, position: request.position, fade: fade)
  }

  /// Fades everything out; a track can be brought back until its fade has ended.
  /// One that is to begin later was asked for with its own instant, and begins.
  mutating func stop(at frame: Int64, fade: Fade, declick: Fade) -> (steps: [AudioStep], fade: Fade) {
    let fade = unhurried(fade, at: frame)
    let coming = current.flatMap { $0.anchor > frame ? $0 : nil }
    if coming != nil { current = nil }
    let steps = fadeOutAll(at: frame, fade: fade, declick: declick)
    if let coming { current = coming }
    return (steps, fade)
  }

  /// Freezes the current track where it is when the fade has ended; tails end, without a click also where that is at once.
  mutating func pause(at frame: Int64, fade: Fade, declick: Fade) -> [AudioStep] {
    guard var part = current, pausedAt == nil else { return [] }
    part.fade(to: 0, at: frame, fade)
    current = part
    pausedAt = frame + Int64(fade.frames)
    let out = fade == .none ? declick : fade
    let ending = tails.map { AudioStep.command(.stop($0.voice, at: frame, fade: out)) }
    return [.command(.pause(part.voice, at: frame, fade: fade))] + ending
  }

  /// Goes on where `pause` stopped.
  mutating func resume(at frame: Int64, fade: Fade) -> [AudioStep] {
    guard var part = current, let paused = pausedAt else { return [] }
    // Resumed before the pause's fade has ended, the track never froze.
    if frame > paused {
      part.position += max(0, paused - part.anchor)
      part.anchor = frame
    }
    part.fade(to: part.gain, at: frame, fade)
    current = part
    pausedAt = nil
    return [.command(.resume(part.voice, at: frame, fade: fade))]
  }

  /// Changes the gain of the current track.
  mutating func setGain(_ gain: Float, at frame: Int64, fade: Fade) -> [AudioStep] {
    guard var part = current else { return [] }
    part.gain = gain
    if pausedAt == nil { part.fade(to: gain, at: frame, fade) }
    current = part
    return [.command(.gain(part.voice, to: gain, at: frame, fade: fade))]
  }

  /// The mixer is done with a voice: tells which track that was, if it was the current one.
  mutating func finished(_ voice: VoiceID) -> Part? {
    tails.removeAll { $0.voice == voice }
    guard let part = current, part.voice == voice else { return nil }
    current = nil
    pausedAt = nil
    return part
  }

  /// The track that a voice plays or fades out.
  func track(of voice: VoiceID) -> AssetKey? {
    current?.voice == voice ? current?.track : tails.first { $0.voice == voice }?.track
  }

  /// Frames into the current track at an output frame.
  func position(at frame: Int64) -> Int64? { current?.position(at: pausedAt.map { min($0, frame) } ?? frame) }

  /// Where a track that still sounds will be at an output frame; nil for one that has to start anew.
  func continued(_ track: AssetKey, at frame: Int64) -> Int64? {
    if current?.track == track { return position(at: frame) }
    return tail(of: track, at: frame).map { tails[$0].position(at: frame) }
  }

  private func tail(of track: AssetKey, at frame: Int64) -> Int? {
    tails.lastIndex { $0.track == track && ($0.fadeEnd ?? .max) > frame }
  }

  /// The fade, or one as much longer as keeps it from being steep: tracks that are alike (one track into itself, most of
  /// all) add up by their gains, and so falls their sum. By the equal-power law one track's gain falls by pi / 2 a fade
  /// at most.
  private func unhurried(_ fade: Fade, at frame: Int64) -> Fade {
    let leaving = (tails + [current].compactMap(\.self)).filter { ($0.fadeEnd ?? .max) > frame }
    // One that is being turned down is louder yet than its gain.
    guard let loudest = leaving.map({ max($0.gain, $0.level.value(at: frame)) }).max(), loudest > 0 else { return fade }
    let sum = leaving.reduce(0) { $0 + $1.level.value(at: frame) }
    let excess = sum / (loudest * Self.steepest)
    guard excess > 1 else { return fade }
    return Fade(frames: Int32(clamping: Int64(Float(fade.frames) * excess)), law: fade.law)
  }

  private mutating func fadeOutAll(at frame: Int64, fade: Fade, declick: Fade) -> [AudioStep] {
    if var part = current {
      part.fadeEnd = pausedAt == nil ? frame + Int64(fade.frames) : frame
      tails.append(part)
    }
    let steps = tails.indices.compactMap { index -> AudioStep? in
      if let end = tails[index].fadeEnd, end <= frame {
        return .command(.stop(tails[index].voice, at: frame, fade: declick))
      }
      tails[index].fadeEnd = frame + Int64(fade.frames)
      tails[index].fade(to: 0, at: frame, fade)
      return .command(.stop(tails[index].voice, at: frame, fade: fade))
    }
    current = nil
    pausedAt = nil
    return steps
  }
}
