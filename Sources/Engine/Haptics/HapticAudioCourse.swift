// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// How a pattern's sound follows from the time, from an instant on: its place, and what its player says of it.
struct HapticAudioCourse {
  var from: Instant
  var position: Interval
  var rate: Double
  var isPaused = false
  var isMuted: Bool
  var controls: HapticAudioControls
  /// Where its voices stand still, while they do: a fade further than the pattern was when it was paused.
  private(set) var frozen: Interval?
  /// From when on they go on again: when the pattern has come to where they stand.
  private(set) var wakes = Instant.distantPast

  init(_ start: HapticAudioStart) {
    from = start.at
    position = start.event.time + start.offset
    rate = start.rate
    isMuted = start.isMuted
    controls = start.controls
  }

  func position(at instant: Instant) -> Interval {
    isPaused ? position : position + Interval.nanoseconds(Double((instant - from).nanoseconds) * rate)
  }

  /// When it is at `place`; never while it is paused.
  func instant(of place: Interval) -> Instant {
    isPaused ? .distantFuture : from + Interval.nanoseconds(Double((place - position).nanoseconds) / rate)
  }

  func level(of event: HapticAudioEvent, at instant: Instant) -> HapticAudioLevel {
    event.level(at: position(at: instant), controls.values(at: instant))
  }

  /// The level that a stretch up to `instant` ends with.
  func level(of event: HapticAudioEvent, before instant: Instant) -> HapticAudioLevel {
    let moment = Interval(nanoseconds: 1)
    return event.level(at: position(at: instant) - moment, controls.values(at: instant - moment))
  }

  /// When the pattern or the player next makes it step or bend.
  func nextEdge(of event: HapticAudioEvent, after instant: Instant) -> Instant? {
    earliest(event.nextEdge(after: position(at: instant)).map(self.instant), controls.nextBend(after: instant))
  }

  func isMoving(_ event: HapticAudioEvent, at instant: Instant) -> Bool {
    event.isMoving(at: position(at: instant)) || controls.isMoving(at: instant)
  }

  /// The course that a change of the player at `instant` leads to; what is paused falls silent in `fade`.
  func changed(by command: HapticCommand, at instant: Instant, fade: Interval) -> HapticAudioCourse {
    var course = self
    (course.from, course.position) = (instant, position(at: instant))
    course.controls.forget(before: instant)
    switch command {
    case .pause:
      if isPaused { break }
      course.isPaused = true
      // Paused before they went on again, they stay where they are.
      course.frozen = instant < wakes ? frozen : course.position + .nanoseconds(Double(fade.nanoseconds) * rate)
    case .resume:
      course.isPaused = false
      course.wakes = frozen.map { max(instant, course.instant(of: $0)) } ?? instant
    case .set(_, .rate(let rate), _): course.rate = rate
    case .set(_, .muted(let muted), _): course.isMuted = muted
    case .sendParameters(_, let parameters, _):
      for parameter in parameters { course.controls.insert(parameter.curve, at: instant) }
    case .scheduleCurve(_, let curve, _): course.controls.insert(curve, at: instant)
    default: break
    }
    return course
  }
}
