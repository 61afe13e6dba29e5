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
  /// The most that telling may take at a time.
  private static let longestTelling = Interval.milliseconds(3)

  /// What a turn has taken, from where the engine went on, when no more is told in it: what is gathered by then is sent, which takes
  /// 2 ms where it is for all clients there may be, and the engine is to go on within 10.
  private static let tellsUntil = Interval.milliseconds(6)

  /// What telling may take now.
  var tellingBudget: Interval {
    let taken = Interval(nanoseconds: max(0, processorUsed() - engineRanWith))
    return max(.zero, min(Self.longestTelling, Self.tellsUntil - taken))
  }

  /// Entries of the log, as many as all plans there may be come to at one instant, beyond which a turn serves one line: it is not to
  /// grow for what is asked meanwhile.
  static let muchToTell = 8_192

  /// Notifications a client is told of between two looks at how long that takes.
  private static let toldAtOnce = 16

  /// Takes in what the host wants told, and tells everybody; all of it, or what can be told within `budget`.
  func announce(within budget: Interval? = nil) {
    let begun = processorUsed()
    takeNotifications()
    tellAll(within: budget)
    sendGathered()
    if !meter.isCounting { telling.tell(Interval(nanoseconds: max(0, processorUsed() - begun))) }
  }

  /// Tells one client of all that it was not told yet, and that is before its reply.
  func catchUp(_ connection: Connection) {
    takeNotifications()
    tell(connection, upTo: told.end)
  }

  func sendGathered() {
    guard hasGathered else { return }
    hasGathered = false
    for connection in connections.values { connection.channel.sendGathered(at: host.now) }
  }

  /// Tells everybody of what is in the log, those who are farthest behind first, within `budget` where time runs by itself.
  func tellAll(within budget: Interval? = nil) {
    if told.isEmpty { return }
    // Of a few the clock is not asked: that takes as long as telling one of them.
    let isBounded = !meter.isCounting && told.count > Self.toldAtOnce
    let enough = isBounded ? budget.map { processorUsed() + $0.nanoseconds } : nil
    while case let from = farthestBehind, from < told.end {
      let end = enough == nil ? told.end : min(from + Self.toldAtOnce, told.end)
      for connection in connections.values where connection.toldUpTo < end {
        tell(connection, upTo: end)
        // What many are told of takes as long as many lines: the rest comes when the engine has gone on.
        if let enough, processorUsed() > enough { return told.forget(before: farthestBehind) }
      }
      if isBounded { readMeanwhile() }
    }
    told.forget(before: told.end)
  }

  /// The number of the first entry that somebody was not told of.
  private var farthestBehind: Int { connections.values.lazy.map(\.toldUpTo).min() ?? told.end }

  private func tell(_ connection: Connection, upTo end: Int) {
    guard connection.toldUpTo < end else { return }
    hasGathered = true
    for number in connection.toldUpTo..<end {
      let entry = told[number]
      connection.channel.gather(entry.notification, at: host.clockKind == .stepped ? entry.at : host.now)
      if meter.isCounting, connection.channel.topics.contains(entry.notification.topic) {
        meter.note(bytes: entry.notification.maximumLineLength)
      }
    }
    connection.toldUpTo = end
  }

  private func takeNotifications() {
    for problem in host.takeProblems() { log(.warning, problem.description) }
    for notification in held.take(dueAt: host.now) { publish(notification) }
    for notification in host.takeNotifications() {
      if let group = notification.recalls {
        let from = notification.recallsFromUs.map(Instant.init(microseconds:)) ?? .distantPast
        beats?.recall(group, from: from)
        held.recall(group, from: from)
        standing.recall(group, from: from)
      }
      follow(notification)
      if !standing.keeps(notification) { send(notification) }
    }
  }

  /// Sends it, now or at its instant.
  private func send(_ notification: OutgoingNotification) {
    guard let instant = notification.sendAtUs.map(Instant.init(microseconds:)), instant > host.now else {
      return publish(notification)
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

  private func publish(_ notification: OutgoingNotification) {
    // Steps take no time: what comes of one is told behind it, each as of its own instant.
    let now = host.clockKind == .stepped ? min(host.now, Instant(microseconds: notification.tUs)) : host.now
    told.append(notification, at: now)
  }
}
