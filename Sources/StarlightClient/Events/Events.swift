// SPDX-License-Identifier: Apache-2.0

import Wire

/// What one reader is told: `for await event in events` hands it out as it comes, `takeAll()` once a frame. Ends with the
/// client. Each reader has its own; of one that is shared each event goes to whoever takes it first.
public struct Events: AsyncSequence, Sendable {
  let reader: Reader

  /// Hands out the reader's events.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: Reader

    /// The next event, in order; nil when the client was closed or the task is cancelled.
    public mutating func next() async -> Event? { await reader.buffer.take() }

    /// The same, wherever it is called from.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? { await reader.buffer.take() }
  }

  /// Goes on where the reader is.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

  /// Everything that came since it was asked last, in order; never waits.
  public func takeAll() -> [Event] { reader.buffer.takeAll() }
}

/// One who listens, for as long as it is kept; keeps the client, too.
final class Reader: Sendable {
  let buffer: EventBuffer
  private let client: Starlight

  init(_ client: Starlight, _ buffer: EventBuffer) {
    self.client = client
    self.buffer = buffer
  }

  deinit { client.leave(buffer) }
}
