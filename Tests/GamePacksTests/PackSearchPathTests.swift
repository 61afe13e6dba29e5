// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing

@Suite struct PackSearchPathTests {
  @Test func foldersNamedByHandAreTheOnlyOnes() {
    let environment = ["STARLIGHT_PACKS": "/a:/b", "HOME": "/home/u"]
    #expect(PackSearchPath.folders(chosen: nil, environment: environment, executable: "/x/bin/s") == ["/a", "/b"])
    #expect(PackSearchPath.folders(chosen: "/c", environment: environment, executable: "/x/bin/s") == ["/c"])
  }

  @Test func theUsersOwnGoBeforeThoseBesideTheProgramAndTheSystems() {
    let folders = PackSearchPath.folders(
      chosen: nil, environment: ["HOME": "/home/u"], executable: "/opt/starlight/bin/starlightd")
    #expect(
      folders == [
        "/home/u/.local/share/starlight/packs", "/opt/starlight/share/starlight/packs",
        "/usr/local/share/starlight/packs", "/usr/share/starlight/packs",
      ])
  }

  @Test func installedWhereTheSystemLooksAFolderIsNamedOnce() {
    let folders = PackSearchPath.folders(chosen: nil, environment: [:], executable: "/usr/bin/starlightd")
    #expect(folders == ["/usr/share/starlight/packs", "/usr/local/share/starlight/packs"])
  }
}
