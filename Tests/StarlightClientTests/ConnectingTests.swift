// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Testing

@Suite struct ConnectingTests {
  @Test func aMissingSocketIsReportedWithItsPathAndARemedy() {
    let error = #expect(throws: ClientError.self) { try StarlightConnection(path: "/nonexistent/starlight.sock") }
    #expect(error?.kind == .notFound(["/nonexistent/starlight.sock"]))
    #expect(error?.message.contains("/nonexistent/starlight.sock") == true)
    #expect(error?.message.contains("starlightd") == true)
  }

  @Test func aSocketNobodyListensToIsRefused() throws {
    let path = "/tmp/starlight-client-\(getpid()).sock"
    defer { unlink(path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    unlink(path)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    close(listener)
    let error = #expect(throws: ClientError.self) { try StarlightConnection(path: path) }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains("no daemon listens at \(path)") == true)
  }

  @Test func aPathTooLongForASocketIsRefused() {
    let error = #expect(throws: ClientError.self) {
      try StarlightConnection(path: "/tmp/" + String(repeating: "x", count: 200))
    }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains("longer than 107 bytes") == true)
  }
}
