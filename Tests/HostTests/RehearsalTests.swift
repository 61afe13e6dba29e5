// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Host

@Suite("The rehearsal before the first client") struct RehearsalTests {
  @Test("serves each of its lines, so that each kind was done once") func isGranted() throws {
    let rig = try HostRig(manifest: Self.manifest) { directory in
      try Self.pattern.write(toFile: directory + "/tap.ahap", atomically: true, encoding: .utf8)
      try Self.beats.write(toFile: directory + "/song.json", atomically: true, encoding: .utf8)
    }
    let replies = try Self.rehearse(rig)
    for reply in replies { #expect(reply.contains("\"result\""), "\(reply)") }
    #expect(replies.count == 15)
  }

  @Test("asks for nothing that a pack does not have") func asksForWhatIsThere() throws {
    let rig = try HostRig(
      manifest: #"{"name":"bare","title":"B","version":"1","sounds":{"click":{"file":"sfx_click.wav"}}}"#)
    let replies = try Self.rehearse(rig)
    for reply in replies { #expect(reply.contains("\"result\""), "\(reply)") }
  }

  /// The replies to what is rehearsed with the rig's pack.
  private static func rehearse(_ rig: HostRig) throws -> [String] {
    // Its files go with the rig.
    try withExtendedLifetime(rig) {
      let (catalog, bank) = try PackLoader(rate: 48_000).load(.init(named: [rig.directory]), active: nil)
      let loaded = try #require(bank.active(of: catalog))
      let replies = Rehearsal(loaded, rate: 48_000)?.run()
      return try #require(replies).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static let manifest = """
    {"name":"game","title":"T","version":"1","tracks":{"main":{"file":"main.wav"}},"sounds":{"click":{"file":"sfx_click.wav"}},
    "patterns":{"tap":{"file":"tap.ahap"}},"cues":{"hit":{"steps":[{"sound":"click"},{"pattern":"tap"}]}},
    "chapters":{"song":{"title":"S","track":"main","length":2,"window":0.1,"spawnLead":0.5,"lanes":["left"],"beats":"song.json"}}}
    """
  private static let beats = "{\"beats\":[{\"at\":1,\"lane\":\"left\"}]}"
  private static let pattern = """
    {"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[]}}]}
    """
}
