// SPDX-License-Identifier: Apache-2.0

import Server
import Testing

@Suite struct StateFolderTests {
  @Test func systemdsFolderGoesFirst() {
    let environment = [
      "STATE_DIRECTORY": "/var/lib/starlight:/var/lib/more", "XDG_STATE_HOME": "/s", "HOME": "/home/u",
    ]
    #expect(StateFolder.path(environment: environment) == "/var/lib/starlight")
  }

  @Test func thenTheUsersOwn() {
    #expect(StateFolder.path(environment: ["XDG_STATE_HOME": "/s", "HOME": "/home/u"]) == "/s/starlight")
    #expect(StateFolder.path(environment: ["HOME": "/home/u"]) == "/home/u/.local/state/starlight")
  }

  @Test func whatIsNotAbsoluteCountsAsNone() {
    let environment = ["STATE_DIRECTORY": "", "XDG_STATE_HOME": "state", "HOME": "/home/u"]
    #expect(StateFolder.path(environment: environment) == "/home/u/.local/state/starlight")
    #expect(StateFolder.path(environment: [:]) == nil)
    #expect(StateFolder.path(environment: ["HOME": ""]) == nil)
  }
}
