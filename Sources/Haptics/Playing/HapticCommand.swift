// SPDX-License-Identifier: Apache-2.0

import Timing

/// Names one player for its life; given out by whoever starts players, never used again.
public struct HapticPlayerID: Hashable, Sendable, BitwiseCopyable {
  /// The number itself, as clients know the player.
  public var rawValue: UInt64

  /// The player of that number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// How a player plays its pattern.
public struct HapticPlayOptions: Hashable, Sendable {
  /// Whether it begins again at its end.
  public var loops: Bool
  /// Where a looping player goes back, from the pattern's start; nil at the pattern's end. At least 10 ms is used.
  public var loopEnd: Interval?
  /// Pattern time per time, 1/16...16, clamped.
  public var rate: Double
  /// Times every intensity, 0...1, clamped: a player is never stronger than its pattern.
  public var gain: Double
  /// Times every intensity besides `gain`, 0...1, clamped: of whoever it plays for.
  public var ownerGain: Double
  /// Whether it starts unheard; its time passes all the same.
  public var isMuted: Bool
  /// Those that it is driven with; nil where nobody drives it.
  public var family: HapticFamilyID?
  /// Where in the pattern it starts.
  public var offset: Interval
  /// The player that ends when it begins; where it never begins that one goes on.
  public var replaced: HapticPlayerID?

  /// Once, as written, from the start, unless told otherwise.
  public init(
    loops: Bool = false, loopEnd: Interval? = nil, rate: Double = 1, gain: Double = 1, ownerGain: Double = 1,
    isMuted: Bool = false, offset: Interval = .zero, family: HapticFamilyID? = nil, replaced: HapticPlayerID? = nil
  ) {
    self.loops = loops
    self.loopEnd = loopEnd
    self.rate = rate
    self.gain = gain
    self.ownerGain = ownerGain
    self.isMuted = isMuted
    self.offset = offset
    self.family = family
    self.replaced = replaced
  }

  /// How long a whole pass of a pattern takes by the clock, from its beginning to where it ends or loops.
  public func pass(of pattern: HapticPattern) -> Interval {
    let turn = HapticPlayer.turn(of: pattern, loops: loops, loopEnd: loopEnd, rate: rate)
    return .seconds(turn.seconds / rate)
  }

  /// How long after its beginning the first of a pattern is felt, by the clock; zero where nothing of it is.
  public func silence(of pattern: HapticPattern) -> Interval {
    if pattern.level(at: offset).intensity > 0 { return .zero }
    guard let first = pattern.nextChange(after: offset) else { return .zero }
    return .seconds((first - offset).seconds / rate)
  }
}

/// One property of a running player, to be changed.
public enum HapticPlayerChange: Hashable, Sendable {
  /// Pattern time per time, 1/16...16, clamped.
  case rate(Double)
  /// Times every intensity, 0...1, clamped.
  case gain(Double)
  /// Times every intensity besides `gain`, 0...1, clamped.
  case ownerGain(Double)
  /// Whether nothing is felt while its time passes.
  case muted(Bool)
  /// Whether it begins again at its end.
  case loops(Bool)
  /// Nil is the pattern's end.
  case loopEnd(Interval?)
}

/// What a mixer of players is told. An instant in the past means now, but for `start`, which then enters in place: the
/// part of the pattern whose time has passed is not played. A command for a player that is not there does nothing.
public enum HapticCommand: Sendable {
  /// Plays `pattern` from `at`. `source` names it in logs. A player of the same id is replaced.
  case start(HapticPlayerID, HapticPattern, source: String, at: Instant, options: HapticPlayOptions)
  /// Ends the player.
  case stop(HapticPlayerID, at: Instant)
  /// Takes all that is felt of the player to nothing in a straight line of this length, whatever else it is told; nothing of it
  /// begins to sound meanwhile. It does not end by that.
  case fadeOut(HapticPlayerID, over: Interval, at: Instant)
  /// Ends every player that there is then.
  case stopAll(at: Instant)
  /// Silences the player and holds its place.
  case pause(HapticPlayerID, at: Instant)
  /// Goes on from where it was paused.
  case resume(HapticPlayerID, at: Instant)
  /// Goes to `to` from the pattern's start. Continuous events begun before are entered in their middle.
  case seek(HapticPlayerID, to: Interval, at: Instant)
  /// Changes one property; its place in the pattern stays.
  case set(HapticPlayerID, HapticPlayerChange, at: Instant)
  /// Sets controls of the player. They act on top of those in its pattern: intensities multiply, sharpnesses add.
  case sendParameters(HapticPlayerID, [HapticParameter], at: Instant)
  /// Drives a control of the player along a curve whose point times count from `at`, in clock time.
  case scheduleCurve(HapticPlayerID, HapticParameterCurve, at: Instant)
  /// The player's switch: while it is off players whose instant comes are skipped, and what loops ends at its turn. What
  /// plays plays on.
  case enable(Bool, at: Instant)
  /// Drives a value of a family, of those that play and those that will, through points whose times count from `from`; what was
  /// said of that time and later is forgotten. Taken in at once, whenever it is to happen.
  case drive(HapticFamilyID, HapticDrivenValue, [HapticParameterCurve.Point], from: Instant)
  /// Times everything, 0...1, at once, on top of `gain`: the player's own setting. At 0 time passes all the same.
  case volume(Double)
  /// Times everything, 0...1, at once.
  case gain(Double)
}

extension HapticCommand {
  /// The player it is for; nil for what concerns all.
  public var player: HapticPlayerID? {
    switch self {
    case .start(let id, _, _, _, _), .stop(let id, _), .fadeOut(let id, _, _), .pause(let id, _), .resume(let id, _),
      .seek(let id, _, _), .set(let id, _, _), .sendParameters(let id, _, _), .scheduleCurve(let id, _, _):
      id
    case .stopAll, .enable, .drive, .volume, .gain: nil
    }
  }

  /// When it is to happen; nil is at once.
  public var instant: Instant? {
    switch self {
    case .start(_, _, _, let at, _), .stop(_, let at), .fadeOut(_, _, let at), .stopAll(let at), .pause(_, let at),
      .resume(_, let at), .seek(_, _, let at), .set(_, _, let at), .sendParameters(_, _, let at),
      .scheduleCurve(_, _, let at),
      .enable(_, let at):
      at
    case .drive, .volume, .gain: nil
    }
  }
}

extension HapticCommand {
  /// How many edges of patterns and points of curves it holds on to: what it takes in memory beyond a little.
  package var pieces: Int {
    switch self {
    case .start(_, let pattern, _, _, _): pattern.feltEdges.count
    case .sendParameters(_, let parameters, _): parameters.count
    case .scheduleCurve(_, let curve, _): curve.points.count
    case .drive(_, _, let points, _): points.count
    case .stop, .fadeOut, .stopAll, .pause, .resume, .seek, .set, .enable, .volume, .gain: 0
    }
  }
}

extension HapticCommand {
  /// Whether it may change what is heard.
  public var concernsSounds: Bool {
    switch self {
    case .start, .stop, .fadeOut, .stopAll, .pause, .resume, .seek: true
    case .set(_, .gain, _), .set(_, .ownerGain, _), .enable, .drive, .volume, .gain: false
    case .set: true
    case .sendParameters(_, let parameters, _): parameters.contains { $0.control.isHeard }
    case .scheduleCurve(_, let curve, _): curve.control.isHeard
    }
  }
}

extension HapticCommand {
  /// Whether it only changes how a player sounds and feels from then on, not where it is.
  public var isControl: Bool {
    switch self {
    case .set, .sendParameters, .scheduleCurve: true
    default: false
    }
  }
}

/// What happened to a player, at its exact instant.
public enum HapticPlayerEvent: Hashable, Sendable {
  /// It began to play.
  case started(HapticPlayerID, at: Instant)
  /// It began again for the `iteration`th time, 1 for the first.
  case looped(HapticPlayerID, at: Instant, iteration: Int)
  /// Its pattern came to its end.
  case finished(HapticPlayerID, at: Instant)
  /// It was stopped, or replaced by another of its id.
  case stopped(HapticPlayerID, at: Instant)
  /// It ended because another began that was to replace it.
  case replaced(HapticPlayerID, at: Instant)
  /// It was stopped or replaced before it began.
  case cancelled(HapticPlayerID, at: Instant)
  /// Its instant came while the switch was off.
  case skipped(HapticPlayerID, at: Instant)

  /// The player it happened to.
  public var player: HapticPlayerID {
    switch self {
    case .started(let id, _), .looped(let id, _, _), .finished(let id, _), .stopped(let id, _), .replaced(let id, _),
      .cancelled(let id, _), .skipped(let id, _):
      id
    }
  }

  /// When it happened.
  public var instant: Instant {
    switch self {
    case .started(_, let at), .looped(_, let at, _), .finished(_, let at), .stopped(_, let at), .replaced(_, let at),
      .cancelled(_, let at), .skipped(_, let at):
      at
    }
  }
}
