// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import Testing

@testable import Server

@Suite struct DaemonProgramTests {
  @Test(arguments: Shell.allCases)
  func completionsKnowEveryOption(shell: Shell) {
    let script = daemonProgram.completions(for: shell)
    for option in daemonProgram.root.options {
      #expect(script.contains(shell == .fish ? "-l \(option.name)" : option.dashed), "\(option.dashed)")
    }
    #expect(script.contains("live stepped"))
  }

  @Test func completionsAreForAShellThatIsKnown() {
    #expect(throws: UsageError.self) { try daemonProgram.parse(["--completions", "tcsh"]) }
  }

  /// What is said where only `there` are folders, and `files` are not.
  private func refusal(
    _ words: [String], there: Set<String> = [], files: Set<String> = []
  ) throws -> UsageError? {
    guard case .run(_, let invocation) = try daemonProgram.parse(words) else { return nil }
    do throws(UsageError) {
      try checkPacks(invocation) { there.contains($0) ? .folder : files.contains($0) ? .file : .nothing }
      return nil
    } catch { return error }
  }

  @Test func aPeriodIsRefusedWhereNoDeviceHasOne() throws {
    func refused(_ words: String...) throws -> Bool {
      guard case .run(_, let invocation) = try daemonProgram.parse(words) else { return false }
      do throws(UsageError) { try checkPeriod(invocation) } catch { return true }
      return false
    }
    #expect(try refused("--clock", "stepped", "--period", "128"))
    #expect(try !refused("--clock", "stepped"))
    #expect(try !refused("--period", "128"))
  }

  @Test func aFolderWhereAPacksNameIsMeantIsToldWithTheOtherFlag() throws {
    let path = try refusal(["--pack", "/home/ann/my games"], there: ["/home/ann/my games"])
    #expect(path?.message == "--pack takes the name of a pack, and /home/ann/my games is a path")
    #expect(path?.hint.hasPrefix("--packs '/home/ann/my games' has packs looked for there; ") == true)
    #expect(try refusal(["--pack", "./games"])?.hint.hasPrefix("--packs ./games has packs") == true)
    #expect(try refusal(["--pack", "My Games"], there: ["My Games"]) != nil)
    #expect(try refusal(["--pack", "lighthouse"], there: ["lighthouse"]) == nil)
  }

  @Test func aPacksNameWhereAFolderIsMeantIsToldWithTheOtherFlag() throws {
    let name = try refusal(["--packs", "/a:lighthouse"], there: ["/a"])
    #expect(name?.message == "there is no folder lighthouse, named by --packs or $STARLIGHT_PACKS")
    #expect(name?.hint.hasSuffix("where lighthouse is the name of a pack, --pack lighthouse makes it active") == true)
    let path = try refusal(["--packs", "/a/lighthouse"])
    #expect(path?.hint == "name a pack's folder, which has a pack.json (docs/packs.md), or a folder of such")
    #expect(try refusal(["--packs", "/a:/b"], there: ["/a", "/b"]) == nil)
  }

  @Test func aFileWhereAFolderOfPacksIsMeantIsToldWithItsFolder() throws {
    let file = try refusal(
      ["--packs", "/a:/b/lighthouse/pack.json"], there: ["/a"], files: ["/b/lighthouse/pack.json"])
    #expect(file?.message == "/b/lighthouse/pack.json, named by --packs or $STARLIGHT_PACKS, is no folder")
    #expect(file?.hint == "name /b/lighthouse, the folder that it lies in")
    #expect(
      try refusal(["--packs", "my games/pack.json/"], files: ["my games/pack.json/"])?.hint
        == "name 'my games', the folder that it lies in")
    #expect(
      try refusal(["--packs", "/dev/null"], files: ["/dev/null"])?.hint
        == "name a pack's folder, which has a pack.json (docs/packs.md), or a folder of such")
    #expect(try refusal(["--packs", "pack.json"], files: ["pack.json"])?.hint == "name ., the folder that it lies in")
    #expect(
      try refusal(["--packs", "/pack.json"], files: ["/pack.json"])?.hint == "name /, the folder that it lies in")
    // A pack may be called like a file that happens to be there.
    #expect(try refusal(["--pack", "lighthouse"], files: ["lighthouse"]) == nil)
  }

  @Test func whatIsNamedForAFolderIsLookedAtThroughLinks() {
    let folder = TemporaryFolder()
    let path = { (name: String) in folder.path + "/" + name }
    #expect(mkdir(path("games"), 0o755) == 0 && close(creat(path("pack.json"), 0o644)) == 0)
    #expect(symlink("games", path("link")) == 0 && symlink("pack.json", path("manifest")) == 0)
    #expect(symlink("gone", path("dangling")) == 0 && symlink("loop", path("loop")) == 0)
    let found = ["games", "link", "pack.json", "manifest", "pack.json/", "dangling", "gone", "loop"].map {
      NamedPlace(at: path($0))
    }
    // Why a loop of links leads nowhere is told by whoever reads it.
    #expect(found == [.folder, .folder, .file, .file, .file, .nothing, .nothing, .folder])
  }

  @Test func helpTellsTheRangesOfNumbers() {
    let help = daemonProgram.helpText(width: 100).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(help.contains("(8000 to 192000, default 48000)"))
    #expect(help.contains("(16 to 8192)"))
  }
}
