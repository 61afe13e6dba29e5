// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Host
import Timing
import Tracing
import Wire

/// What the host wants told: sent, kept for its instant, or told in parts where there is much of it.
extension Server {
  /// Whether lines may be served: nothing is untold, or has been for so long that taps would come too late for their grace.
  var mayServe: Bool {
    guard !untold.isEmpty else {
      untoldSince = nil
      return true
    }
    let now = Instant(nanoseconds: rt_now_ns())
    let since = untoldSince ?? now
    untoldSince = since
    guard now - since >= Self.longestUntold else { return false }
    untoldSince = nil
    return true
  }

  /// For how long lines wait for what is untold, at the most: less than half the least grace of taps.
  private static let longestUntold = Interval.milliseconds(20)

  /// The most that telling may take before the engine goes on, twice a turn at most.
  static let longestTelling = Interval.milliseconds(3)

  /// Sends what the host wants told, or keeps it for its instant; all of it, or what can be told within `budget`.
  func announce(within budget: Interval? = nil) {
    let begun = processorUsed()
    gatherAnnouncements(within: budget)
    sendGathered()
    if !meter.isCounting { telling.tell(Interval(nanoseconds: max(0, processorUsed() - begun))) }
  }

  /// Notifications told between two looks at how long that takes.
  private static let toldAtOnce = 8

  func sendGathered() {
    guard hasGathered else { return }
    hasGathered = false
    for connection in connections.values { connection.channel.sendGathered(at: host.now) }
  }

  func gatherAnnouncements(within budget: Interval? = nil) {
    for problem in host.takeProblems() { log(.warning, problem.description) }
    for notification in held.take(dueAt: host.now) { publish(notification) }
    untold.append(contentsOf: host.takeNotifications())
    let enough = meter.isCounting ? nil : budget.map { processorUsed() + $0.nanoseconds }
    var told = 0
    defer { if told > 0 { untold.removeFirst(told) } }
    for notification in untold {
      // What many are told of takes as long as many lines: the rest comes when the engine has gone on.
      if let enough, told % Self.toldAtOnce == Self.toldAtOnce - 1, processorUsed() > enough { return }
      told += 1
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
    hasGathered = true
    for connection in connections.values {
      connection.channel.gather(notification, at: now)
      if meter.isCounting, connection.channel.topics.contains(notification.topic) {
        meter.note(bytes: notification.maximumLineLength)
      }
    }
  }
}
