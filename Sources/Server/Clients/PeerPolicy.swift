// SPDX-License-Identifier: Apache-2.0

/// Which users may connect.
///
/// The socket file's mode decides in the kernel; where it is for its owner alone, the peer's credentials are checked
/// once more, because a descriptor can be passed on.
enum PeerPolicy: Equatable {
  /// The daemon's own user, and root.
  case ownerAndRoot(user: UInt32)
  /// Whoever the socket file's mode lets in.
  case fileMode

  /// The policy for a socket file of that mode, served by `user`.
  init(mode: UInt32, user: UInt32) { self = mode & 0o077 == 0 ? .ownerAndRoot(user: user) : .fileMode }

  /// Whether `peer` may connect.
  func admits(_ peer: UInt32) -> Bool {
    switch self {
    case .ownerAndRoot(let user): peer == user || peer == 0
    case .fileMode: true
    }
  }
}
