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
/// How long anything that is felt goes on after its client has gone, in microseconds: what was asked to be kept, and what ends
/// by itself.
public let longestKeptUs: Int64 = 30_000_000
let keepAfterDisconnectParam = OptionalParam<Int64>(
  "keepAfterDisconnectUs", in: 0...longestKeptUs, default: 0,
  hint: "what a client asked for is kept for at most \(longestKeptUs / 1_000_000) s after it has gone")

/// What is known of a fade that is by default the shortest that does not click.
public struct DeclickingFade: Sendable {
  /// Its length.
  public let fade = OptionalParam("fadeUs", in: fadeLengths, default: 5_000, hint: fadeHint)
}
