// SPDX-License-Identifier: Apache-2.0

/// What a voice is to be at and on its way to, as whoever commands it knows it.
public struct VoiceCourse: Sendable, BitwiseCopyable {
  /// Its gain over time, its end included: by its own clock, which stands while it does.
  public var level: Ramp
  /// What is heard of that: 0 while it stands.
  public var gate: Ramp
  /// The gain it has or is on its way to, if it is not to end; linear.
  public var gain: Float
  /// Whether it is over once its level has come down.
  public var isLeaving: Bool
  /// How many frames it was to stand through in pauses that are over.
  public var stood: Int64
  /// The gains that its stems have or are on their way to.
  public var stems: StemGains

  /// A course; all of it is what holds before the frame that it is sent for.
  public init(level: Ramp, gate: Ramp, gain: Float, isLeaving: Bool, stood: Int64, stems: StemGains = StemGains()) {
    self.level = level
    self.gate = gate
    self.gain = gain
    self.isLeaving = isLeaving
    self.stood = stood
    self.stems = stems
  }
}

extension Voice {
  /// Comes back to its course from wherever it has got to, in no less than `shortest`; how many frames it has to pass over.
  @_noLocks mutating func restore(_ course: VoiceCourse, at frame: Int64, shortest: Fade) -> Int64 {
    if isStolen { return 0 }
    let missed = restorePauses(course, at: frame, shortest: shortest)
    gain = Voice.sane(course.gain)
    if !isOn(course) {
      let start = reached(by: frame)
      let planned = course.gate.to == 0 ? min(frame, course.gate.end) : frame
      let left = path.level.value(at: start) * path.ending.value(at: start)
      let fade = course.level.left(at: planned, shortest)
      if course.isLeaving {
        path.level = Ramp(steady: left)
        path.ending = Ramp(from: left == 0 ? 0 : 1, to: 0, start: start, fade: fade)
      } else {
        path.level = Ramp(from: left, to: Voice.sane(course.level.to), start: start, fade: fade)
        path.ending = Ramp(steady: 1)
      }
      isComingIn = false
    }
    if course.isLeaving && !isStopping { reason = .stopped }
    isStopping = course.isLeaving
    for index in 0..<min(stems.count, course.stems.count) where stems[index].to != Voice.sane(course.stems[index]) {
      setStem(index, to: course.stems[index], at: frame, fade: shortest)
    }
    return missed
  }

  /// Whether its gain and its end are on their course. While it fades out its level stays, so that what is left of it has the
  /// course of both.
  @_noLocks private func isOn(_ course: VoiceCourse) -> Bool {
    if isStopping != course.isLeaving { return false }
    if !isStopping { return path.level.isSame(as: course.level) }
    return path.ending.runs(with: course.level) && !path.level.isMoving(at: course.level.start)
      && (path.level.to * path.ending.from - course.level.from).magnitude < 1e-5
  }

  @_noLocks private mutating func restorePauses(_ course: VoiceCourse, at frame: Int64, shortest: Fade) -> Int64 {
    let isMoving = path.gate.to != 0
    let left = course.gate.left(at: frame, shortest)
    pauses.meant = course.stood
    if course.gate.to == 0 {
      pauses.goesOnAt = .max
      pauses.meantFrom = course.gate.end
      if isMoving { path.gate = Ramp(from: path.gate.value(at: frame), to: 0, start: frame, fade: left) }
      return 0
    }
    if isMoving {
      if !keepsPlace || pauses.meant == pauses.stood { return 0 }
      path.gate = Ramp(from: path.gate.value(at: frame), to: 0, start: frame, fade: shortest)
    }
    if !keepsPlace { pauses.meant = pauses.stood + max(0, frame - standsFrom) }
    return goOnInPlace(at: frame, fade: left)
  }
}

extension Ramp {
  /// A fade for what is left of it at a frame, and no shorter than `shortest`.
  @_noLocks fileprivate func left(at frame: Int64, _ shortest: Fade) -> Fade {
    Fade(frames: Int32(clamping: max(Int64(shortest.frames), end - frame)), curve: curve)
  }

  @_noLocks fileprivate func isSame(as other: Ramp) -> Bool {
    runs(with: other) && from == other.from && to == other.to
  }

  /// Whether it begins and ends with another.
  @_noLocks fileprivate func runs(with other: Ramp) -> Bool { start == other.start && frames == other.frames }
}
