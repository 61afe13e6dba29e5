// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Timing
import Wire

/// Clients that are gone: whose other end is closed both ways, so that nobody is there to read. One that shut its writing
/// side only is still here, and is answered.
extension Server {
  /// What may be spent on serving what a client asked for before it went: as much as a turn.
  private static let legacy = Interval.milliseconds(4)

  /// A client is gone: what it sent is taken in, as much as a line may have, to be served while that is cheap.
  func partWithGone(_ connection: Connection) {
    guard !connection.isGone else { return }
    connection.channel.giveUp()
    while !connection.ended, connection.bufferedBytes <= configuration.limits.lineBytes, read(connection) {}
    connection.leave(Self.legacy)
    // Its hang-up would wake the loop again and again.
    loop.forget(connection.channel.descriptor)
  }

  /// Makes a place for a client of `user`; fails where those who are here have them all. Who is gone has none.
  func makePlace(for user: UInt32) throws(RPCError) {
    do {
      try checkPlaces(for: user)
    } catch {
      // Who went before this one came may not have been looked at yet.
      try noticeGone(for: user)
    }
    guard connections.count >= configuration.limits.clients else { return }
    let gone = connections.values.filter(\.isGone)
    guard let first = gone.min(by: { $0.channel.id.rawValue < $1.channel.id.rawValue }) else { return }
    disconnect(first)
  }

  private func checkPlaces(for user: UInt32) throws(RPCError) {
    try places.check(user, among: connections.values.lazy.filter { !$0.isGone }.map(\.peer.user))
  }

  /// Looks who went, until there is a place for a client of `user`.
  private func noticeGone(for user: UInt32) throws(RPCError) {
    let present = connections.values.filter { !$0.isGone }
    var sockets = present.map { pollfd(fd: $0.channel.descriptor, events: 0, revents: 0) }
    _ = poll(&sockets, nfds_t(sockets.count), 0)
    for (connection, socket) in zip(present, sockets) where socket.revents & Int16(POLLHUP) != 0 {
      partWithGone(connection)
      if (try? checkPlaces(for: user)) != nil { return }
    }
    try checkPlaces(for: user)
  }
}
