// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Glibc
import Host
import Timing
import Tracing
import Wire

/// What clients ask: all of them are read before any is served, so that nobody's bytes are stamped late for another's
/// sake, and then served by turns.
extension Server {
  /// Takes in what is ready: first what clients sent, then all else.
  func take(_ events: [EventLoop.Event]) {
    looking.at = Instant(nanoseconds: rt_now_ns())
    for event in events where event.token >= Token.firstClient && event.isWritable && !event.hungUp {
      connections[ClientID(rawValue: event.token - Token.firstClient)]?.channel.flush(at: host.now)
    }
    read(events)
    passing.begin(at: processorUsed())
    for event in events where event.token >= Token.firstClient && event.hungUp {
      guard let connection = connections[ClientID(rawValue: event.token - Token.firstClient)] else { continue }
      // Its event comes again.
      if !passing.hasRoom {
        looking.leavesUnread = true
        break
      }
      partWithGone(connection)
      chargePassing(to: connection.peer)
    }
    passing.begin(at: processorUsed())
    for event in events where event.token < Token.firstClient { handle(event) }
    countClients()
  }

  /// The client of which alone `events` tell; nil for none, or several, or other things.
  func sole(of events: [EventLoop.Event]) -> ClientID? {
    guard events.count == 1, events[0].token >= Token.firstClient else { return nil }
    return ClientID(rawValue: events[0].token - Token.firstClient)
  }

  /// Bytes beyond which what a line asks for may be too dear for control, and beyond which reading it may.
  private static let longLine = 4_096
  private static let longestRead = 16_384

  /// Serves lines in turn, for at most `budget` and one line more; without it as much as a turn may cost. `sole` is the client
  /// for which alone the turn woke: what the turn did so far was done for it. Whether there was a line.
  @discardableResult func serve(_ budget: Interval? = nil, sole: ClientID? = nil) -> Bool {
    // Behind a standstill, and where something is to be settled, lines are what it is for.
    let isForLines = budget != nil
    shares.beginTurn(budget, spent: spentBesides(), isForTelling: !isForLines && hasMuchToTell)
    defer { servedUpTo = processorUsed() }
    var count = 0
    // What the turn does between two lines is nobody's.
    var besides = Interval.zero
    while true {
      let teller = isForLines || !shares.hasRoom ? nil : told.nextPayer
      let next = shares.next(isDue: count == 0) { client in
        client == teller || connections[client]?.hasLines == true && (isForLines || !isGated(client))
      }
      guard let client = next, let connection = connections[client] else { break }
      if client == teller {
        shares.tell(client, for: besides + tellAndCharge(within: Self.longestTelling))
        meter.begin(at: processorUsed())
        besides = readMeanwhile() ? meter.take(at: processorUsed()) : .zero
        continue
      }
      let isAnybodyBehind = !told.isEmpty
      // Where others are behind, the turn did not wake for one.
      if count == 0 { meter.begin(at: client == sole && !isAnybodyBehind ? turnBeganWith : processorUsed()) }
      count += 1
      if isAnybodyBehind {
        // What was due before its line is told before its reply, and is no part of what it asks for.
        let isCaughtUp = catchUp(connection, within: Self.longestCatchingUp)
        besides = besides + payForTelling(meter.take(at: processorUsed()))
        if !isCaughtUp {
          shares.tell(client, for: besides)
          besides = .zero
          continue
        }
      }
      let begun = host.now
      let served = serveLine(of: connection, tellsOthers: !isAnybodyBehind)
      let cost = meter.take(at: processorUsed())
      let owed = served?.isHit == true ? min(cost, Self.mostOfABeat) : cost
      // A line that was left to another thread has its client told what was due before it, too.
      connection.channel.sendGathered(at: host.now)
      shares.charge(owed, to: client, besides: besides + (cost - owed))
      connection.spend(cost)
      if let served { note(served, begun: begun, processor: meter.isCounting ? .zero : cost) }
      besides = readMeanwhile() ? meter.take(at: processorUsed()) : .zero
    }
    return count > 0
  }

  /// The most that telling one client may take before a line of it is served: more is told in another of its turns.
  private static let longestCatchingUp = Interval.microseconds(500)

  /// The most that a tap owes which took a beat: the chapter's answer to it may be dear, and is the chapter's, of which no beat has
  /// two. A player who hits often would have a larger share than a program that floods, and be too late for that.
  private static let mostOfABeat = Interval.microseconds(100)

  /// What all but lines has cost since lines were served last: what the engine did and told, who came and went, what was read.
  private func spentBesides() -> Interval {
    let passed = passing.takeAll()
    return meter.isCounting ? passed : Interval(nanoseconds: max(0, processorUsed() - servedUpTo))
  }

  /// Records how a line was served.
  private func note(_ served: Served, begun: Instant, processor: Interval) {
    if let errand = served.errand { host.trace.note(.errand(begun: errand.begun, done: errand.done), by: served.cause) }
    host.trace.endLine(
      by: served.cause, arrived: served.arrived, begun: begun, done: host.now, processor: processor)
  }

  /// A line that was answered.
  private struct Served {
    var cause: Cause
    var arrived: Instant
    var errand: (begun: Instant, done: Instant)?
    /// Whether it was a tap that took a beat.
    var isHit = false
  }

  /// Serves the next line of a client; nil where it is answered later, or is none. What it sets off is told to others at once where it
  /// `tellsOthers`: not where they wait for what was due before it.
  private func serveLine(of connection: Connection, tellsOthers: Bool) -> Served? {
    let left = connection.left.take()
    guard let line = left?.line ?? connection.nextLine() else { return nil }
    let cause = Cause(client: connection.channel.id, user: connection.peer.user, line: line.number)
    servedCause = cause
    defer { servedCause = nil }
    host.trace.beginLine()
    var isHit = false
    switch line.item {
    case .line(let bytes):
      meter.note(bytes: bytes.count)
      // What is told from here on is told for it.
      _ = host.takeStepCount()
      var errand = left?.errand ?? (errands != nil && bytes.count > Self.longLine ? Errand() : nil)
      var reply: [UInt8]?
      switch read(bytes, as: left?.reading, errand) {
      case nil:
        leave(line, of: connection, reading: nil, errand)
        return nil
      case .refused(let refusal)?: reply = refusal
      case .request(let reading)?:
        host.trace.noteMethod(reading.place)
        if errand == nil, errands != nil, reading.mayBeLeft { errand = Errand() }
        let context = Host.RequestContext(cause: cause, arrival: line.at, errand: errand)
        reply = router.reply(to: reading, context: context)
        isHit = host.takeHit()
        meter.note(steps: host.takeStepCount())
        if let errand, errand.isLeft {
          leave(line, of: connection, reading: reading, errand)
          takeIn()
          return nil
        }
      }
      // What the request set off is told to who asks before the reply, so that a reply means: all of it is queued. Others come behind
      // it: who asks does not wait for them.
      catchUp(connection)
      if let reply = reply.take() { connection.channel.reply(reply, at: host.now) }
      if tellsOthers { tellAll(within: Self.longestTelling) }
      // That is part of what the line costs.
      payers.forget()
      if let topics = connection.topicsBehindReply {
        connection.channel.topics = topics
        connection.topicsBehindReply = nil
        tellTopics()
      }
    case .tooLong:
      connection.channel.reply(
        Router<Void>.errorLine(
          RPCError(
            .lineTooLong, "a line may have \(configuration.limits.lineBytes) bytes; the rest of this one was skipped",
            hint:
              "one object a line, ended by a line feed; a pattern of more than \(HapticsPlay.longestInline) bytes is played from a pack, by name"
          )), at: host.now)
    }
    return Served(cause: cause, arrived: line.at, errand: left?.errand.doneWithin, isHit: isHit)
  }

  /// The request in a line, `reading` where that is known; nil where the errand is to find it.
  private func read(_ bytes: [UInt8], as reading: ReadRequest?, _ errand: Errand?) -> ReadLine? {
    if let reading { return .request(reading) }
    guard let errand, bytes.count > Self.longestRead else { return router.read(bytes) }
    let reader = router.reader
    return try? errand.result { reader.read(bytes) }
  }

  /// Leaves a line to the other thread. Its client's later lines wait, so that replies keep their order; everybody else goes on.
  private func leave(_ line: Connection.Arrived, of connection: Connection, reading: ReadRequest?, _ errand: Errand?) {
    guard let errand else { return }
    connection.left = LeftLine(line, reading, errand)
    if !errand.isAwaited { errands?.add(errand, of: connection.channel.id, connection.peer) }
  }

  /// Whether lines wait that were not served for other clients' sake.
  var hasBacklog: Bool { connections.values.contains(where: \.hasLines) }
}
