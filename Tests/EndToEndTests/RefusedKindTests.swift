// SPDX-License-Identifier: Apache-2.0

import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// Kinds of errors that the server answers, not the engine.
@Suite struct RefusedKindTests {
  @Test func anotherProtocolIsRefusedByTheKindThatHelloLists() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: directory)
    let client = try daemon.connect()
    let kind = kindOfRefusal {
      _ = try client.call(SessionHello.self, SessionHello.Params(protocol: protocolVersion + 1, client: "test"))
    }
    #expect(kind == .unsupportedProtocol && SessionHello.refusals.contains(.unsupportedProtocol))
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
  }

  private func kindOfRefusal(_ call: () throws -> Void) -> RPCError.Kind? {
    do {
      try call()
      return nil
    } catch let error as ClientError {
      guard case .rpc(let refusal) = error.kind else { return nil }
      return RPCError.Kind(rawValue: refusal.data.kind)
    } catch {
      return nil
    }
  }
}
