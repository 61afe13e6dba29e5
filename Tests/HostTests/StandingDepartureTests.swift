// SPDX-License-Identifier: Apache-2.0

import Host
import Testing
import Wire

/// Who leaves while the engine stands: it is told as if all went on at `atUs` at once, and not a microsecond before.
@Suite struct StandingDepartureTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}},
     "sounds": {}, "chapters": {"one": {"track": "main", "title": "One", "length": 2.5, "spawnLead": 0.5,
                                        "beats": [{"at": 1}, {"at": 1.5}]}}}
    """

  /// A rig in which the first client has asked for something, and the second pauses the engine; from when on it stands.
  private func rig(_ method: String, _ params: String) throws -> (rig: HostRig, atUs: Int64) {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    rig.host.topics = Set(Topic.allCases)
    let answer = rig.ask(method, params)
    #expect(answer.contains("result"), "\(answer)")
    rig.step(microseconds: 100_000)
    let atUs = try HostRig.result(rig.ask("engine.pause", client: 2), PauseState.self).atUs
    rig.step(microseconds: 333_333)
    _ = rig.host.takeNotifications()
    return (rig, atUs)
  }

  private func lines(_ rig: HostRig, _ name: String) -> [String] {
    rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
      .filter { $0.contains("\"method\":\"\(name)\"") }
  }

  @Test func aPlayerThatIsCalledOffIsToldForTheInstantOfThePause() throws {
    let (rig, atUs) = try rig("haptics.transient", #"{"atUs":5000000}"#)
    rig.host.clientLeft(.init(rawValue: 1))
    rig.step(microseconds: 1)
    let told = lines(rig, "haptics.changed")
    #expect(told.count == 1 && told[0].contains(#""tUs":\#(atUs),"#), "\(told), not \(atUs)")
  }

  @Test func whatIsKeptEndsThatLongAfterThePause() throws {
    let (rig, atUs) = try rig("haptics.continuous", #"{"durationUs":30000000,"keepAfterDisconnectUs":2000000}"#)
    _ = rig.ask("haptics.set", #"{"player":1,"loop":true}"#, client: 2)
    rig.host.clientLeft(.init(rawValue: 1))
    let resumed = try HostRig.result(rig.ask("engine.resume", client: 2), EngineResume.Result.self)
    rig.step(microseconds: 3_000_000)
    let endUs = atUs + 2_050_000 + (resumed.movedUs ?? 0)
    let told = lines(rig, "haptics.changed").filter { $0.contains("stopped") }
    #expect(told.count == 1 && told[0].contains(#""tUs":\#(endUs),"#), "\(told), not \(endUs)")
  }

  @Test func aLeaseBeginsWithTheInstantOfThePause() throws {
    let (rig, atUs) = try rig("rhythm.start", #"{"chapter":"one","leaseUs":2000000}"#)
    rig.host.clientLeft(.init(rawValue: 1))
    let told = lines(rig, "rhythm.changed")
    #expect(told.count == 1 && told[0].contains(#""leaseEndsUs":\#(atUs + 2_000_000)"#), "\(told), not from \(atUs)")
  }
}
