// SPDX-License-Identifier: Apache-2.0

/// Who is at the other end of a client's socket, as the kernel told when it connected.
struct Peer: Hashable {
  /// Its user id.
  let user: UInt32
  /// Its process id; 0 for one that has none here, as from outside a container: those of a user are then taken for one.
  let process: Int32
}
