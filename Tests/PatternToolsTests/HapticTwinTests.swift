// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import PatternTools
import Testing
import Timing

/// Sounds turned into patterns.
@Suite struct HapticTwinTests {
  private let rate = 16_000

  private func sound(_ seconds: Double, _ sample: (Double) -> Double) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { Float(sample(Double($0) / Double(rate))) }
  }

  private func sine(_ hertz: Double, _ time: Double) -> Double { sin(2 * .pi * hertz * time) }

  @Test func silenceHasNoTwin() {
    #expect(HapticTwin.document(of: [], rate: rate).events.isEmpty)
    #expect(HapticTwin.document(of: sound(1) { _ in 0 }, rate: rate).events.isEmpty)
    #expect(HapticTwin.document(of: [.nan, .infinity], rate: rate).events.isEmpty)
  }

  @Test func aToneIsFeltAsLongAsItIsHeardAndStartsWithATap() {
    let tone = sound(2) { $0 >= 0.5 && $0 < 1.5 ? 0.2 * sine(1_000, $0) : 0 }
    let document = HapticTwin.document(of: tone, rate: rate)
    let continuous = document.events.filter { $0.type == .continuous }
    #expect(continuous.map(\.time) == [0.5])
    #expect(abs((continuous.first?.duration ?? 0) - 1) < 0.011)
    let taps = document.events.filter { $0.type == .transient }.map(\.time)
    #expect(taps.count == 1 && abs(taps[0] - 0.5) < 0.001)
    // However soft, the loudest is full intensity.
    let pattern = HapticPattern(document)
    #expect(pattern.level(at: .milliseconds(1_000)).intensity > 0.97)
    #expect(pattern.level(at: .milliseconds(400)).intensity == 0)
    // log(1000/100) / log(6000/100) = 0.562.
    #expect(abs(pattern.level(at: .milliseconds(1_000)).sharpness - 0.562) < 0.04)
  }

  @Test func intensityFollowsLoudness() {
    // A tenth of the amplitude in the second half: 0.1 to the 0.6th, 0.251.
    let tone = sound(2) { ($0 < 1 ? 0.8 : 0.08) * sine(400, $0) }
    let pattern = HapticPattern(HapticTwin.document(of: tone, rate: rate))
    #expect(abs(pattern.level(at: .milliseconds(500)).intensity - 1) < 0.04)
    #expect(abs(pattern.level(at: .milliseconds(1_500)).intensity - 0.251) < 0.04)
  }

  @Test func brighterIsSharper() {
    func sharpness(_ hertz: Double) -> Float {
      let tone = sound(0.5) { 0.5 * sine(hertz, $0) }
      return HapticPattern(HapticTwin.document(of: tone, rate: rate)).level(at: .milliseconds(300)).sharpness
    }
    #expect(sharpness(60) < 0.1)
    #expect(sharpness(200) < sharpness(800) && sharpness(800) < sharpness(3_000))
    #expect(sharpness(7_000) == 1)
  }

  @Test func aTapIsAsSharpAsItsSound() {
    // log(200/100) / log(6000/100) = 0.169 and log(3000/100) / log(60) = 0.831; the taps lie on the rumble and are led by the same curve.
    for (hertz, sharpness) in [(200.0, Float(0.169)), (3_000, 0.831)] {
      let tone = sound(1) { $0 >= 0.5 ? 0.5 * sine(hertz, $0) : 0 }
      let document = HapticTwin.document(of: tone, rate: rate)
      let taps = AHAPDocument(events: document.events.filter { $0.type == .transient }, controls: document.controls)
      let time = taps.events.first?.time ?? 0
      #expect(abs(HapticPattern(taps).level(at: .seconds(time + 0.015)).sharpness - sharpness) < 0.06)
    }
  }

  @Test func hitsAreFoundWhereTheyAre() {
    // Bursts of 40 ms that die away, at times that are no multiple of 10 ms.
    let times = [0.1037, 0.4561, 0.7213]
    let hits = sound(1) { now in
      times.reduce(0) { sum, at in now >= at ? sum + exp(-(now - at) * 60) * sine(600, now - at + 0.0004) : sum }
    }
    let taps = HapticTwin.document(of: hits, rate: rate).events.filter { $0.type == .transient }.map(\.time)
    #expect(taps.count == 3)
    for (found, expected) in zip(taps, times) { #expect(abs(found - expected) < 0.001) }
  }

  @Test func whatIsWrittenIsWhatAppleTakes() throws {
    let long = sound(70) { 0.5 * sine(300, $0) * (0.55 + 0.45 * sine(1.3, $0)) }
    let document = HapticTwin.document(of: long, rate: rate)
    #expect(document.events.allSatisfy { ($0.duration ?? 0) <= 30 })
    #expect(document.controls.allSatisfy { (1...16).contains($0.points.count) })
    let (again, diagnostics) = try AHAPDocument.parse(Array(document.text().utf8), name: "twin")
    #expect(again.events.count == document.events.count)
    #expect(diagnostics.isEmpty)
  }
}
