// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Host
import Timing
import Tracing
import Wire

/// What the host wants told: put in the log of what is told, or kept for its instant. Each client is told of the log at its own
/// place in it, all at once, or in parts where there is much of it.
extension Server {
  /// The most that telling may take at a time: so long waits who asks for one thing while there is much to be told.
  static let longestTelling = Interval.milliseconds(1)

  /// Notifications a client is told of between two looks at how long that takes.
  private static let toldAtOnce = 16

  /// The same of one that catches up, which mostly did not ask to be told.
  private static let caughtUpAtOnce = 64

  /// What is told as soon as the clock is asked twice, in notifications of a client.
  private static let few = 16

  /// Entries that go back to a client beyond which none of its lines is served: they are told first.
  private static let mostUntold = 64

  /// Entries of the log, as many as all plans there may be come to at one instant, beyond which a turn serves one line: it is not to
  /// grow for what is asked meanwhile.
  private static let muchToTell = 8_192

  /// Whether there is so much to tell that a turn is for that.
  var hasMuchToTell: Bool { told.count > Self.muchToTell }

  /// Takes in what the host wants told, and tells everybody; all of it, or what can be told within `budget`.
  func announce(within budget: Interval? = nil) {
    takeIn()
    tellAndCharge(within: budget)
  }

  /// Tells one client of all that it was not told yet, and that is before its reply; false where that would take longer than `budget`.
  @discardableResult func catchUp(_ connection: Connection, within budget: Interval? = nil) -> Bool {
    takeIn()
    let enough = meter.isCounting ? nil : budget.map { processorUsed() + $0.nanoseconds }
    while connection.toldUpTo < told.end {
      if let enough, processorUsed() > enough { return false }
      tell(connection, upTo: enough == nil ? told.end : min(connection.toldUpTo + Self.caughtUpAtOnce, told.end))
    }
    return true
  }

  /// Whether lines of a client wait for what it has told.
  func isGated(_ client: ClientID) -> Bool { told.count(of: client) > Self.mostUntold }

  /// Tells everybody of what is in the log, within `budget`; gives what that has cost, which those owe whose lines it goes back to.
  @discardableResult func tellAndCharge(within budget: Interval? = nil) -> Interval {
    if told.isEmpty { return .zero }
    let begun = processorUsed()
    tellAll(within: budget)
    // Where it is counted, what is told at once is counted with the line.
    if meter.isCounting {
      payers.forget()
      return .zero
    }
    return payForTelling(Interval(nanoseconds: max(0, processorUsed() - begun)))
  }

  /// Tells everybody of what is in the log, those who are farthest behind first, within `budget` where time runs by itself.
  func tellAll(within budget: Interval? = nil) {
    if told.isEmpty { return }
    // Of a few the clock is not asked: that takes as long as telling one of them.
    let isBounded = !meter.isCounting && told.count * connections.count > Self.few
    tellParts(upTo: isBounded ? budget.map { processorUsed() + $0.nanoseconds } : nil)
    told.forget(before: farthestBehind)
  }

  /// Tells all, or until this thread has used `enough` of the processor.
  private func tellParts(upTo enough: Int64?) {
    while case let from = farthestBehind, from < told.end {
      let end = enough == nil ? told.end : min(from + Self.toldAtOnce, told.end)
      for connection in connections.values where connection.toldUpTo < end {
        tellPart(connection, upTo: end)
        if let enough, processorUsed() > enough { return }
      }
    }
  }

  /// What was told since the last call has cost so much: each whose lines it goes back to owes its part.
  @discardableResult func payForTelling(_ cost: Interval) -> Interval {
    for (payer, part) in payers.take(cost) { shares.chargeTelling(part, to: payer) }
    return cost
  }

  /// The number of the first entry that somebody was not told of.
  private var farthestBehind: Int {
    var farthest = told.end
    for connection in connections.values { farthest = min(farthest, connection.toldUpTo) }
    return farthest
  }

  private func tell(_ connection: Connection, upTo end: Int) {
    guard connection.toldUpTo < end else { return }
    for number in connection.toldUpTo..<end {
      let entry = told[number]
      let at = host.clockKind == .stepped ? entry.at : host.now
      guard connection.channel.gather(entry.notification, at: at) else { continue }
      if meter.isCounting { meter.note(bytes: entry.notification.maximumLineLength) }
      payers.note(entry.payer)
    }
    connection.toldUpTo = end
  }

  /// Tells a client of a part, and sends it. What then waits, for it reads more slowly, those owe who have it told.
  private func tellPart(_ connection: Connection, upTo end: Int) {
    let now = host.now
    let (from, before) = (connection.toldUpTo, connection.channel.waiting(at: now))
    tell(connection, upTo: end)
    connection.channel.sendGathered(at: now)
    let bytes = connection.channel.waiting(at: now) - before
    guard bytes > 0, host.clockKind == .live, end > unreadUpTo else { return }
    let entries = max(from, unreadUpTo)..<end
    // Once however many it waits for.
    unreadUpTo = end
    for number in entries { noteUnread(bytes / entries.count, of: told[number].payer, by: connection) }
  }

  /// So many bytes of what goes back to a client wait for another. What it has itself told is its own matter.
  private func noteUnread(_ bytes: Int, of payer: ToldLog.Entry.Payer?, by reader: Connection) {
    guard let payer, payer.client != reader.channel.id else { return }
    let now = Instant(nanoseconds: rt_now_ns())
    unread.note(bytes, by: payer.peer, at: now)
    guard let rest = unread.rest(of: payer.peer, at: now) else { return }
    for connection in connections.values where connection.peer == payer.peer {
      connection.restServing(until: now + rest)
    }
  }

  /// Takes in what the host wants told. What is told while a line is served, and goes back to no other, is what it asked for.
  func takeIn() {
    for problem in host.takeProblems() { log(.warning, problem.description) }
    for notification in held.take(dueAt: host.now) { publish(notification) }
    for telling in host.takeTellings() {
      let notification = telling.notification
      if let group = notification.recalls {
        let from = notification.recallsFromUs.map(Instant.init(microseconds:)) ?? .distantPast
        beats?.recall(group, from: from)
        held.recall(group, from: from)
        standing.recall(group, from: from)
      }
      follow(notification)
      if !standing.keeps(notification) { send(notification, by: telling.cause ?? servedCause) }
    }
  }

  /// Sends it, now or at its instant.
  private func send(_ notification: OutgoingNotification, by cause: Cause? = nil) {
    guard let instant = notification.sendAtUs.map(Instant.init(microseconds:)), instant > host.now else {
      return publish(notification, by: cause)
    }
    if let traced = notification.traced {
      host.trace.note(
        .handedOut(
          number: traced.id, due: Instant(microseconds: notification.tUs), at: host.now, subject: traced.kind))
    }
    if let beats { beats.schedule(notification, at: instant) } else { held.insert(notification, at: instant) }
  }

  /// Where the engine pauses, what waits is taken back; where it goes on, it waits anew.
  private func follow(_ notification: OutgoingNotification) {
    if let from = notification.standsFromUs.map(Instant.init(microseconds:)) {
      standing.begin(from, with: (beats?.take(from: from) ?? []) + held.take(from: from))
    }
    if let length = notification.goesOnByUs {
      for moved in standing.end(movedByUs: length) { send(moved) }
    }
  }

  private func publish(_ notification: OutgoingNotification, by cause: Cause? = nil) {
    // What nobody hears is not carried past everybody.
    guard host.topics.contains(notification.topic) else { return }
    // Steps take no time: what comes of one is told behind it, each as of its own instant.
    let now = host.clockKind == .stepped ? min(host.now, Instant(microseconds: notification.tUs)) : host.now
    told.append(notification, at: now, by: payer(of: cause))
  }

  private func payer(of cause: Cause?) -> ToldLog.Entry.Payer? {
    guard let cause, let peer = peers[cause.client] else { return nil }
    return ToldLog.Entry.Payer(client: cause.client, peer: peer)
  }
}
