// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Host
import Testing
import Wire

/// Verbs that come before tracks that were made ready already have these begin anew, each by another stream.
@Suite struct ReorderedStartsTests {
  /// Within one period: eight tracks to begin `ahead` of now, then a dozen changes before all of them.
  private func reorder(_ rig: HostRig, ahead: Int64) -> [String] {
    let now = rig.host.now.microseconds
    var answers: [String] = []
    for index in 0..<8 as Range<Int64> {
      let track = index % 2 == 0 ? "main" : "finale"
      answers.append(rig.ask("music.play", #"{"track":"\#(track)","atUs":\#(now + ahead + index * 100)}"#))
    }
    for index in 0..<12 as Range<Int64> {
      answers.append(
        rig.ask("music.gain", #"{"gain":0.5,"atUs":\#(now + ahead - 100 - index)}"#, client: UInt64(1 + index % 3)))
    }
    return answers
  }

  private func play() throws -> HostRig {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    _ = rig.host.takeNotifications()
    return rig
  }

  @Test(arguments: [15_000, 30_000, 60_000, 90_000] as [Int64])
  func whatIsTakenHappensAndWhatIsNotIsRefusedForWhatItIs(ahead: Int64) throws {
    let rig = try play()
    let answers = reorder(rig, ahead: ahead)
    let plans = answers.filter { $0.contains(#""plan":"#) }
    #expect(answers.allSatisfy { $0.contains(#""plan":"#) || $0.contains(#""kind":"busy""#) }, "\(answers)")
    // What is far enough ahead waits for streams, and nothing of it is refused.
    if ahead >= 60_000 { #expect(plans.count == 20, "\(answers)") }
    rig.step(microseconds: 3_000_000)
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    #expect(!told.contains { $0.contains("music.cancelled") || $0.contains("engine.problem") }, "\(told)")
    #expect(rig.host.status().problems.isEmpty, "\(rig.host.status().problems)")
    #expect(told.count { $0.contains("crossfaded") } == 8)
    #expect(rig.host.status().music.track == "game:finale")
  }
}
