// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Glibc
import Host
import Timing

/// What clients have sent is read for a bounded time, by turns: a byte can be as dear to read as a line.
extension Server {
  /// The most bytes that are read of a client in a look.
  private static let mostRead = 65_536
  /// The most of them at once: what is sent a byte at a time is as many buffers in the kernel.
  static let readAtOnce = 1_024

  /// How long reading all clients may take at a time, all those that owe for it, and one of them. Those that were not come to are
  /// first the next time.
  private static let longestReading = (
    all: Interval.milliseconds(1), owing: Interval.microseconds(250), one: Interval.microseconds(100)
  )

  private func isOver(_ length: Interval, since begun: Instant) -> Bool {
    !meter.isCounting && Instant(nanoseconds: rt_now_ns()) - begun > length
  }

  /// Reads what clients have sent that `events` tell of: those that owe nothing for it before those that do.
  func read(_ events: [EventLoop.Event]) {
    let clients = events.compactMap { event in
      event.token >= Token.firstClient && event.isReadable && !event.hungUp
        ? connections[ClientID(rawValue: event.token - Token.firstClient)] : nil
    }
    if clients.isEmpty { return }
    let now = Instant(nanoseconds: rt_now_ns())
    let owing = clients.filter { $0.piecemeal.owes(at: now) }
    let others = owing.isEmpty ? clients : clients.filter { !$0.piecemeal.owes(at: now) }
    let isWhole: Bool
    (looking.last.others, isWhole) = read(others, after: looking.last.others, for: Self.longestReading.all)
    if !isWhole { looking.leavesUnread = true }
    if owing.isEmpty { return }
    // Who sends in pieces waits for that alone: what is settled does not.
    (looking.last.owing, _) = read(owing, after: looking.last.owing, for: Self.longestReading.owing)
  }

  /// Reads each in its turn; who was read last, and whether it came to all.
  private func read(
    _ connections: [Connection], after last: UInt64, for length: Interval
  ) -> (last: UInt64, isWhole: Bool) {
    let begun = Instant(nanoseconds: rt_now_ns())
    var last = last
    for connection in Looking.order(connections, after: last, by: \.channel.id.rawValue)
    where connection.reads(connection.channel.standing) {
      if isOver(length, since: begun) { return (last, false) }
      read(connection)
      last = connection.channel.id.rawValue
    }
    return (last, true)
  }

  /// Reads what a client has sent, 64 KiB at most; false where there was nothing.
  @discardableResult func read(_ connection: Connection) -> Bool {
    let begun = Instant(nanoseconds: rt_now_ns())
    let before = processorUsed(at: begun)
    var whole = 0
    var isLeft = false
    while !isLeft, case let got = readOnce(connection), got > 0 {
      whole += got
      if got < Self.readAtOnce { break }
      isLeft = whole >= Self.mostRead || isOver(Self.longestReading.one, since: begun)
    }
    pay(for: whole, of: connection, begun: begun, before: before)
    connection.isReadInPart = isLeft && connection.restsUntil == nil
    if connection.isReadInPart { looking.leavesUnread = true }
    return whole > 0
  }

  /// What takes longer may have been kept from the processor: then the system is asked.
  private static let undisturbed = Interval.microseconds(100)

  /// Reading `bytes` of a client since `begun`, with so much of the processor used `before`, is paid by it.
  private func pay(for bytes: Int, of connection: Connection, begun: Instant, before: Int64) {
    if meter.isCounting { return }
    let now = Instant(nanoseconds: rt_now_ns())
    var cost = now - begun
    if cost > Self.undisturbed {
      let used = processorTime.read(at: now.nanoseconds, rt_thread_processor_ns)
      cost = min(cost, Interval(nanoseconds: max(0, used - before)))
    }
    let excess = connection.read(bytes, cost: cost, at: now) {
      connections.values.count { $0 !== connection && $0.piecemeal.owes(at: now) }
    }
    if connection.restsUntil != nil { shares.chargePassing(excess, to: connection.peer) }
  }

  /// How many bytes were read.
  private func readOnce(_ connection: Connection) -> Int {
    let descriptor = connection.channel.descriptor
    var passed: [Int32] = []
    let got =
      refusesDescriptors
      ? recv(descriptor, room.baseAddress, room.count, 0)
      : PassedDescriptors.receive(descriptor, UnsafeMutableRawBufferPointer(room), &passed)
    let ended = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)
    if !passed.isEmpty {
      // Who sends more would fill the table of descriptors.
      log(.warning, "client \(connection.channel.id.rawValue) sent descriptors, which nobody asked for: closed")
      for descriptor in passed { closer.close(descriptor) }
      connection.ended = true
      return 0
    }
    connection.take(UnsafeBufferPointer(rebasing: room[..<max(0, got)]), at: host.now)
    connection.ended = connection.ended || ended
    return max(0, got)
  }

  /// How long what comes may wait to be read while lines are served and things are told.
  private static let longestUnread = Interval.microseconds(500)

  /// Reads what clients have sent meanwhile, where they were not read for a while: so it is of when it came, and who asks seldom is
  /// served in the turn that goes on. On the stepped clock a turn takes no time.
  @discardableResult func readMeanwhile() -> Bool {
    let now = Instant(nanoseconds: rt_now_ns())
    guard host.clockKind == .live, now - looking.at > Self.longestUnread else { return false }
    looking.at = now
    read(loop.look())
    return true
  }
}
