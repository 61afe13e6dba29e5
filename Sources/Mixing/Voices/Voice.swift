// SPDX-License-Identifier: Apache-2.0

/// What the control side has still to be told about a voice.
struct OwedEvents: BitwiseCopyable {
  var started = false
  var starved = false
  var rejoined = false
  var finished = false

  @_noLocks init() {}
}

/// The state of one slot.
struct Voice: BitwiseCopyable {
  var id: VoiceID
  var bus: Bus
  /// Whose it is.
  var owner: UInt64
  var user: UInt32
  /// Which sound it is, and when it was to begin (`VoiceStart`).
  var sound: UInt32
  var instant: Int64
  /// Counts starts: the lower, the older.
  var order: UInt64

  // Where it reads.
  var source: VoiceSource
  /// The next frame to read, and for a pitched voice how far beyond it, in 1 / 2^32.
  var position: Int64
  var fraction: UInt32 = 0
  /// Whether the frame before the loop's first is by now its last.
  var hasLooped = false
  /// Frames of the source per frame of output, in 1 / 2^32.
  var step: Int64 = Voice.unitStep

  /// The speed it was told, of which `step` is made together with its family's.
  var pitch: Float = 1

  // How loud.
  /// The gain it has or is on its way to, which `bringBack` returns to.
  var gain: Float
  /// Whether its level is on the way by which the voice comes in: not one that it was told as it played.
  var isComingIn: Bool
  /// Its gain, its end, its pan, the gate of a pause, and a dip while a stream's ring has run low. While it stands its gain,
  /// its end and its dip stand with it, and go on with it.
  var path = GainPath()
  /// The gains of its stems, which go by its own time too.
  var stems: StemPaths
  /// The number of its family, or -1.
  var family: Int32 = -1

  // When it stands.
  /// Whether it is where it was to be also where it is told late.
  var keepsPlace: Bool
  var pauses = VoicePauses()
  /// The latest frame for which it was told anything that it has done.
  var changedFor: Int64 = .min

  // What it is up to.
  /// Whether it is over once its end has come: what is left of it is then nothing, whatever its gain.
  var isStopping = false
  var reason = FinishReason.stopped
  /// Whether it is over, and only kept until the control side has been told.
  var isOver = false

  /// Where the ducking rule that it carries is at work, or -1; and whether it is counted there.
  var duckingPlace: Int32 = -1
  var isDucking = false

  /// For a stream: whether it is silent because the ring ran low or it came late, and the frames it has missed meanwhile.
  var isStarved = false
  /// For a stream: whether it came late and has not sounded yet, so that it is not back when it does.
  var isEntering = false
  var missedFrames: Int64 = 0
  var sight = StreamSight()

  var owed = OwedEvents()
  var startedAt: Int64 = 0
  /// Where it is told to have begun: before that where it is in its place behind frames that were passed over.
  var toldAt: Int64 = 0
  var starvedAt: Int64 = 0
  var rejoinedAt: Int64 = 0
  var finishedAt: Int64 = 0

  static var unitStep: Int64 { @_noLocks get { 1 << 32 } }

  /// A voice that begins at output frame `frame`.
  @_noLocks init(_ start: VoiceStart<VoiceSource>, order: UInt64, frame: Int64, fadeIn: Fade) {
    id = start.id
    bus = start.bus
    (owner, user, sound, instant) = (start.owner, start.user, start.sound, start.instant)
    self.order = order
    source = start.source
    position = 0
    gain = Voice.sane(start.gain)
    stems = StemPaths(start.stems)
    path.level = Ramp(from: fadeIn.frames > 0 ? 0 : gain, to: gain, start: frame, fade: fadeIn)
    isComingIn = fadeIn.frames > 0
    let pan = panGains(start.pan)
    path.left = Ramp(steady: pan.left)
    path.right = Ramp(steady: pan.right)
    keepsPlace = start.late.skips
    pitch = start.pitch
    step = Voice.step(pitch: pitch)
    (startedAt, toldAt) = (frame, frame)
    owed.started = true
  }

  /// Whether it only lives on to fade out for another.
  var isStolen: Bool { @_noLocks get { isStopping && reason.isTheft } }

  /// The frame from which it stands, once its gate has come down; never where it is not paused.
  var standsFrom: Int64 { @_noLocks get { path.gate.to == 0 ? path.gate.end : .max } }

  /// Whether it stands: it moves no more, is not heard, and is not over.
  @_noLocks func stands(at frame: Int64) -> Bool { frame >= standsFrom }

  /// How far it has come by a frame: to where it stands, at most.
  @_noLocks func reached(by frame: Int64) -> Int64 { min(frame, standsFrom) }

  /// How many frames of output are left of a source that does not loop.
  @_noLocks func heardFrames(of source: ResidentSource) -> Int64 {
    let end = Int64(source.frames) << 32
    let here = position << 32 + Int64(fraction)
    return (end - here + step - 1) / step
  }

  /// Whether it needs the interpolator.
  var isPitched: Bool { @_noLocks get { step != Voice.unitStep || fraction != 0 } }

  /// A gain that can do no harm: 0...64, and 0 for what is no number.
  @_noLocks static func sane(_ gain: Float) -> Float { gain > 0 ? min(gain, 64) : 0 }

  /// The step of a speed, held to 1/8...8; 1 for what is no number.
  @_noLocks static func step(pitch: Float) -> Int64 {
    if !(pitch > 0) { return unitStep }
    return Int64(Double(min(max(pitch, 0.125), 8)) * 4_294_967_296)
  }

  /// How loud it counts when one has to go: what it is on its way to, or, on its way out, what is left.
  @_noLocks func loudness(at frame: Int64) -> Float {
    let reached = reached(by: frame)
    let level = path.level.value(at: reached)
    return isStopping ? level * path.ending.value(at: reached) : max(gain, level)
  }

  // MARK: Commands

  /// On its way out too: its gain and what is left of it are two factors.
  @_noLocks mutating func setGain(_ value: Float, at frame: Int64, fade: Fade) {
    gain = Voice.sane(value)
    isComingIn = false
    let reached = reached(by: frame)
    path.level = Ramp(from: path.level.value(at: reached), to: gain, start: reached, fade: fade)
  }

  /// From what is left of it: of that and its gain its level alone is made again.
  @_noLocks mutating func bringBack(at frame: Int64, fade: Fade) {
    if !isStopping || isStolen { return }
    isStopping = false
    let reached = reached(by: frame)
    let left = path.level.value(at: reached) * path.ending.value(at: reached)
    path.level = Ramp(from: left, to: gain, start: reached, fade: fade)
    path.ending = Ramp(steady: 1)
    isComingIn = true
  }

  /// It fades out from what is heard of it, and so at once where it stands. What it was told of its gain goes on, and so does
  /// what it is yet to be told: neither changes when it is over.
  @_noLocks mutating func leave(at frame: Int64, fade: Fade, reason: FinishReason) {
    if isStolen { return }
    // To come in any further is not for what is to end.
    if isComingIn { holdLevel(at: frame) }
    isStopping = true
    self.reason = reason
    let left = path.ending.value(at: reached(by: frame)) * path.gate.value(at: frame)
    path.gate = Ramp(steady: 1)
    pauses.goesOnAt = .max
    path.ending = Ramp(from: left, to: 0, start: frame, fade: fade)
  }

  /// As `leave`, but its gain stays as it is then, and silent it is over at once.
  @_noLocks mutating func stop(at frame: Int64, fade: Fade, reason: FinishReason) {
    if isStolen { return }
    holdLevel(at: frame)
    leave(at: frame, fade: path.level.to == 0 ? .none : fade, reason: reason)
  }

  /// As `leave`, unless it moves and is on its way out already by no more than that fade.
  @_noLocks mutating func end(at frame: Int64, fade: Fade) {
    if isOver(within: fade, of: frame) { return }
    leave(at: frame, fade: fade, reason: .stopped)
  }

  /// It makes room for another; where it is on its way out already that takes no longer for it.
  @_noLocks mutating func giveUp(at frame: Int64, fade: Fade) {
    if isOver(within: fade, of: frame) {
      reason = .stolen
      return
    }
    leave(at: frame, fade: fade, reason: .stolen)
  }

  /// Its gain stays as it is, and it fades out from there; so it stays where it stands.
  @_noLocks mutating func fadeOut(at frame: Int64, fade: Fade) {
    if isStolen { return }
    holdLevel(at: frame)
    let reached = reached(by: frame)
    let left = path.ending.value(at: reached)
    // Nothing is to come of it.
    if path.level.to * left == 0 { return stop(at: frame, fade: .none, reason: .stopped) }
    isStopping = true
    reason = .stopped
    path.ending = Ramp(from: left, to: 0, start: reached, fade: fade)
  }

  @_noLocks mutating func setStem(_ index: Int, to gain: Float, at frame: Int64, fade: Fade) {
    if index < 0 || index >= stems.count { return }
    let reached = reached(by: frame)
    stems[index] = Ramp(from: stems[index].value(at: reached), to: Voice.sane(gain), start: reached, fade: fade)
  }

  @_noLocks mutating func setPan(_ place: Float, at frame: Int64, fade: Fade) {
    let to = panGains(place)
    path.left = Ramp(from: path.left.value(at: frame), to: to.left, start: frame, fade: fade)
    path.right = Ramp(from: path.right.value(at: frame), to: to.right, start: frame, fade: fade)
  }

  /// Its gain stays where it has come to.
  @_noLocks private mutating func holdLevel(at frame: Int64) {
    path.level = Ramp(steady: path.level.value(at: reached(by: frame)))
    isComingIn = false
  }

  /// Whether it moves, and is over by the end of a fade that begins at `frame`.
  @_noLocks private func isOver(within fade: Fade, of frame: Int64) -> Bool {
    isStopping && path.gate.to == 1 && path.ending.end <= frame + Int64(fade.frames)
  }
}
