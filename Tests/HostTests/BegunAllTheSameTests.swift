// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Wire

@testable import Host

/// What the mixer began although it was called off: it was told too late.
@Suite struct BegunAllTheSameTests {
  /// As little is known of its voice as when it was skipped and told so.
  @Test func theEngineHearsOfItAndStopsItWithAFade() throws {
    let rig = try HostRig(records: true)
    rig.step(microseconds: 20_000)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 480)
    defer { samples.deallocate() }
    samples.initialize(repeating: 0.25, count: 2 * 480)
    let source = VoiceSource.resident(ResidentSource(samples: .float(samples), frames: 480, loop: 0..<480))
    let start = VoiceStart(id: VoiceID(rawValue: 1 << 40), source: source, bus: .sound, at: 0)
    let isTaken = rig.host.controller.submit([.start(start)])
    #expect(isTaken)
    rig.step(microseconds: 200_000)
    #expect(rig.host.status().audio.activeVoices == 0)
    let heard = try rig.heard()
    let sounding = heard.indices.filter { heard[$0] != 0 }
    let first = try #require(sounding.first)
    let last = try #require(sounding.last)
    // Begun, and gone within 100 ms: a period until that is known, one until the mixer is reached, and 5 ms of fade.
    #expect(last - first < 4_800, "\(last - first) frames")
    #expect(
      zip(heard[first...last].dropFirst(), heard[(first + 1)...last].dropFirst()).allSatisfy { abs($0 - $1) < 0.01 })
  }
}
