// SPDX-License-Identifier: Apache-2.0

import Haptics
import SeededNumbers
import Testing
import Timing

/// Patterns of taps and vibrations whose player is sent parameters while it plays.
@Suite struct RandomControlTests {
  private static let player = HapticPlayerID(rawValue: 1)

  private struct Event {
    var atMs: Int64
    var isTap: Bool
    var intensity: Double
    var sharpness: Double

    var text: String {
      let kind = isTap ? #""EventType":"HapticTransient""# : #""EventType":"HapticContinuous","EventDuration":0.03"#
      return #"{"Event":{"Time":\#(Double(atMs) / 1_000),\#(kind),"EventParameters":["#
        + #"{"ParameterID":"HapticIntensity","ParameterValue":\#(intensity)},"#
        + #"{"ParameterID":"HapticSharpness","ParameterValue":\#(sharpness)}]}}"#
    }
  }

  @Test func whatAPlayerIsSentActsOnTapsAsOnVibrations() throws {
    try search(upTo: 60) { random in
      // One at a time, so that what is felt at the beginning of each is that one.
      let events = (0..<8 as Range<Int64>).map { place in
        Event(
          atMs: place * 100, isTap: !random.oneIn(3), intensity: Double(random.integer(1...10)) / 10,
          sharpness: Double(random.integer(0...10)) / 10)
      }
      let felt = pattern(#"{"Version":1,"Pattern":[\#(events.map(\.text).joined(separator: ","))]}"#)
      var mixer = HapticMixer(now: .ms(500))
      mixer.apply(.start(Self.player, felt, source: "random", at: .ms(1_000), options: HapticPlayOptions()))
      var sent: [(at: Instant, control: HapticControl, value: Double)] = []
      for _ in 0..<random.next(below: 8) {
        // At the beginning of one, a nanosecond beside it, or anywhere.
        let at =
          random.oneIn(2)
          ? .ms(1_000 + random.integer(0...7) * 100) + Interval(nanoseconds: random.integer(-1...1))
          : Instant(nanoseconds: random.integer(900_000_000...1_800_000_000))
        let control = random.pick([HapticControl.intensity, .sharpness])
        let value = Double(random.integer(control == .sharpness ? -10...10 : 0...10)) / 10
        mixer.apply(.sendParameters(Self.player, [HapticParameter(control, value)], at: at))
        sent.append((at, control, value))
      }
      for event in events {
        let at = Instant.ms(1_000 + event.atMs)
        // Of several for one instant the one sent last stands.
        func value(_ control: HapticControl, without neutral: Double) -> Double {
          let meant = sent.enumerated().filter { $0.element.control == control && $0.element.at <= at }
          return meant.max { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }?.element.value ?? neutral
        }
        _ = mixer.advance(to: at)
        let intensity = event.intensity * value(.intensity, without: 1)
        let sharpness = intensity > 0 ? min(max(event.sharpness + value(.sharpness, without: 0), 0), 1) : 0
        let level = mixer.level(at: at)
        try hold(
          isClose(level, Float(intensity), Float(sharpness)),
          "\(event) is felt as \(level), not as \(intensity), \(sharpness), and was sent \(sent)")
      }
    }
  }
}
