// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Glibc
import Host
import Timing
import Wire

/// Clients: how they come and go.
extension Server {
  /// How long a step waits for a client to read on, in milliseconds.
  private static let steppedPatience: Int32 = 2_000

  /// Watches for those who come, or leaves them waiting; it stays known to the loop, so that this cannot be refused later on.
  func watchListener(isOpen: Bool) -> Int32 {
    listening.map { loop.watch($0.descriptor, token: Token.listener, reading: isOpen) } ?? 0
  }

  func acceptClients() {
    // Whoever waits behind them comes with the next turn.
    while passing.hasRoom, case let descriptor = acceptOne(), descriptor >= 0 {
      guard let peer = admittedPeer(descriptor) else {
        _ = passing.take(at: processorUsed())
        continue
      }
      defer { chargePassing(to: peer) }
      if isGoneForNothing(descriptor) {
        part(with: descriptor)
        continue
      }
      do throws(RPCError) {
        try makePlace(for: peer.user)
      } catch {
        refuse(descriptor, error)
        continue
      }
      let id = ClientID(rawValue: lastClient + 1)
      if case let code = loop.watch(descriptor, token: Token.firstClient + id.rawValue), code != 0 {
        log(.error, "refused a client, which cannot be listened to: \(errorText(code))")
        refuse(
          descriptor,
          RPCError(
            .unavailable, "this client cannot be listened to: \(errorText(code))",
            hint: code == ENOSPC
              ? "raise the limit: sudo sysctl fs.epoll.max_user_watches=1000000" : "free memory, and connect again"))
        continue
      }
      lastClient = id.rawValue
      let channel = ClientChannel(
        id: id, descriptor: descriptor, limits: configuration.limits,
        patience: host.clockKind == .stepped ? Self.steppedPatience : 0)
      connections[id] = Connection(
        channel: channel, peer: peer, maximumLineBytes: configuration.limits.lineBytes, toldUpTo: told.end,
        heardUpTo: hearing.heard)
      shares.add(id, of: peer)
      peers.add(id, peer)
      let now = Instant(nanoseconds: rt_now_ns())
      if let rest = unread.rest(of: peer, at: now) { connections[id]?.restServing(until: now + rest) }
      note(.came, id)
      hasCountChanged = true
    }
  }

  /// Somebody came or went, which all of their process pay for.
  func chargePassing(to peer: Peer) { shares.chargePassing(passing.take(at: processorUsed()), to: peer) }

  /// The next client that waits, as a non-blocking descriptor; negative when there is none.
  private func acceptOne() -> Int32 {
    guard let listening = listening?.descriptor else { return -1 }
    while true {
      let descriptor = accept(listening, nil, nil)
      if descriptor >= 0 {
        acceptPause.noteAccepted()
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return descriptor
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOMEM, ENOBUFS:
        // The waiting client would wake the loop again and again.
        let code = errno
        if acceptPause.begin(at: Instant(nanoseconds: rt_now_ns())) {
          log(.error, "cannot accept a client: \(errorText(code)); trying again as descriptors are free")
        }
        _ = watchListener(isOpen: false)
        return -1
      default: return -1
      }
    }
  }

  /// Whether one has gone before it was let in, and has asked for nothing: that costs a twentieth of letting it in.
  private func isGoneForNothing(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  /// Who is at the other end, if this socket is for them.
  private func admittedPeer(_ descriptor: Int32) -> Peer? {
    guard let policy = listening?.policy else { return nil }
    var user: UInt32 = 0
    var process: Int32 = 0
    if rt_peer(descriptor, &user, &process) == 0, policy.admits(user) { return Peer(user: user, process: process) }
    log(.warning, "refused a client of user \(user)")
    refuse(
      descriptor,
      RPCError(
        .notPermitted, "this daemon serves its own user and root only", hint: "start a daemon as your own user"))
    return nil
  }

  private func refuse(_ descriptor: Int32, _ error: RPCError) {
    let line = Router<Void>.errorLine(error) + [0x0A]
    _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    part(with: descriptor)
  }

  /// Ends the connection at once, after what was sent, and closes the socket of a client, which may have sent what takes long to close.
  func part(with descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
    if refusesDescriptors { close(descriptor) } else { closer.close(descriptor) }
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
    passing.begin(at: processorUsed(at: now))
    for connection in Array(connections.values) where passing.hasRoom {
      if connection.channel.standing.condition == .overflowed { partWithSlow(connection, now) }
      guard connection.isFinished(connection.channel.standing, now: now) else { continue }
      if connection.isSpent, !connection.isServed {
        log(.notice, "client \(connection.channel.id.rawValue) is gone: not all it had asked for is done")
      }
      disconnect(connection)
      chargePassing(to: connection.peer)
    }
    countClients()
    if acceptPause.isOver(at: now) { _ = watchListener(isOpen: true) }
  }

  /// Tells the event loop what each client waits for.
  func watchClients() {
    let now = Instant(nanoseconds: rt_now_ns())
    for connection in connections.values where !connection.isGone {
      connection.endRest(at: now)
      let standing = connection.channel.standing
      let interest = Connection.Interest(
        reading: connection.reads(standing),
        writing: standing.queuedBytes > 0)
      guard interest != connection.interest else { continue }
      connection.interest = interest
      // It is watched since it came, and a change of what for takes nothing that could be refused.
      _ = loop.watch(
        connection.channel.descriptor, token: Token.firstClient + connection.channel.id.rawValue,
        reading: interest.reading, writing: interest.writing)
    }
  }

  private func partWithSlow(_ connection: Connection, _ now: Instant) {
    let limits = configuration.limits
    log(.warning, "client \(connection.channel.id.rawValue) reads too slowly: closed")
    note(.overflowed, connection.channel.id)
    connection.channel.sayFarewell(
      RPCError(
        .tooSlow,
        "more than \(limits.queuedBytes) bytes of notifications waited, and nothing was read for "
          + "\(limits.readWithinUs / 1_000) ms, or more than \(limits.queuedBytesAtOnce) waited: closing",
        hint: "read faster, or subscribe to fewer topics"), at: host.now)
    connection.closeAt = now + configuration.farewell
  }

  func disconnect(_ connection: Connection) {
    connection.channel.flush(at: host.now)
    // From here on the beats thread leaves the descriptor alone.
    connection.channel.giveUp()
    gatherTold(connection)
    note(.left, connection.channel.id)
    loop.forget(connection.channel.descriptor)
    part(with: connection.channel.descriptor)
    connections[connection.channel.id] = nil
    shares.remove(connection.channel.id)
    peers.leave(connection.channel.id)
    errands?.forget(connection.channel.id)
    host.clientLeft(connection.channel.id)
    hasCountChanged = true
  }

  /// Tells the host what anybody listens to.
  func tellTopics() {
    host.topics = connections.values.reduce(into: []) { $0.formUnion($1.channel.topics) }
  }

  /// Tells how many clients there are, and whom, where that changed.
  func countClients() {
    guard hasCountChanged else { return }
    hasCountChanged = false
    host.clientCount = connections.count
    tellTopics()
    // Who came first is told first.
    beats?.tell(connections.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.channel))
    tellStatus()
  }
}
