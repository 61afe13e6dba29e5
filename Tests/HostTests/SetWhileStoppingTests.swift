// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// A sound that is set while a stop fades it: heard as answered, and over when the stop says so.
@Suite struct SetWhileStoppingTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "sounds": {"long": {"file": "main.wav"}}}
    """

  private func rig() throws -> HostRig { try HostRig(manifest: Self.manifest, files: ["main"], records: true) }

  @Test func theGainAndTheFadeAreTwoFactors() throws {
    let rig = try rig()
    _ = rig.ask("sound.play", #"{"sound":"long","loop":true}"#)
    _ = rig.ask("sound.stop", #"{"id":1,"fadeUs":800000,"atUs":1100000}"#)
    let set: SoundSet.Result = try rig.result("sound.set", #"{"id":1,"gain":0.5,"fadeUs":100000,"atUs":1200000}"#)
    #expect(set.scheduledUs == 1_200_000)
    _ = rig.ask("sound.set", #"{"id":1,"gain":0,"atUs":1500000}"#)
    rig.step(microseconds: 1_500_000)
    let ends = try rig.told(SoundFinished.self).map(\.tUs)
    #expect(ends == [1_900_000])
    let heard = try rig.heard()
    // A quarter is recorded; at 1.4 s five eighths of it are left and a half is its gain.
    let wanted: [(frame: Int, heard: Float)] = [
      (9_600, 0.25 * 0.875), (19_200, 0.125 * 0.625), (24_240, 0), (43_000, 0), (60_000, 0),
    ]
    for one in wanted { #expect(abs(heard[one.frame] - one.heard) < 1e-4, "frame \(one.frame)") }
  }

  @Test func aRampThatIsUnderWayGoesOnBelowTheFade() throws {
    let rig = try rig()
    _ = rig.ask("sound.play", #"{"sound":"long","loop":true}"#)
    _ = rig.ask("sound.set", #"{"id":1,"gain":0,"fadeUs":200000,"atUs":1100000}"#)
    _ = rig.ask("sound.stop", #"{"fadeUs":800000,"atUs":1200000}"#)
    rig.step(microseconds: 1_500_000)
    let heard = try rig.heard()
    #expect(abs(heard[9_600] - 0.125) < 1e-3 && abs(heard[12_000] - 0.0625 * 0.9375) < 1e-3)
    #expect(heard[14_400...].allSatisfy { $0 == 0 })
  }
}
