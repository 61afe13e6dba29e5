// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Files

@Suite struct RegularFileTests {
  let folder = TemporaryFolder()

  func contents(_ path: String, inside folder: String? = nil, atMost limit: Int = 1_000) throws -> [UInt8] {
    try RegularFile.open(path, inside: folder).contents(atMost: limit)
  }

  func refusal(_ path: String, inside folder: String? = nil, atMost limit: Int = 1_000) -> FileRefusal? {
    #expect(throws: FileRefusal.self) { try contents(path, inside: folder, atMost: limit) }
  }

  @Test func aFileIsReadInPiecesAndWhole() throws {
    let path = folder.write("a/file", [1, 2, 3, 4, 5])
    let file = try RegularFile.open(path, inside: folder.path)
    #expect(file.size == 5)
    #expect(file.bytes(2) == [1, 2] && file.bytes(9, from: 3) == [4, 5] && file.bytes(1, from: 5) == [])
    #expect(file.bytes(3, from: 900) == [])
    #expect(try contents(path) == [1, 2, 3, 4, 5])
  }

  @Test func linksInsideTheFolderAreFollowed() throws {
    _ = folder.write("pack/real/file", [7])
    folder.link("pack/relative", to: "real/file")
    folder.link("pack/absolute", to: folder.path + "/pack/real/file")
    folder.link("linked", to: "pack")
    for name in ["pack/relative", "pack/absolute"] {
      #expect(try contents(folder.path + "/" + name, inside: folder.path + "/pack") == [7])
    }
    // The pack itself may be a link.
    #expect(try contents(folder.path + "/linked/relative", inside: folder.path + "/linked") == [7])
  }

  @Test(arguments: ["up", "away", "folder/file", "neighbour"]) func linksThatLeadOutAreRefused(name: String) {
    let secret = folder.write("outside/file", [9])
    _ = folder.write("pack-b/file", [9])
    _ = folder.write("pack/own", [1])
    folder.link("pack/up", to: "../outside/file")
    folder.link("pack/away", to: secret)
    folder.link("pack/folder", to: "../outside")
    // A name that begins like the folder's is another folder.
    folder.link("pack/neighbour", to: "../pack-b/file")
    let error = refusal(folder.path + "/pack/" + name, inside: folder.path + "/pack")
    let target = name == "neighbour" ? folder.path + "/pack-b/file" : secret
    #expect(error?.reason == .leadsOut(of: folder.path + "/pack", to: target))
    #expect(
      error?.description == "\(folder.path)/pack/\(name) leads out of \(folder.path)/pack through a link, "
        + "to \(target); copy the file into the folder")
  }

  @Test func whatIsNoFileIsNotOpened() {
    mkfifo(folder.path + "/pipe", 0o600)
    folder.link("loop", to: "loop")
    #expect(refusal(folder.path)?.reason == .isFolder)
    #expect(refusal(folder.path + "/pipe")?.reason == .isNoRegularFile)
    #expect(refusal("/dev/zero")?.reason == .isNoRegularFile)
    #expect(refusal(folder.path + "/loop")?.reason == .system(ELOOP))
    #expect(refusal(folder.path + "/none")?.reason == .system(ENOENT))
  }

  @Test func whatIsTooLargeIsRefusedUnread() throws {
    let path = folder.write("sparse", [])
    #expect(truncate(path, 6 << 30) == 0)
    let error = refusal(path, atMost: 8 << 20)
    #expect(error?.description == "\(path) is larger than 8 MiB")
    #expect(try contents(folder.write("just", [1, 2]), atMost: 2) == [1, 2])
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything")) func whatMayNotBeReadSaysSo() {
    let path = folder.write("secret", [1])
    chmod(path, 0)
    #expect(refusal(path)?.description == "\(path) may not be read (permission denied)")
  }

  @Test func namesAreShownWithoutControlCharacters() {
    #expect(
      printable("a\u{1B}[31m\nb\u{9B}c\u{2028}d\u{7F}é") == "a\\u001b[31m\\u000ab\\u009bc\\u2028d\\u007fé")
    #expect(printable("gpj.\u{202E}exe\u{2066}") == "gpj.\\u202eexe\\u2066")
    #expect(refusal("/none\n\u{1B}[2J")?.description == "/none\\u000a\\u001b[2J does not exist; check its name")
  }
}
