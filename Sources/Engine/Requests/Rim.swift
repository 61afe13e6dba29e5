// SPDX-License-Identifier: Apache-2.0

import Fades
import GamePacks
import Glibc
import Mixing
import Timing
import Wire

/// Where what clients write becomes what the engine means, and back: microseconds to instants and to frames of a fade,
/// names to assets, refusals to errors.
extension Engine {
  /// How far ahead anything may be planned.
  static let farthestPlan = Interval.microseconds(farthestPlanUs)

  /// When something asked for `requestedUs` can be heard or felt, and how late that is; without a request as soon as
  /// possible, rounded up to the microsecond that is told.
  func schedule(
    _ requestedUs: Int64?, earliest: Instant
  ) throws(RPCError) -> (at: Instant, late: Interval) {
    let earliest = earliest.roundedUpToMicrosecond
    guard let requestedUs else { return (earliest, .zero) }
    let requested = Instant(microseconds: requestedUs)
    guard requested - turn.now <= Self.farthestPlan else {
      throw RPCError(
        .invalidParams,
        "\(field: "atUs") \(microseconds: clock.told(requested).microseconds) is more than an hour ahead",
        hint: "instants are of the daemon's clock, which \(method: "clock.now") tells; plan at most an hour ahead")
    }
    return requested >= earliest ? (requested, .zero) : (earliest, earliest - requested)
  }

  /// A fade of what was asked for or counts without; at least the 5 ms that do not click.
  func fade(
    _ lengthUs: Int64?, _ param: OptionalParam<Int64>, curve: FadeCurve
  ) throws(RPCError) -> Fade {
    fade(.microseconds(try param.checked(lengthUs)), curve)
  }

  /// The cross-fade that was asked for; what is left out is as the track's pack says.
  func crossfade(_ params: MusicPlay.Params, into pack: PackGeneration) throws(RPCError) -> CrossFade {
    let ranges = MusicPlay.ranges
    let length = try ranges.crossfade.checked(params.crossfadeUs).map(Interval.microseconds)
    let fadeIn = try ranges.fadeIn.checked(params.fadeInUs).map(Interval.microseconds)
    let fadeOut = try ranges.fadeOut.checked(params.fadeOutUs).map(Interval.microseconds)
    guard length == nil || fadeIn == nil && fadeOut == nil else {
      throw RPCError(
        .invalidParams, "\(field: "crossfadeUs") is both fades at once",
        hint: "give either it, or \(field: "fadeInUs") and \(field: "fadeOutUs")")
    }
    return crossfade(length, in: fadeIn, out: fadeOut, params.fadeCurve, as: pack.manifest.settings)
  }

  /// A cross-fade by one length, or by one for each of its two fades; what is left out is as the settings say.
  func crossfade(
    _ length: Interval? = nil, in fadeIn: Interval? = nil, out fadeOut: Interval? = nil, _ curve: FadeCurve? = nil,
    as settings: PackSettings
  ) -> CrossFade {
    let curve = curve ?? settings.fadeCurve
    let isApart = fadeIn != nil || fadeOut != nil
    return CrossFade(
      fadeIn: fade(fadeIn ?? length ?? settings.crossfade, curve),
      fadeOut: isApart ? fade(fadeOut ?? settings.crossfade, curve) : nil,
      fadesInAlone: fadeIn ?? length ?? .zero > .zero)
  }

  /// The microseconds of a number of frames.
  func microseconds(_ frames: Int64) -> Int64 { Interval.frames(frames, rate: configuration.rate).microseconds }
}

/// Does what a verb does; what it refuses is an error of the socket's.
func asked<Result>(_ verb: () throws(VerbRefusal) -> Result) throws(RPCError) -> Result {
  do throws(VerbRefusal) { return try verb() } catch { throw RPCError(error) }
}

extension RPCError {
  init(_ refusal: VerbRefusal) {
    let kind: Kind =
      switch refusal.kind {
      case .unknownName: .unknownName
      case .unavailable: .unavailable
      case .notRunning: .notRunning
      case .alreadyRunning: .alreadyRunning
      case .busy: .busy
      case .invalid: .invalidParams
      case .tooLate: .tooLate
      case .stampInFuture: .stampInFuture
      case .heldByChapter: .heldByChapter
      case .notPermitted: .notPermitted
      }
    self.init(
      kind, refusal.reason, hint: refusal.remedy, candidates: refusal.candidates.isEmpty ? nil : refusal.candidates)
  }
}

/// The linear gain of decibels: 10^(dB/20).
func decibelGain(_ decibels: Double) -> Double { pow(10, decibels / 20) }

extension Timeline {
  /// As clients read it; the bound is rounded up.
  public init(_ timeline: AudioTimeline) {
    self.init(
      frame: timeline.frame, instantUs: timeline.instant.microseconds,
      framesPerSecond: 1e9 / timeline.nanosecondsPerFrame,
      errorUs: (timeline.errorBound + Interval(nanoseconds: 999)).microseconds)
  }
}
