// SPDX-License-Identifier: Apache-2.0

extension Host {
  /// What is kept for what plays, is planned or fades; zero everywhere when all has ended.
  package var holdings: [String: Int] {
    engine.holdings.merging(
      [
        "streams": streams.count, "open rings": openStreams, "announced starts": announcedStarts.count,
        "backlog": queue.count, "earlier generations": bank.earlierCount, "voices with memory": bank.voiceCount,
      ]) { $1 }
  }

  /// Streams of tracks that are open, each with a decoder of its own.
  package var openStreams: Int { feeder.openCount }

  /// Bytes that all readings of packs keep of what can be heard.
  package var soundBytes: Int { bank.residentBytes }
}
