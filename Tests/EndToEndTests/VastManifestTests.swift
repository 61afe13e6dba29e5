// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// A manifest of 6 GB that takes no room on its disk is refused unread: nobody waits for it, and the end does not either.
@Suite struct VastManifestTests {
  @Test func theDaemonEndsWhileAVastManifestIsRefused() throws {
    let game = try SteppedGame { pack in
      let vast = pack + "-vast"
      mkdir(vast, 0o755)
      try Data().write(to: URL(filePath: vast + "/pack.json"))
      #expect(truncate(vast + "/pack.json", 6 << 30) == 0)
    }
    // All packs are read again, and the signal comes meanwhile.
    game.daemon.signal(SIGHUP)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    #expect(game.daemon.log.contains("starlight-sync-vast/pack.json is larger than 8 MiB"), "\(game.daemon.log)")
  }
}
