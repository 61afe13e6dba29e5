import Timing
import Wire

/// What control keeps of one client.
final class Connection {
  let channel: ClientChannel
  var reader: LineReader
  /// When the bytes last read came.
  var arrival = Instant.zero
  /// The client sends no more.
  var ended = false
  /// No whole line waits in the reader.
  var drained = true
  /// Topics that take effect behind the reply that grants them.
  var topicsBehindReply: Set<Topic>?
  /// When to close although the farewell has not left.
  var closeAt: Instant?
  /// What the event loop was last told.
  var interest: Interest?

  struct Interest: Equatable {
    var reading: Bool
    var writing: Bool
  }

  init(channel: ClientChannel, maximumLineBytes: Int) {
    self.channel = channel
    reader = LineReader(maximumLineBytes: maximumLineBytes)
  }

  /// Whether more requests are taken: not while many replies wait, so that pipelining never fills memory.
  func takesRequests(_ standing: ClientChannel.Standing) -> Bool {
    switch standing.condition {
    case .open: standing.queuedBytes <= 65_536
    case .gone: true
    case .overflowed, .farewell: false
    }
  }

  /// Whether there is nothing left to do for this client.
  func isFinished(_ standing: ClientChannel.Standing, now: Instant) -> Bool {
    switch standing.condition {
    case .open: ended && drained && standing.queuedBytes == 0
    case .gone: ended && drained || closeAt != nil
    case .overflowed: false
    case .farewell: standing.queuedBytes == 0 || closeAt.map { now >= $0 } ?? true
    }
  }
}
