// SPDX-License-Identifier: Apache-2.0

import Timing

/// One pattern being played: where in it every instant lies, and what is felt there.
struct HapticPlayer: Sendable {
  /// A loop shorter than this would be a tone, not a pattern, and could keep the loop counter busy for ever; so also where
  /// it is played faster.
  static let shortestLoop = Interval.milliseconds(10)

  let id: HapticPlayerID
  private(set) var pattern: HapticPattern
  let source: String
  private(set) var loops: Bool
  private(set) var loopEnd: Interval?
  private(set) var rate: Double
  private(set) var isPaused = false
  private(set) var hasStarted = false
  private(set) var iteration = 0
  private var gain: Double
  private var ownerGain: Double
  private(set) var isMuted: Bool
  private(set) var intensity = ControlTrack(.intensity)
  private(set) var sharpness = ControlTrack(.sharpness)
  /// The family that it is driven with, and how.
  let family: HapticFamilyID?
  var driven = HapticFamily()
  /// The player that it ends when it begins.
  let replaced: HapticPlayerID?
  /// On its way out: what all that is felt of it is multiplied by.
  private(set) var leaving = ControlTrack(neutral: 1, range: 0...1)
  /// Whether it is on its way out, and begins nothing any more that is heard.
  private(set) var isLeaving = false
  /// What drives its sounds, besides their pattern.
  private(set) var audioControls = HapticAudioControls()
  /// When it last went on from where it was put, not from where time had brought it: a start or a seek. Far off while it
  /// is paused since.
  private(set) var entered = Instant.distantPast
  /// One instant and its place in the pattern; the rest follows from the rate.
  private var anchor: Instant
  private var anchorPosition: Interval

  init(_ id: HapticPlayerID, _ pattern: HapticPattern, source: String, at: Instant, options: HapticPlayOptions) {
    self.id = id
    self.pattern = pattern
    self.source = source
    loops = options.loops
    loopEnd = options.loopEnd
    rate = clampedRate(options.rate)
    gain = unitClamp(options.gain)
    ownerGain = unitClamp(options.ownerGain)
    isMuted = options.isMuted
    family = options.family
    replaced = options.replaced
    anchor = at
    anchorPosition = max(options.offset, .zero)
  }

  /// Where in the pattern `instant` lies; unbounded after the end, and without meaning before the start.
  func position(at instant: Instant) -> Interval {
    if isPaused { return anchorPosition }
    let elapsed = instant - anchor
    if rate == 1 { return anchorPosition + elapsed }
    return anchorPosition + Interval.nanoseconds((Double(elapsed.nanoseconds) * rate).rounded(.down))
  }

  /// Where it begins, before it has started.
  var firstPosition: Interval { anchorPosition }

  /// The first instant whose position is not before `position`; nil while paused, or when it will never come.
  func instant(of position: Interval) -> Instant? {
    if isPaused { return nil }
    let distance = position - anchorPosition
    var found = anchor + distance
    if rate != 1 {
      found = anchor + Interval.nanoseconds((Double(distance.nanoseconds) / rate).rounded(.up))
      while found < .distantFuture, self.position(at: found) < position { found += Interval(nanoseconds: 1) }
    }
    return found < .distantFuture ? found : nil
  }

  /// Where it ends or loops, in pattern time.
  private var turn: Interval { Self.turn(of: pattern, loops: loops, loopEnd: loopEnd, rate: rate) }

  /// Where a pattern ends or loops that is played from its beginning, in pattern time.
  static func turn(of pattern: HapticPattern, loops: Bool, loopEnd: Interval?, rate: Double) -> Interval {
    if !loops { return pattern.duration }
    let shortest =
      rate > 1 ? Interval.nanoseconds((Double(shortestLoop.nanoseconds) * rate).rounded(.up)) : shortestLoop
    return max(loopEnd ?? pattern.duration, shortest)
  }

  /// When it will start, loop or end next; nil while paused, or when that will never come.
  var turnInstant: Instant? {
    if isPaused { return nil }
    if !hasStarted { return anchor < .distantFuture ? anchor : nil }
    return instant(of: max(turn, anchorPosition))
  }

  /// Takes its next turn, at `instant`, which is its `turnInstant`; nil when it is over. Of more than a hundred loops
  /// that fit before `horizon` the first go untold, so that no leap of the clock takes long.
  mutating func takeTurn(at instant: Instant, before horizon: Instant) -> HapticPlayerEvent? {
    if !hasStarted {
      hasStarted = true
      entered = instant
      return .started(id, at: instant)
    }
    if !loops { return nil }
    anchor = instant
    anchorPosition = .zero
    iteration += 1
    if let next = turnInstant, next > instant {
      let length = (next - instant).nanoseconds
      let skipped = (horizon - instant).nanoseconds / length - 100
      if skipped > 0 {
        anchor += Interval(nanoseconds: skipped * length)
        iteration += Int(skipped)
      }
    }
    return .looped(id, at: anchor, iteration: iteration)
  }

  mutating func pause(at instant: Instant) {
    settle(at: instant)
    isPaused = true
  }

  mutating func resume(at instant: Instant) {
    if !isPaused { return }
    anchor = hasStarted ? instant : max(anchor, instant)
    if entered == .distantFuture { entered = instant }
    isPaused = false
  }

  mutating func seek(to position: Interval, at instant: Instant) {
    settle(at: instant)
    anchorPosition = max(position, .zero)
    if hasStarted { entered = isPaused ? .distantFuture : instant }
  }

  mutating func change(_ change: HapticPlayerChange, at instant: Instant) {
    switch change {
    case .rate(let new):
      settle(at: instant)
      rate = clampedRate(new)
    case .loops(let new):
      settle(at: instant)
      loops = new
    case .loopEnd(let new):
      settle(at: instant)
      loopEnd = new
    // These say nothing of when, and its place would be rounded anew by each.
    case .gain(let new): gain = unitClamp(new)
    case .ownerGain(let new): ownerGain = unitClamp(new)
    case .muted(let new): isMuted = new
    }
  }

  /// Takes it to nothing in `length`.
  mutating func fadeOut(over length: Interval, at instant: Instant) {
    isLeaving = true
    leaving.insert(
      [HapticParameterCurve.Point(time: .zero, value: 1), HapticParameterCurve.Point(time: length, value: 0)],
      from: instant.nanoseconds)
  }

  /// Nothing of it is felt or heard.
  mutating func keepAway() {
    pattern = .nothing
    loops = false
  }

  /// Counts its place from `instant`, so that what changes now leaves the past as it was.
  private mutating func settle(at instant: Instant) {
    if isPaused || !hasStarted { return }
    anchorPosition = position(at: instant)
    anchor = instant
  }

  mutating func insert(_ curve: HapticParameterCurve, at instant: Instant) {
    switch curve.control {
    case .intensity: intensity.insert(curve.points, from: instant.nanoseconds)
    case .sharpness: sharpness.insert(curve.points, from: instant.nanoseconds)
    case .audioVolume, .audioPan, .audioPitch, .audioBrightness: audioControls.insert(curve, at: instant)
    }
  }

  /// Frees what was said about times before `instant`.
  mutating func forget(before instant: Instant) {
    intensity.forget(before: instant.nanoseconds)
    sharpness.forget(before: instant.nanoseconds)
    audioControls.forget(before: instant)
    driven.forget(before: instant)
    leaving.forget(before: instant.nanoseconds)
  }
}

extension HapticPlayer {
  /// Lays what is felt at `instant` into `blend`. The instant is before the next turn.
  func add(to blend: inout HapticBlend, at instant: Instant) {
    if isPaused || isMuted || !hasStarted { return }
    pattern.add(
      to: &blend, at: position(at: instant), intensity: factor(at: instant),
      sharpness: sharpness.value(at: instant.nanoseconds),
      timesSharpness: driven.sharpness.value(at: instant.nanoseconds))
  }

  /// What its pattern's intensity is multiplied by.
  func factor(at instant: Instant) -> Double {
    gain * ownerGain * intensity.value(at: instant.nanoseconds) * driven.intensity.value(at: instant.nanoseconds)
      * leaving.value(at: instant.nanoseconds)
  }

  /// Each control that changes its level over time besides its pattern.
  func forEachTrack(_ body: (borrowing ControlTrack) -> Void) {
    body(intensity)
    body(sharpness)
    body(driven.intensity)
    body(driven.sharpness)
    body(leaving)
  }

  /// The first instant after `instant` at which its share of the level may be another; nil when only a command or its
  /// next turn will change it. A moving level is asked for every `step`.
  func nextChange(after instant: Instant, step: Interval) -> Instant? {
    if isPaused || isMuted || !hasStarted { return nil }
    let position = position(at: instant)
    var next: Instant?
    var isMoving = false
    if pattern.isSounding(at: position) {
      isMoving = pattern.isMoving(at: position)
      forEachTrack { track in
        next = earliest(next, track.nextBend(after: instant.nanoseconds).map(Instant.init(nanoseconds:)))
        isMoving = isMoving || track.isMoving(at: instant.nanoseconds)
      }
      if isMoving { next = earliest(next, instant + step) }
    }
    if let edge = pattern.nextEdge(after: position, isMoving: isMoving) {
      next = earliest(next, self.instant(of: edge))
    }
    return next
  }
}

private func clampedRate(_ rate: Double) -> Double { rate.isNaN ? 1 : min(max(rate, 1.0 / 16), 16) }
