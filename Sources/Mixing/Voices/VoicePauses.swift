// SPDX-License-Identifier: Apache-2.0

/// What is planned of a voice's pauses and what came of it. Where that differs, for a pause or its end came late, a voice
/// that keeps its place makes up for it as it goes on: it passes over what it stood through too long, and stands on for what
/// it should have stood through.
struct VoicePauses: BitwiseCopyable {
  /// The frame from which it was to stand; of no account while it is not paused.
  var meantFrom: Int64 = 0
  /// How many frames it was to stand through, and has stood through, in pauses that are over.
  var meant: Int64 = 0
  var stood: Int64 = 0
  /// While it stands on: the frame at which it goes on, and the fade by which it comes back then.
  var goesOnAt: Int64 = .max
  var fade = Fade.none

  @_noLocks init() {}

  /// Whether it is to go on by itself.
  var standsOn: Bool { @_noLocks get { goesOnAt < .max } }

  /// Notes that a pause is over, which was to end at `frame`. No one is later than two weeks; the bounds keep a wild frame
  /// from overflowing.
  @_noLocks mutating func end(at frame: Int64) {
    let from = max(meantFrom, -1 << 60)
    meant += min(max(0, min(frame, 1 << 60) - from), 1 << 36)
  }
}

extension Voice {
  /// Turns it down, and lets it stand from then on. It was to be told by `planned`.
  @_noLocks mutating func pause(at frame: Int64, planned: Int64, fade: Fade) {
    // One that only makes room has to be gone.
    if isStolen { return }
    if pauses.standsOn {
      // To whom it plays, it begins to stand now.
      pauses.goesOnAt = .max
      pauses.meantFrom = planned &+ Int64(fade.frames)
      return
    }
    if path.gate.to == 0 { return }
    path.gate = Ramp(from: path.gate.value(at: frame), to: 0, start: frame, fade: fade)
    pauses.meantFrom = planned &+ (path.gate.end - frame)
  }

  /// Lets it go on at `frame`, by a fade, where it was to be told by `planned`; how many frames of its own it has to pass over
  /// then.
  @_noLocks mutating func resume(at frame: Int64, planned: Int64, fade: Fade) -> Int64 {
    if path.gate.to != 0 || pauses.standsOn { return 0 }
    if !keepsPlace {
      goOn(at: frame, fade: fade)
      return 0
    }
    pauses.end(at: planned)
    return goOnInPlace(at: frame, fade: fade)
  }

  /// Lets one that is paused go on so that it is in place: now, or once it has stood for as long as it should have. How many
  /// frames it has to pass over.
  @_noLocks mutating func goOnInPlace(at frame: Int64, fade: Fade) -> Int64 {
    let left = pauses.meant - pauses.stood - max(0, frame - standsFrom)
    // What it passes over is not heard: so it comes down first.
    if left > 0 || left < 0 && frame < standsFrom {
      (pauses.goesOnAt, pauses.fade) = (max(frame, standsFrom) + max(0, left), fade)
      return 0
    }
    goOn(at: frame, fade: fade)
    let missed = pauses.stood - pauses.meant
    pauses.stood = pauses.meant
    path.level.move(by: -missed)
    path.ending.move(by: -missed)
    path.dip.move(by: -missed)
    stems.move(by: -missed)
    return missed
  }

  @_noLocks private mutating func goOn(at frame: Int64, fade: Fade) {
    let stood = frame - standsFrom
    if stood > 0 {
      path.level.move(by: stood)
      path.ending.move(by: stood)
      path.dip.move(by: stood)
      stems.move(by: stood)
      pauses.stood += stood
    }
    pauses.goesOnAt = .max
    path.gate = Ramp(from: path.gate.value(at: frame), to: 1, start: frame, fade: fade)
  }
}
