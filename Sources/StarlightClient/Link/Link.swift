// SPDX-License-Identifier: Apache-2.0

import Wire

/// All that a client knows and waits for, without a socket, a thread or a clock: time is passed in, in nanoseconds of
/// CLOCK_MONOTONIC, and what is to be done is asked for.
struct Link {
  /// Where the connection stands.
  enum Phase {
    /// Not there; looked for again at this instant.
    case away(untilNs: Int64)
    /// Connected, and not yet set up.
    case settingUp(hello: SessionHello.Result?)
    case ready(Session)
    /// The client was let go of.
    case over
  }

  /// The most bytes that may wait to be written. A single line that is longer goes when nothing else waits.
  static let outboxBytes = 262_144
  /// The most requests that may wait for their answers.
  static let openRequests = 1_024
  /// How long a daemon may take to set up a connection.
  static let setUpNs: Int64 = 5_000_000_000
  /// Readings of the clock that follow the first at once, and how far apart later ones are.
  static let firstReadings = 8
  static let readingEveryNs: Int64 = 10_000_000_000

  private(set) var phase = Phase.away(untilNs: .min)
  private(set) var clock: ClockMap?
  /// Where the daemon's clock is stepped: what it stood at when it was last heard of.
  private var steppedUs: Int64?
  private let name: String
  private(set) var pack: String?
  /// What the daemon said of it last, and what it is read as since.
  private var used: SessionUse.Result?
  /// The same of a connection that is being set up.
  private var usedNow: SessionUse.Result?
  /// Whether the engine is to stand still for this client.
  private var isHeld = false
  /// What of that the daemon was asked last, and by which requests.
  private var holdAsked = (isHeld: false, ids: [Int64]())
  private var toldAhead = ToldAhead()
  private var buffers: [EventBuffer] = []
  private var backOff = BackOff()
  private var pending: [Int64: Pending] = [:]
  private var lastID: Int64 = 0
  private var outbox = Outbox()
  private var setUpByNs: Int64 = 0
  private var nextReadingNs: Int64?
  private var readings = 0
  private var helloSentNs: Int64 = 0
  private var lastInstanceID: String?
  /// Why the daemon is not there, as it was told last.
  private var toldAbsence: ClientError?

  init(name: String, pack: String?) {
    self.name = name
    self.pack = pack
  }

  var session: Session? { if case .ready(let session) = phase { session } else { nil } }

  /// How many requests of callers wait for their answers.
  var openRequests: Int {
    pending.values.count {
      switch $0 {
      case .answer, .refusal, .readers: true
      case .hello, .pack, .subscription, .topics, .clock: false
      }
    }
  }

  /// The daemon's instant at one of this program's clock, both in microseconds.
  func daemonUs(atLocalUs instant: Int64) -> Int64 { steppedUs ?? clock?.daemonUs(atLocalUs: instant) ?? instant }

  /// The daemon said what its clock is at. That of a live one has gone on since.
  mutating func heard(ofNowUs nowUs: Int64) { if steppedUs != nil { steppedUs = nowUs } }

  /// Whether lines wait to be taken: whoever adds the first has to wake the thread.
  var hasOutbox: Bool { outbox.hasLines }

  // MARK: - What callers want

  /// Takes a request of a caller; its id. `outboxFull` and `notConnected` mean that nothing is sent.
  mutating func ask(method: String, params: [UInt8], _ waiting: Pending) throws(ClientError) -> Int64 {
    guard case .ready = phase else {
      throw ClientError(
        .notConnected, "\(method) is not sent: \(toldAbsence?.reason ?? "no daemon is connected yet")",
        remedy: toldAbsence?.remedy)
    }
    let line = requestLine(id: lastID + 1, method: method, params: params)
    guard pending.count < Self.openRequests, outbox.bytes == 0 || outbox.bytes + line.count < Self.outboxBytes else {
      throw ClientError(
        .outboxFull,
        "\(method) is not sent: the daemon has \(pending.count) requests to answer and \(outbox.bytes) bytes to read",
        remedy: "send less, or wait for answers")
    }
    enqueue(line, waiting)
    return lastID
  }

  /// Nobody waits for this answer any more; who did.
  mutating func giveUp(_ id: Int64) -> Pending? { pending.removeValue(forKey: id) }

  /// Which reading of the pack counts; nil without a connection.
  var generation: Int? { session == nil ? nil : used?.generation }

  /// Holds the engine, or lets go of it: now where a connection is there, and else as one begins.
  mutating func hold(_ isHeld: Bool) {
    self.isHeld = isHeld
    // What nobody knows to stand needs no letting go.
    guard case .ready = phase else { return }
    let waiting = holdAsked.ids.filter { pending[$0] != nil }
    let isAskedFor = isHeld == holdAsked.isHeld && waiting.last == holdAsked.ids.last
    // Wished in each frame, or by turns, it waits once each way for a daemon that answers none; the last wish is asked for then.
    guard waiting.isEmpty || !isAskedFor && waiting.count < 2 else { return }
    askForHold()
  }

  private mutating func askForHold() {
    if isHeld {
      ask(EnginePause.self, Empty(), .refusal(method: EnginePause.name))
    } else {
      ask(EngineResume.self, Empty(), .refusal(method: EngineResume.name))
    }
    holdAsked = (isHeld, holdAsked.ids.filter { pending[$0] != nil } + [lastID])
  }

  /// A reader listens; it is told first what stands.
  mutating func join(_ buffer: EventBuffer) {
    buffers.append(buffer)
    switch phase {
    case .ready(let session):
      buffer.add(.connected(session))
      alignTopics(from: topics(of: buffers.dropLast()))
    case .over: buffer.end()
    case .away, .settingUp: if let toldAbsence { buffer.add(.disconnected(toldAbsence)) }
    }
  }

  /// A reader listens no more.
  mutating func leave(_ buffer: EventBuffer) {
    let before = topics(of: buffers[...])
    buffers.removeAll { $0 === buffer }
    if case .ready = phase { alignTopics(from: before) }
  }

  /// The client is let go of: nothing is told any more, and who waits is to be told so.
  mutating func end() -> [Pending] {
    phase = .over
    for buffer in buffers { buffer.end() }
    buffers = []
    defer { forget() }
    return Array(pending.values)
  }

  // MARK: - What happens

  /// When something is to be done by itself: the earliest deadline; nil for never.
  var nextNs: Int64? {
    var next: Int64
    switch phase {
    case .away(let until): return until
    case .over: return nil
    case .settingUp: next = setUpByNs
    case .ready: next = nextReadingNs ?? .max
    }
    for case .answer(_, _, let deadline, _) in pending.values { next = min(next, deadline) }
    return next == .max ? nil : next
  }

  /// A connection is there: it is set up, without waiting for one answer before the next request.
  mutating func connected(_ nowNs: Int64) {
    guard case .away = phase else { return }
    phase = .settingUp(hello: nil)
    setUpByNs = nowNs + Self.setUpNs
    ask(SessionHello.self, .init(protocol: protocolVersion, client: name), .hello)
    // A reading of the clock comes with the greeting.
    readings = 0
    helloSentNs = nowNs
    ask(SessionUse.self, .init(pack: pack), .pack)
    ask(EventsSubscribe.self, .init(topics: inOrder(topics(of: buffers[...]).union(Self.ownTopics))), .subscription)
  }

  /// There is no connection, or no more. Answers that will not come are to be given as `error`.
  mutating func disconnected(_ error: ClientError, _ nowNs: Int64) -> [Unserved] {
    if case .over = phase { return [] }
    let wasReady = session != nil
    phase = .away(untilNs: nowNs + backOff.wait())
    let nowUs = daemonUs(atLocalUs: nowNs / 1_000)
    let kept = outbox.unsent
    let waiting = pending.sorted { $0.key < $1.key }
    forget()
    // Refusals first, in the order in which they were asked: whoever is told of the end has heard all there is.
    var unserved: [Unserved] = []
    for (id, one) in waiting {
      guard let method = one.method else { continue }
      unserved.append(Unserved(one, method, wasSent: !kept.contains(id), error))
      switch one {
      case .refusal, .readers:
        if let error = unserved.last?.error { tell(.refused(Refusal(ticket: id, method: method, error: error))) }
      case .answer, .hello, .pack, .subscription, .topics, .clock: break
      }
    }
    for recalled in toldAhead.end() { tell(.told(recalled, tUs: nowUs), .beats) }
    if wasReady || toldAbsence != error { tell(.disconnected(error)) }
    toldAbsence = error
    return unserved
  }

  private mutating func forget() {
    pending = [:]
    outbox = Outbox()
    nextReadingNs = nil
    clock = nil
    steppedUs = nil
  }

  /// Lines to be written now, with their ids; `wrote` says when they are.
  mutating func takeOutbox() -> [(id: Int64, line: [UInt8])] { outbox.take() }

  /// So many bytes of what was taken are with the kernel.
  mutating func wrote(_ bytes: Int) { outbox.wrote(bytes) }

  /// The daemon tells something.
  mutating func told(_ notification: Event.Notification, _ topic: Topic, tUs: Int64) {
    // To who begins to listen nothing is recalled that others were told.
    if topic != .beats || buffers.contains(where: { $0.topics.contains(.beats) }) {
      toldAhead.hear(notification, tUs: tUs)
    }
    tell(.told(notification, tUs: tUs), topic)
    if case .packLoading(let loading) = notification, loading.change == .taken, let pack = used?.pack,
      loading.pack == pack, let generation = loading.generation
    {
      used?.generation = generation
      tell(.packRead(generation: generation))
    }
  }

  /// The daemon answers. Gives the task to be woken, if any; throws why the connection is of no use.
  mutating func answered(
    _ id: Int64, _ result: Result<[UInt8], RPCError>, _ nowNs: Int64
  ) throws(ClientError) -> CheckedContinuation<Result<[UInt8], ClientError>, Never>? {
    let waiting = pending.removeValue(forKey: id)
    if holdAsked.ids.contains(id), session != nil, isHeld != holdAsked.isHeld { askForHold() }
    switch waiting {
    case .answer(let continuation, _, _, let use)?:
      // Here, not as the task is awake: what is told next may be of that pack, or the connection be gone.
      if let use, case .success(let bytes) = result, let used = try? decoded(SessionUse.self, bytes) {
        (self.pack, self.used) = (use.pack, used)
      }
      return continuation
    case .refusal(let method)?:
      if case .failure(let error) = result {
        tell(.refused(Refusal(ticket: id, method: method, error: ClientError(error))))
      }
    case .readers(let method)?:
      switch result {
      case .success(let bytes): tell(.answered(Answer(ticket: id, method: method, bytes: bytes)))
      case .failure(let error): tell(.refused(Refusal(ticket: id, method: method, error: ClientError(error))))
      }
    case .hello?:
      let hello = try read(SessionHello.self, result)
      phase = .settingUp(hello: hello)
      switch hello.clock {
      case .live: clock = ClockMap(daemonUs: hello.nowUs, sentNs: helloSentNs, receivedNs: nowNs)
      case .stepped: steppedUs = hello.nowUs
      }
    case .pack?:
      usedNow = try read(SessionUse.self, result)
    case .subscription?: try setUp(read(EventsSubscribe.self, result), nowNs)
    case .clock(let sentNs)?:
      let read = try read(ClockNow.self, result)
      let reading = ClockMap(daemonUs: read.nowUs, sentNs: sentNs, receivedNs: nowNs)
      clock = clock?.narrowed(by: reading) ?? reading
      readings += 1
      nextReadingNs = readings < Self.firstReadings ? nowNs : nowNs + Self.readingEveryNs
    case .topics?, nil: break
    }
    return nil
  }

  /// Time has come to `nowNs`: reads the clock where that is due. Gives the tasks whose deadline has passed; throws where the
  /// daemon does not answer as a connection begins.
  mutating func passed(
    _ nowNs: Int64
  ) throws(ClientError) -> [CheckedContinuation<Result<[UInt8], ClientError>, Never>] {
    if case .settingUp = phase, nowNs >= setUpByNs {
      throw ClientError(.timedOut, "the daemon at the socket does not answer")
    }
    if let due = nextReadingNs, nowNs >= due {
      nextReadingNs = nil
      ask(ClockNow.self, Empty(), .clock(sentNs: nowNs))
    }
    var overdue: [CheckedContinuation<Result<[UInt8], ClientError>, Never>] = []
    for case (let id, .answer(let continuation, _, let deadline, _)) in pending where nowNs >= deadline {
      pending[id] = nil
      overdue.append(continuation)
    }
    return overdue
  }

  // MARK: - Within

  private mutating func setUp(_ subscribed: EventsSubscribe.Result, _ nowNs: Int64) {
    guard case .settingUp(let hello?) = phase else { return }
    let session = Session(
      hello: hello, pack: usedNow?.pack, generation: usedNow?.generation, snapshot: subscribed.snapshot,
      continuity: lastInstanceID.map { $0 == hello.instanceId ? .sameDaemon : .newDaemon } ?? .first)
    let before = used
    used = usedNow
    phase = .ready(session)
    lastInstanceID = hello.instanceId
    toldAbsence = nil
    backOff.reset()
    if hello.clock == .live { nextReadingNs = nowNs }
    holdAsked = (false, [])
    // Not before: a connection that is refused its pack would stop everybody at each attempt.
    if isHeld { askForHold() }
    tell(.connected(session))
    if session.continuity == .sameDaemon, let generation = session.generation, before?.pack == session.pack,
      before?.generation != generation
    {
      tell(.packRead(generation: generation))
    }
    // Readers may have come while it was set up.
    alignTopics(from: Set(subscribed.topics))
  }

  private mutating func tell(_ event: Event, _ topic: Topic? = nil) {
    for buffer in buffers where topic.map(buffer.topics.contains) ?? true { buffer.add(event, topic) }
  }

  private func topics(of buffers: ArraySlice<EventBuffer>) -> Set<Topic> {
    buffers.reduce(into: []) { $0.formUnion($1.topics) }
  }

  /// What the client listens to itself, whoever else does. `engine` is none of it: who listens to that is waited for when the
  /// system has slept.
  private static let ownTopics: Set<Topic> = [.packs]

  private func inOrder(_ topics: Set<Topic>) -> [Topic] { topics.sorted { $0.rawValue < $1.rawValue } }

  /// Has the daemon tell what is listened to, and no more.
  private mutating func alignTopics(from before: Set<Topic>) {
    let now = topics(of: buffers[...])
    if !now.contains(.beats) { toldAhead.forget() }
    let (added, gone) = (now.subtracting(before), before.subtracting(now))
    let (asked, ended) = (added.subtracting(Self.ownTopics), gone.subtracting(Self.ownTopics))
    if !asked.isEmpty { ask(EventsSubscribe.self, .init(topics: inOrder(asked)), .topics) }
    if !ended.isEmpty { ask(EventsUnsubscribe.self, .init(topics: inOrder(ended)), .topics) }
  }

  /// Asks something for the client itself, whatever waits already: that is a handful.
  private mutating func ask<Method: WireMethod>(_: Method.Type, _ params: Method.Params, _ waiting: Pending) {
    let params = (try? encodeJSON(params)) ?? Array("{}".utf8)
    enqueue(requestLine(id: lastID + 1, method: Method.name, params: params), waiting)
  }

  private mutating func enqueue(_ line: [UInt8], _ waiting: Pending) {
    lastID += 1
    pending[lastID] = waiting
    outbox.add(lastID, line)
  }

  private func read<Method: WireMethod>(
    _ method: Method.Type, _ result: Result<[UInt8], RPCError>
  ) throws(ClientError) -> Method.Result {
    switch result {
    case .success(let bytes): try decoded(method, bytes)
    case .failure(let error): throw ClientError(error)
    }
  }
}
