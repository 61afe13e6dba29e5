// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight rhythm play` at a terminal of its own, as a person has it.
@Suite struct KeyboardPlayTests {
  /// All that the tool shows on a terminal until it ends, `keys` being struck once the first frame is drawn; and how it ends.
  private func shown(_ words: [String], striking keys: String = "") throws -> (text: String, code: Int32) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(master) }
    var (locked, number) = (Int32(0), UInt32(0))
    // TIOCSPTLCK and TIOCGPTN (asm-generic/ioctls.h): Glibc's unlockpt and ptsname are not to be had in Swift.
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw ProcessFailure("no terminal: \(String(cString: strerror(errno)))")
    }
    let name = "/dev/pts/\(number)"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR | O_NOCTTY, 0)
    for descriptor in Int32(1)...2 { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
    for descriptor in Int32(3)..<512 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    let environment: [String] = ["TERM=xterm", "PATH=/usr/bin:/bin"]
    var argv = ([DaemonProcess.program("starlight")] + words).map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, DaemonProcess.program("starlight"), &actions, nil, &argv, &envp)
    guard result == 0 else { throw ProcessFailure("cannot start starlight: \(String(cString: strerror(result)))") }
    var text: [UInt8] = []
    var hasStruck = false
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // The read fails once the tool, the only one at the other end, has gone.
    while case let count = read(master, &buffer, buffer.count), count > 0 {
      text += buffer[..<count]
      if !hasStruck, String(decoding: text, as: UTF8.self).contains("q ends") {
        hasStruck = true
        write(master, keys, keys.utf8.count)
      }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return (String(decoding: text, as: UTF8.self), status)
  }

  @Test func aChapterIsDrawnOnAScreenOfItsOwnAndItsScoreBehindIt() throws {
    let packs = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: packs) }
    let daemon = try DaemonProcess(["--device", "none"], packs: TestPack.make(in: packs))
    let play = ["--socket", daemon.socketPath, "rhythm", "play", "firewall"]
    let (text, code) = try shown(play, striking: "q")
    #expect(code == 0)
    let begin = try #require(text.firstRange(of: "\u{1B}[?1049h"))
    let end = try #require(text.firstRange(of: "\u{1B}[?1049l"))
    let field = try #require(text.firstRange(of: "q ends"))
    let score = try #require(text.firstRange(of: "starlight-sync:firewall: 0 hits"))
    #expect(
      begin.upperBound < field.lowerBound && field.upperBound < end.lowerBound && end.upperBound <= score.lowerBound)
    // The cursor is back, and nothing is drawn where it stood before.
    #expect(text[begin.upperBound...].contains("\u{1B}[?25h"))
    #expect(!text[end.upperBound...].contains("\u{1B}["))
  }

  @Test func musicThatPlaysOnBehindAChapterIsTold() throws {
    let packs = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: packs) }
    let daemon = try DaemonProcess(["--device", "none"], packs: TestPack.make(in: packs))
    let play = ["--socket", daemon.socketPath, "rhythm", "play", "firewall", "--position", "44.2s"]
    let (quit, _) = try shown(Array(play.dropLast(2)), striking: "q")
    #expect(!quit.contains("plays on"), "whoever ends a chapter ends its music")
    let (text, code) = try shown(play)
    #expect(code == 0)
    #expect(text.contains("starlight-sync:finale plays on: `starlight music stop` ends it"))
  }
}
