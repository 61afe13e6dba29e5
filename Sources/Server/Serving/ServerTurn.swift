// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Host
import Timing

/// One turn of control's loop: it sleeps, serves what clients sent, and does the rest, at once or a little later.
extension Server {
  /// One round of the loop; false when the daemon has ended.
  package func turn(waiting: Bool) -> Bool {
    let patience: Interval?
    if waiting, let left = rest.left(at: host.now) {
      patience = left
    } else {
      guard doRest() else { return false }
      patience = waiting ? self.patience(rest.due) : .zero
      giveBackMemory(patience)
    }
    var stall = stall(sleeping: patience)
    endTracedTurn()
    let wakeBy = patience.map { Instant(nanoseconds: rt_now_ns()) + max($0, .zero) }
    let events = loop.wait(until: wakeBy)
    beginTracedTurn(due: wakeBy, isIdle: events.isEmpty)
    // Looked at before anything that came meanwhile is served.
    stall = self.stall() ?? stall
    take(events)
    var hasServed = false
    if let stall {
      recover(from: stall)
    } else {
      hasServed = serve(sole: sole(of: events))
    }
    announce(within: Self.longestTelling)
    service.signOfLife(at: Instant(nanoseconds: rt_now_ns()))
    if hasServed, isForLinesAlone(events) {
      rest.putOff(at: host.now, deadline: host.nextDeadline)
    } else {
      rest.putOffNoMore()
    }
    return true
  }

  /// Does what a turn does besides clients' lines; false when the daemon has ended.
  private func doRest() -> Bool {
    if let stall = stall() { recover(from: stall) }
    followSleep()
    partWithClients()
    beginHostRun()
    rest.done(due: host.run(isWoken: hasHostWoken || unwatched.contains(Token.host)))
    hasHostWoken = false
    watchHost()
    announce(within: Self.longestTelling)
    watchClients()
    if let endAt, endNow || host.now >= endAt || host.clockKind == .stepped {
      end()
      return false
    }
    gatherTold()
    return true
  }

  /// Whether a turn woke for clients' lines alone, and all of them are served and told. Anything else would wake control again at once,
  /// for only the rest changes what is watched. For the same reason no line may close a descriptor that is watched.
  private func isForLinesAlone(_ events: [EventLoop.Event]) -> Bool {
    host.clockKind == .live && endAt == nil && unwatched.isEmpty && !hasBacklog && !hasPartings && told.isEmpty
      && events.allSatisfy { $0.token >= Token.firstClient && !$0.hungUp && !$0.isWritable }
  }

  /// What control stood still for until now. Only a clock that runs by itself can be behind.
  private func stall(sleeping patience: Interval? = .zero) -> ClosedRange<Instant>? {
    let stall = stalls.pass(at: Instant(nanoseconds: rt_now_ns()), sleeping: patience)
    return host.clockKind == .live ? stall : nil
  }

  /// How long the loop may sleep.
  private func patience(_ due: Instant?) -> Interval? {
    if hasBacklog || hasPartings || !told.isEmpty { return .zero }
    let now = Instant(nanoseconds: rt_now_ns())
    var waits: [Interval] = [service.nextSignOfLife, acceptPause.until].compactMap { $0.map { $0 - now } }
    if let due = sleepWatch.due { waits.append(due - now) }
    if !unwatched.isEmpty { waits.append(Self.unwatchedLook) }
    // Once it is past, it waits for a moment in which nothing is due.
    if let due = spareMemory.due, due > now { waits.append(due - now) }
    waits += connections.values.compactMap { $0.closeAt.map { $0 - now } }
    waits += connections.values.compactMap { earliest($0.restsUntil, $0.servedFrom).map { $0 - now } }
    // What is due and not settled yet waits for what another thread does.
    let isBehind = hearing.isBehind && host.isWaitingForClients(at: host.now)
    let soonest = isBehind ? Interval.milliseconds(1) : .zero
    if host.clockKind == .live {
      waits += [due.map { max($0 - host.now, soonest) }, endAt.map { $0 - host.now }].compactMap(\.self)
    }
    return waits.min()
  }

  private func giveBackMemory(_ patience: Interval?) {
    guard host.clockKind == .live, patience.map({ $0 > .zero }) ?? true else { return }
    let now = Instant(nanoseconds: rt_now_ns())
    if spareMemory.isToGoBack(at: now, streams: host.openStreams, patience: patience) { rt_give_back_spare() }
  }
}
