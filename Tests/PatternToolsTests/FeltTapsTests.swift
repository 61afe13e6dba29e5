// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Timing

@testable import PatternTools

@Suite struct FeltTapsTests {
  /// Taps 700 us apart over swelling and fading events, and a curve that leads them all.
  private func pattern(taps: Int) throws -> HapticPattern {
    let length = Double(taps) * 0.0007
    var entries = (0..<taps).map { n in
      """
      {"Event": {"Time": \(Double(n) * 0.0007), "EventType": "HapticTransient", "EventParameters": [
        {"ParameterID": "HapticIntensity", "ParameterValue": \(Double((n * 7) % 11) / 10)}]}}
      """
    }
    for n in 0..<8 {
      entries.append(
        """
        {"Event": {"Time": \(Double(n) * length / 9), "EventType": "HapticContinuous", "EventDuration": \(length / 7),
         "EventParameters": [{"ParameterID": "AttackTime", "ParameterValue": \(length / 20)},
                             {"ParameterID": "ReleaseTime", "ParameterValue": \(length / 15)}]}}
        """)
    }
    let points = (0..<9).map { #"{"Time": \#(Double($0) * length / 8), "ParameterValue": \#(Double($0 % 3) / 2)}"# }
    entries.append(
      """
      {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": 0,
       "ParameterCurveControlPoints": [\(points.joined(separator: ","))]}}
      """)
    let text = #"{"Pattern": [\#(entries.joined(separator: ","))]}"#
    return HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "x").document)
  }

  @Test func eachTapIsAsStrongAsAnythingWhileItLasts() throws {
    let pattern = try pattern(taps: 300)
    var felt = FeltTaps(pattern)
    for tap in pattern.transients {
      let level = felt.strongest(of: tap.time)
      let slowly = pattern.highest(from: tap.time, to: tap.time + HapticPattern.transientBody)
      #expect(level.intensity == slowly.intensity, "at \(tap.time)")
    }
  }

  @Test func whatChangesIsLookedAtOnce() throws {
    func looks(_ taps: Int) throws -> Int {
      let pattern = try pattern(taps: taps)
      var felt = FeltTaps(pattern)
      for tap in pattern.transients { _ = felt.strongest(of: tap.time) }
      return felt.looks
    }
    #expect(try looks(2_000) < 5 * looks(500))
  }
}
