// SPDX-License-Identifier: Apache-2.0

/// Linear gain of music and sounds on top of the pack's; 4 is 12 dB.
public let linearGains = 0...4.0
/// Playback rates of haptic players.
public let hapticRates = 0.1...10.0
/// Lengths of fades in microseconds: a minute at most. What is shorter than the 5 ms that do not click lasts 5 ms.
public let fadeLengths: ClosedRange<Int64> = 0...60_000_000
/// How far ahead of now something may be planned: an hour, in microseconds.
public let farthestPlanUs: Int64 = 3_600_000_000

let fadeHint = "fades last at most a minute"
/// No place in a pattern and no point of a curve is further than an hour.
let patternTimes: ClosedRange<Int64> = 0...3_600_000_000
let patternTimeHint = "give microseconds from the start"
let keepAfterDisconnectParam = OptionalParam<Int64>(
  "keepAfterDisconnectUs", in: 0...30_000_000, default: 0,
  hint: "a pattern is kept for at most 30 s after its client has gone")

/// What is known of a fade that is by default the shortest that does not click.
public struct DeclickingFade: Sendable {
  /// Its length.
  public let fade = OptionalParam("fadeUs", in: fadeLengths, default: 5_000, hint: fadeHint)
}
