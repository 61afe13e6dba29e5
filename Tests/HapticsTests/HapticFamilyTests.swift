// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Haptics

/// Players that are driven together.
@Suite struct HapticFamilyTests {
  private let family = HapticFamilyID(rawValue: 3)

  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1_000) }

  private func points(_ points: (Int64, Double)...) -> [HapticParameterCurve.Point] {
    points.map { .init(time: .milliseconds($0.0), value: $0.1) }
  }

  private func start(_ mixer: inout HapticMixer, _ id: UInt64, at instant: Instant, family: HapticFamilyID?) {
    mixer.apply(
      .start(
        HapticPlayerID(rawValue: id), .continuous(intensity: 0.8, sharpness: 0.5, duration: .seconds(10)), source: "x",
        at: instant, options: HapticPlayOptions(family: family)))
  }

  @Test func itsFactorsActOnAllElseOfThoseThatPlayAndWill() {
    var mixer = HapticMixer(now: at(0))
    start(&mixer, 1, at: at(0), family: family)
    mixer.apply(.drive(family, .intensity, points((0, 1), (100, 0.5)), from: at(100)))
    mixer.apply(.drive(family, .sharpness, points((0, 0.5)), from: at(300)))
    #expect(mixer.level(at: at(50)) == HapticLevel(intensity: 0.8, sharpness: 0.5))
    #expect(abs(mixer.level(at: at(150)).intensity - 0.6) < 1e-6)
    #expect(mixer.level(at: at(300)) == HapticLevel(intensity: 0.4, sharpness: 0.25))
    _ = mixer.advance(to: at(400))
    mixer.apply(.sendParameters(HapticPlayerID(rawValue: 1), [HapticParameter(.intensity, 0.5)], at: at(400)))
    #expect(abs(mixer.level(at: at(400)).intensity - 0.2) < 1e-6)
    mixer.apply(.stop(HapticPlayerID(rawValue: 1), at: at(500)))
    start(&mixer, 2, at: at(600), family: family)
    #expect(mixer.level(at: at(700)) == HapticLevel(intensity: 0.4, sharpness: 0.25))
    mixer.apply(.stop(HapticPlayerID(rawValue: 2), at: at(800)))
    start(&mixer, 3, at: at(900), family: nil)
    start(&mixer, 4, at: at(900), family: HapticFamilyID(rawValue: 4))
    mixer.apply(.stop(HapticPlayerID(rawValue: 4), at: at(950)))
    #expect(mixer.level(at: at(960)) == HapticLevel(intensity: 0.8, sharpness: 0.5))
  }

  @Test func whatWasSaidOfLaterIsForgotten() {
    var mixer = HapticMixer(now: at(0))
    start(&mixer, 1, at: at(0), family: family)
    mixer.apply(.drive(family, .intensity, points((0, 1), (100, 0)), from: at(100)))
    mixer.apply(.drive(family, .intensity, points((0, 0.5), (10, 1)), from: at(150)))
    #expect(abs(mixer.level(at: at(149)).intensity - 0.8 * 0.51) < 1e-5)
    #expect(mixer.level(at: at(170)).intensity == 0.8)
    #expect(mixer.level(at: at(500)).intensity == 0.8)
  }

  @Test func whereItMovesTheLevelIsLookedAt() {
    var mixer = HapticMixer(now: at(0))
    start(&mixer, 1, at: at(0), family: family)
    _ = mixer.advance(to: at(10))
    mixer.apply(.drive(family, .intensity, points((0, 1), (100, 0)), from: at(100)))
    #expect(mixer.nextChange(after: at(10)) == at(100))
    #expect(mixer.nextChange(after: at(100)).map { $0 <= at(120) } == true)
    #expect(mixer.nextChange(after: at(201)) == at(10_000))
    var looks = mixer
    var seen: [Instant] = []
    looks.look(from: at(10), to: at(300), most: 100) { at, _ in seen.append(at) }
    #expect(seen.contains(at(100)) && seen.contains(at(200)))
  }
}
