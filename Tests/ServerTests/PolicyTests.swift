// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Server

@Suite struct PolicyTests {
  @Test func aPrivateSocketServesItsOwnerAndRoot() {
    let policy = PeerPolicy(mode: 0o600, user: 1000)
    #expect(policy.admits(1000))
    #expect(policy.admits(0))
    #expect(!policy.admits(1001))
  }

  @Test func aSocketForAGroupServesWhoeverItsModeLetsIn() {
    #expect(PeerPolicy(mode: 0o660, user: 990).admits(1001))
  }

  @Test func theSocketStandsWhereClientsLookFirst() {
    #expect(defaultSocketPath(["XDG_RUNTIME_DIR": "/run/user/7"]) == "/run/user/7/starlight/starlightd.sock")
    #expect(defaultSocketPath([:]) == "/run/starlight/starlightd.sock")
    #expect(defaultSocketPath(["STARLIGHT_SOCKET": "/tmp/x", "RUNTIME_DIRECTORY": "/run/starlight"]) == "/tmp/x")
  }

  @Test func aSystemServiceListensInTheFolderMadeForIt() {
    #expect(
      defaultSocketPath(["XDG_RUNTIME_DIR": "/run/user/7", "RUNTIME_DIRECTORY": "/run/elsewhere"])
        == "/run/elsewhere/starlightd.sock")
  }
}
