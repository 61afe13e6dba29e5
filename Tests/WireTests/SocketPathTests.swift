// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@Suite struct SocketPathTests {
  @Test func theUsersSocketComesBeforeTheSystems() {
    #expect(
      SocketPath.candidates(environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
        == ["/run/user/7/starlight/starlightd.sock", "/run/starlight/starlightd.sock"])
  }

  @Test func aSocketChosenByHandIsTheOnlyOne() {
    #expect(
      SocketPath.candidates(environment: ["XDG_RUNTIME_DIR": "/run/user/7", "STARLIGHT_SOCKET": "/tmp/x"])
        == ["/tmp/x"])
  }

  @Test func emptyVariablesCountAsMissing() {
    #expect(
      SocketPath.candidates(environment: ["XDG_RUNTIME_DIR": "", "STARLIGHT_SOCKET": ""])
        == ["/run/starlight/starlightd.sock"])
  }
}
