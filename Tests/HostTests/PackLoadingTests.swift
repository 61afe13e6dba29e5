import Host
import Testing
import Wire

@Suite struct PackLoadingTests {
  @Test func aMissingFileIsAProblemOfItsPackAndTheRestPlays() throws {
    let rig = try HostRig(files: ["main", "sfx_click"])
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains("scheduledUs"))
    let refused = rig.ask("music.play", #"{"track":"finale"}"#)
    #expect(refused.contains(#""kind":"unavailable""#))
    #expect(refused.contains("finale.wav"))
    #expect(rig.host.status().problems.count == 1)
    #expect(rig.ask("pack.list").contains(#""available":false"#))
  }

  @Test func aManifestThatCannotBeReadIsLeftOutNamingFileAndPlace() throws {
    let rig = try HostRig(
      manifest: #"{"name": "game", "title": "Game", "version": "1", "sounds": {"a": {"fiel": "x"}}}"#)
    let problem = try #require(rig.host.status().problems.first)
    #expect(problem.contains("pack.json: sounds.a"))
    #expect(problem.contains("left out"))
    #expect(rig.ask("pack.list").contains(#""packs":[]"#))
  }

  @Test func anUnknownActivePackNamesThoseFound() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.activePack = "nonesuch"
    #expect(throws: HostError.self) { try Host(configuration) }
  }

  @Test func foldersWithoutAPackAreNamedWithWhatToDo() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = ["/nonexistent/one", "/nonexistent/two"]
    #expect(
      try Host(configuration).status().problems == [
        "no game pack is in /nonexistent/one, /nonexistent/two: name with --packs a pack's folder, which has a pack.json "
          + "(docs/packs.md), or a folder of such"
      ])
  }

  @Test func withoutAnyPackTheHostRunsAndSaysSo() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    let host = try Host(configuration)
    #expect(host.summary.contains("no packs"))
    #expect(host.status().problems.isEmpty)
  }
}
