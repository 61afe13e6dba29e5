// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Server

@Suite struct ListeningSocketTests {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/a/b/s.sock" }

  @Test func theSocketAndTheFoldersMadeForItArePrivate() throws {
    let socket = try ListeningSocket(path: path)
    #expect(folder.mode("a") == 0o700)
    #expect(folder.mode("a/b") == 0o700)
    #expect(folder.mode("a/b/s.sock") == 0o600)
    #expect(TestClient(path: socket.path) != nil)
  }

  @Test func aUserWithoutAFolderOfTheirOwnIsToldHowToHaveOne() {
    #expect(defaultSocketRemedy([:], user: 0) == "choose another path with --socket")
    #expect(defaultSocketRemedy(["XDG_RUNTIME_DIR": "/run/user/7"], user: 7) == "choose another path with --socket")
    for environment in [[:], ["XDG_RUNTIME_DIR": ""]] {
      let remedy = defaultSocketRemedy(environment, user: 7)
      #expect(remedy.contains("export XDG_RUNTIME_DIR=/run/user/7") && remedy.contains("--socket"))
    }
  }

  @Test func aPlaceThatCannotBeMadeComesWithARemedy() {
    let error = #expect(throws: ServerError.self) {
      _ = try ListeningSocket(path: "/dev/null/s.sock", remedy: "take another")
    }
    #expect(error?.remedy == "take another")
    #expect(error?.message.hasPrefix("cannot ") == true)
  }

  @Test func aFolderThatWasThereKeepsItsMode() throws {
    mkdir(folder.path + "/a", 0o755)
    chmod(folder.path + "/a", 0o755)
    let socket = try ListeningSocket(path: path)
    #expect(folder.mode("a") == 0o755)
    _ = consume socket
  }

  @Test func theFileIsRemovedAtTheEnd() throws {
    do {
      let socket = try ListeningSocket(path: path)
      #expect(folder.mode("a/b/s.sock") != nil)
      _ = consume socket
    }
    #expect(folder.mode("a/b/s.sock") == nil)
  }

  @Test func aFileThatAnotherPutThereIsLeftAtTheEnd() throws {
    do {
      let socket = try ListeningSocket(path: path)
      rename(path, path + ".moved")
      close(open(path, O_CREAT | O_WRONLY, 0o600))
      _ = consume socket
    }
    #expect(folder.mode("a/b/s.sock") != nil)
  }

  @Test func theSocketOfALiveDaemonIsRefusedByItsPath() throws {
    let first = try ListeningSocket(path: path)
    let error = #expect(throws: ServerError.self) { _ = try ListeningSocket(path: path) }
    #expect(error?.message.contains("a daemon is already listening at \(path)") == true)
    #expect(TestClient(path: first.path) != nil)
  }

  @Test func theSocketOfADeadDaemonIsReplaced() throws {
    mkdir(folder.path + "/a", 0o700)
    mkdir(folder.path + "/a/b", 0o700)
    try leaveDeadSocket()
    #expect(TestClient(path: path) == nil)
    let socket = try ListeningSocket(path: path)
    #expect(TestClient(path: socket.path) != nil)
  }

  @Test func whatIsNoSocketIsNotRemoved() throws {
    mkdir(folder.path + "/a", 0o700)
    mkdir(folder.path + "/a/b", 0o700)
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    let error = #expect(throws: ServerError.self) { _ = try ListeningSocket(path: path) }
    #expect(error?.message.contains("is not a socket") == true)
    #expect(folder.mode("a/b/s.sock") == 0o600)
  }

  @Test func aFolderThatCannotBeMadeIsNamed() {
    let error = #expect(throws: ServerError.self) { _ = try ListeningSocket(path: "/proc/starlight/s.sock") }
    #expect(error?.message.contains("/proc/starlight") == true)
  }

  @Test func aPathTooLongForASocketIsRefused() {
    let error = #expect(throws: ServerError.self) {
      _ = try ListeningSocket(path: folder.path + "/" + String(repeating: "x", count: 100))
    }
    #expect(error?.message.contains("1 to 107 bytes") == true)
  }

  private func leaveDeadSocket() throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(dead)
    try #require(bound == 0)
  }
}
