// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing

@Suite struct PackFoldersTests {
  private let usual = [
    "/home/u/.local/share/starlight/packs", "/opt/starlight/share/starlight/packs", "/usr/local/share/starlight/packs",
    "/usr/share/starlight/packs",
  ]

  private func folders(
    _ chosen: String? = nil, namedAlone: Bool = false, _ environment: [String: String] = [:]
  ) -> PackFolders {
    PackFolders(
      chosen: chosen, namedAlone: namedAlone, environment: environment.merging(["HOME": "/home/u"]) { own, _ in own },
      executable: "/opt/starlight/bin/starlightd", workingFolder: "/home/u/games")
  }

  /// What is told of them is pasted elsewhere.
  @Test func foldersAreNamedSoThatTheyMeanTheSameFromEverywhere() {
    #expect(
      folders("lighthouse:./b/:/c:.").named == ["/home/u/games/lighthouse", "/home/u/games/b", "/c", "/home/u/games"])
    #expect(folders(nil, ["STARLIGHT_PACKS": "../packs"]).named == ["/home/u/games/../packs"])
    #expect(PackFolders.absolute("a", from: "/") == "/a")
  }

  @Test func theUsersOwnGoBeforeThoseBesideTheProgramAndTheSystems() {
    #expect(folders() == PackFolders(named: [], usual: usual))
    let own = folders(nil, ["XDG_DATA_HOME": "/data"])
    #expect(own.usual.first == "/data/starlight/packs" && own.usual.dropFirst() == usual.dropFirst())
    #expect(folders(nil, ["XDG_DATA_HOME": ""]) == folders())
  }

  @Test func foldersNamedByHandGoBeforeAll() {
    let environment = ["STARLIGHT_PACKS": "/a:/b"]
    #expect(folders(nil, environment) == PackFolders(named: ["/a", "/b"], usual: usual))
    #expect(folders("/c", environment) == PackFolders(named: ["/c"], usual: usual))
    // One of the others, named by hand, is looked in once.
    #expect(folders("/usr/share/starlight/packs").all.count == 4)
  }

  @Test func theyCanBeTheOnlyOnes() {
    #expect(folders("/c", namedAlone: true) == PackFolders(named: ["/c"]))
    let environment = ["STARLIGHT_PACKS": "/a", "STARLIGHT_NO_BUILT_IN_PACKS": "1"]
    #expect(folders(nil, environment) == PackFolders(named: ["/a"]))
    #expect(folders(namedAlone: true) == PackFolders(named: []))
    #expect(folders(nil, ["STARLIGHT_NO_BUILT_IN_PACKS": ""]) == folders())
  }

  @Test func installedWhereTheSystemLooksAFolderIsNamedOnce() {
    let folders = PackFolders(chosen: nil, environment: [:], executable: "/usr/bin/starlightd", workingFolder: "/")
    #expect(folders.all == ["/usr/share/starlight/packs", "/usr/local/share/starlight/packs"])
  }
}
