// SPDX-License-Identifier: Apache-2.0

import SoundFiles

extension Host {
  /// What is kept for what plays, is planned or fades; zero everywhere when all has ended.
  package var holdings: [String: Int] {
    engine.holdings.merging(
      [
        "streams": streams.count, "open rings": feeder.openCount, "announced starts": announcedStarts.count,
        "backlog": queue.count, "earlier generations": bank.earlierCount, "voices with memory": bank.voiceCount,
      ]) { $1 }
  }

  /// Tracks that are open, each with a decoder of its own; those that the decode thread is about to let go are none any more.
  package var openStreams: Int { streams.count }

  /// Open tracks that are no crowd.
  package static var fewStreams: Int { StreamFeeder.fewStreams }

  /// Bytes that all readings of packs keep of what can be heard.
  package var soundBytes: Int { bank.residentBytes }
}
