import CRealTime
import Engine
import Glibc
import Host
import Timing
import Wire

/// Clients: accepting, reading, serving in turn, and parting.
extension Server {
  /// Requests of one client served before the next client's turn.
  private static let requestsATurn = 32

  /// How long a step waits for a client to read on, in milliseconds.
  private static let steppedPatience: Int32 = 2_000

  func watchListener() {
    switch listener {
    case .some(let listener): loop.watch(listener.descriptor, token: Token.listener)
    case .none: break
    }
  }

  func acceptClients() {
    while case let descriptor = acceptOne(), descriptor >= 0 {
      guard connections.count < configuration.limits.clients else {
        refuse(
          descriptor,
          RPCError(
            .tooManyClients, "\(connections.count) clients are connected, the most there may be",
            hint: "close one of them first"))
        continue
      }
      guard isAdmitted(descriptor) else { continue }
      lastClient += 1
      let id = ClientID(rawValue: lastClient)
      let channel = ClientChannel(
        id: id, descriptor: descriptor, bound: configuration.limits.queuedBytes,
        patience: host.clockKind == .stepped ? Self.steppedPatience : 0)
      connections[id] = Connection(channel: channel, maximumLineBytes: configuration.limits.lineBytes)
      countClients()
    }
  }

  /// The next client that waits, as a non-blocking descriptor; negative when there is none.
  private func acceptOne() -> Int32 {
    let listening: Int32
    switch listener {
    case .some(let listener): listening = listener.descriptor
    case .none: return -1
    }
    while true {
      let descriptor = accept(listening, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return descriptor
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOMEM, ENOBUFS:
        // The waiting client would wake the loop again and again.
        log(.error, "cannot accept a client: \(errorText(errno)); trying again in a second")
        loop.forget(listening)
        acceptAgainAt = Instant(nanoseconds: rt_now_ns()) + .milliseconds(1_000)
        return -1
      default: return -1
      }
    }
  }

  private func isAdmitted(_ descriptor: Int32) -> Bool {
    let policy: PeerPolicy
    switch listener {
    case .some(let listener): policy = listener.policy
    case .none: return false
    }
    var user: UInt32 = 0
    if rt_peer_user(descriptor, &user) == 0, policy.admits(user) { return true }
    log(.warning, "refused a client of user \(user)")
    refuse(
      descriptor,
      RPCError(
        .notPermitted, "this daemon serves its own user and root only", hint: "start a daemon as your own user"))
    return false
  }

  private func refuse(_ descriptor: Int32, _ error: RPCError) {
    let line = Router<Void>.errorLine(error) + [0x0A]
    _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    close(descriptor)
  }

  func handle(_ event: EventLoop.Event, of client: ClientID) {
    guard let connection = connections[client] else { return }
    if event.hungUp { connection.channel.giveUp() }
    if event.isWritable { connection.channel.flush() }
    if event.isReadable { read(connection) }
    serve(connection)
  }

  private func read(_ connection: Connection) {
    var ended = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      let got = recv(connection.channel.descriptor, buffer.baseAddress, buffer.count, 0)
      count = max(0, got)
      ended = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)
    }
    connection.arrival = host.now
    connection.reader.append(bytes)
    connection.drained = false
    connection.ended = connection.ended || ended
  }

  /// Answers what a client has asked, a bounded number of requests at a time.
  func serve(_ connection: Connection) {
    for _ in 0..<Self.requestsATurn {
      guard connection.takesRequests(connection.channel.standing) else { return }
      switch connection.reader.next() {
      case .line(let line)?: answer(line, connection)
      case .tooLong?:
        connection.channel.reply(
          Router<Void>.errorLine(
            RPCError(
              .lineTooLong, "a line may have \(configuration.limits.lineBytes) bytes; the rest of this one was skipped",
              hint: "one object a line, ended by a line feed; play long patterns from a pack, by name")))
      case nil:
        connection.drained = true
        return
      }
    }
  }

  private func answer(_ line: [UInt8], _ connection: Connection) {
    let context = Host.RequestContext(client: connection.channel.id, arrival: connection.arrival)
    let reply = router.reply(to: line, context: context)
    // What the request set off is told before its reply, so that a reply means: all of it is queued.
    announce()
    if let reply { connection.channel.reply(reply) }
    if let topics = connection.topicsBehindReply {
      connection.channel.topics = topics
      connection.topicsBehindReply = nil
    }
  }

  /// Whether requests wait that were not served for other clients' sake.
  var hasBacklog: Bool {
    connections.values.contains { !$0.drained && $0.takesRequests($0.channel.standing) }
  }

  func serveBacklog() {
    for connection in connections.values where !connection.drained { serve(connection) }
  }

  /// Whether there are clients to part with.
  var hasPartings: Bool {
    let now = Instant(nanoseconds: rt_now_ns())
    return connections.values.contains { connection in
      let standing = connection.channel.standing
      return standing.condition == .overflowed || connection.isFinished(standing, now: now)
    }
  }

  /// Parts with clients that are through or too slow, and listens again when it is time.
  func partWithClients() {
    let now = Instant(nanoseconds: rt_now_ns())
    for connection in Array(connections.values) {
      if connection.channel.standing.condition == .overflowed { partWithSlow(connection, now) }
      if connection.isFinished(connection.channel.standing, now: now) { disconnect(connection) }
    }
    if let again = acceptAgainAt, now >= again {
      acceptAgainAt = nil
      watchListener()
    }
  }

  /// Tells the event loop what each client waits for.
  func watchClients() {
    for connection in connections.values {
      let standing = connection.channel.standing
      let interest = Connection.Interest(
        reading: !connection.ended && connection.drained && connection.takesRequests(standing),
        writing: standing.queuedBytes > 0)
      guard interest != connection.interest else { continue }
      connection.interest = interest
      loop.watch(
        connection.channel.descriptor, token: Token.firstClient + connection.channel.id.rawValue,
        reading: interest.reading, writing: interest.writing)
    }
  }

  private func partWithSlow(_ connection: Connection, _ now: Instant) {
    let bound = configuration.limits.queuedBytes
    log(.warning, "client \(connection.channel.id.rawValue) reads too slowly: closed")
    connection.channel.sayFarewell(
      RPCError(
        .tooSlow, "more than \(bound) bytes of notifications waited to be read: closing",
        hint: "read faster, or subscribe to fewer topics"))
    connection.closeAt = now + .milliseconds(2_000)
  }

  func disconnect(_ connection: Connection) {
    connection.channel.flush()
    // From here on the beats thread leaves the descriptor alone.
    connection.channel.giveUp()
    loop.forget(connection.channel.descriptor)
    close(connection.channel.descriptor)
    connections[connection.channel.id] = nil
    host.clientLeft(connection.channel.id)
    countClients()
  }

  private func countClients() {
    host.clientCount = connections.count
    beats?.tell(connections.values.map(\.channel))
    tellStatus()
  }

  /// Sends what the host wants told, or keeps it for its instant.
  func announce() {
    for notification in held.take(dueAt: host.now) { publish(notification) }
    for notification in host.takeNotifications() {
      if let group = notification.recalls {
        beats?.recall(group)
        held.recall(group)
      }
      guard let instant = notification.sendAtUs.map(Instant.init(microseconds:)), instant > host.now else {
        publish(notification)
        continue
      }
      if let beats { beats.schedule(notification, at: instant) } else { held.insert(notification, at: instant) }
    }
  }

  private func publish(_ notification: OutgoingNotification) {
    for connection in connections.values { connection.channel.tell(notification) }
  }
}
