// SPDX-License-Identifier: Apache-2.0

import Host
import Timing
import Wire

/// What control keeps of one client.
final class Connection {
  let channel: ClientChannel
  let peer: Peer
  private var reader: LineReader
  private var arrivals = Arrivals()
  /// Lines handed out so far.
  private var lines: UInt64 = 0
  /// The client sends no more.
  var ended = false
  /// No whole line waits in the reader.
  private(set) var drained = true
  /// A line that is served again before any other.
  var left: LeftLine?
  /// The number of what it is told next (`ToldLog`): it was told of all before.
  var toldUpTo: Int
  /// Whether more had come when it was read last than was read.
  var isReadInPart = false
  /// Up to when all that it sent is served.
  var heardUpTo: Instant
  /// Topics that take effect behind the reply that grants them.
  var topicsBehindReply: Set<Topic>?
  /// When to close although the farewell has not left.
  var closeAt: Instant?
  /// What may still be spent on serving it, since its other end is closed both ways; nil while it is not.
  private var legacy: Interval?
  /// What reading it has cost that is worth nothing.
  private(set) var piecemeal = PiecemealCost()
  /// Until when it is not read for that.
  var restsUntil: Instant?
  /// From when on lines of it are served again, where others did not read what it had them told.
  private(set) var servedFrom: Instant?
  /// Whether a line of it was served since it rested so last.
  private var hasServedSince = true
  /// What the event loop was last told.
  var interest: Interest?

  struct Interest: Equatable {
    var reading: Bool
    var writing: Bool
  }

  /// A line as it was read.
  struct Arrived {
    var item: LineReader.Item
    /// Counted from 1.
    var number: UInt64
    /// When its last byte was read.
    var at: Instant
  }

  /// `toldUpTo` is where in the log of what is told it begins; it has sent nothing by `heardUpTo`.
  init(channel: ClientChannel, peer: Peer, maximumLineBytes: Int, toldUpTo: Int, heardUpTo: Instant = .distantPast) {
    self.heardUpTo = heardUpTo
    self.channel = channel
    self.toldUpTo = toldUpTo
    self.peer = peer
    reader = LineReader(maximumLineBytes: maximumLineBytes)
  }

  /// Takes in what was read at `instant`.
  func take(_ bytes: UnsafeBufferPointer<UInt8>, at instant: Instant) {
    arrivals.note(bytes.count, at: instant)
    reader.append(bytes)
    drained = false
  }

  /// The next whole line, if there is one.
  func nextLine() -> Arrived? {
    guard let item = reader.next() else {
      drained = true
      return nil
    }
    drained = reader.bufferedBytes == 0
    lines += 1
    hasServedSince = true
    piecemeal.hadLine()
    let at = arrivals.arrival(ofByte: arrivals.count - reader.bufferedBytes) ?? .zero
    return Arrived(item: item, number: lines, at: at)
  }

  /// Reading `bytes` of it has cost so much, while `others` owe for theirs. Gives what of that is worth nothing.
  func read(_ bytes: Int, cost: Interval, at now: Instant, others: () -> Int) -> Interval {
    let excess = piecemeal.read(bytes, cost: cost, at: now, others: others)
    restsUntil = piecemeal.rest(others: others).map { Self.wake(now + $0) }
    return excess
  }

  /// None of its lines is served until then, where one was since it rested so last: no rest goes over into another.
  func restServing(until instant: Instant) {
    guard hasServedSince, !isGone else { return }
    hasServedSince = false
    servedFrom = Self.wake(instant)
  }

  /// Its lines are served, rest or no rest: something is to be settled of what clients have sent.
  func endServingRest() { servedFrom = nil }

  /// Those who rest go on together each millisecond, or each of them would wake control by itself.
  private static func wake(_ instant: Instant) -> Instant {
    Instant(microseconds: instant.microseconds / 1_000 * 1_000 + 1_000)
  }

  /// It is read, and served, again where its rest is over.
  func endRest(at now: Instant) {
    if let until = restsUntil, until <= now { restsUntil = nil }
    if let from = servedFrom, from <= now { servedFrom = nil }
  }

  /// Whether to read on: also while lines wait, so that each is stamped when it comes, but not without bound.
  func reads(_ standing: ClientChannel.Standing) -> Bool {
    !ended && restsUntil == nil && takesRequests(standing) && (drained || reader.bufferedBytes < Self.readAhead)
  }

  /// Bytes that may wait to be served before no more are read.
  private static let readAhead = 65_536

  /// Whether more requests are taken: not while many replies wait, so that pipelining never fills memory.
  func takesRequests(_ standing: ClientChannel.Standing) -> Bool {
    switch standing.condition {
    case .open: standing.queuedBytes <= 65_536
    case .gone: true
    case .overflowed, .farewell: false
    }
  }

  /// Whether there is a line to be served, as far as is known.
  var hasLines: Bool {
    if isSpent || servedFrom != nil { return false }
    if let left, left.errand.isLeft { return false }
    return (left != nil || !drained) && takesRequests(channel.standing)
  }

  /// Whether something that it has sent is not served: a line, what comes behind one that is being worked on elsewhere, or what was not
  /// read.
  var leavesSomething: Bool {
    if isSpent { return false }
    return hasLines || isReadInPart || left?.errand.isLeft == true && reader.bufferedBytes > 0
  }

  /// Its other end is closed both ways: nobody reads a reply. What it asked for is served while that costs no more than
  /// `legacy` in all.
  func leave(_ legacy: Interval) {
    ended = true
    (restsUntil, servedFrom) = (nil, nil)
    self.legacy = legacy
  }

  /// Whether its other end is closed both ways.
  var isGone: Bool { legacy != nil }

  /// Whether it is gone, and no more may be spent on it.
  var isSpent: Bool { legacy.map { $0 <= .zero } ?? false }

  /// Bytes that were read and not served.
  var bufferedBytes: Int { reader.bufferedBytes }

  /// Serving a line of it has cost so much.
  func spend(_ cost: Interval) { legacy = legacy.map { $0 - cost } }

  /// Everything that was sent is served.
  var isServed: Bool { ended && drained && left == nil }

  /// Whether there is nothing left to do for this client.
  func isFinished(_ standing: ClientChannel.Standing, now: Instant) -> Bool {
    switch standing.condition {
    case .open: isServed && standing.queuedBytes == 0
    case .gone: isServed || isSpent || closeAt != nil
    case .overflowed: false
    case .farewell: standing.queuedBytes == 0 || closeAt.map { now >= $0 } ?? true
    }
  }
}
