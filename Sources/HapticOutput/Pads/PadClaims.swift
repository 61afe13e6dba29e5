// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Which event nodes are in use, so that of two pads of one kind each keeps its own.
public final class PadClaims: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// No node in use.
  public init() {}

  /// The claim to `path`, for as long as it is kept; nil where another has it.
  func take(_ path: String) -> PadClaim? {
    guard paths.withLock({ $0.insert(path).inserted }) else { return nil }
    return PadClaim(path, self)
  }

  fileprivate func release(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// The nodes in use.
  public var taken: Set<String> { paths.withLock { $0 } }
}

/// One node in use, free again as this is dropped: no way out of whoever has it forgets that.
///
/// Who hangs in a pad that has gone keeps nobody from the next: the kernel gives the node's number to no other pad before the last
/// call in it has come back.
struct PadClaim: ~Copyable, Sendable {
  private let path: String
  private let claims: PadClaims

  fileprivate init(_ path: String, _ claims: PadClaims) { (self.path, self.claims) = (path, claims) }

  deinit { claims.release(path) }
}

/// Where one device's pad is plugged in, told by its thread to whoever asks.
final class PadPlace: Sendable {
  private let current: Mutex<String?>

  init(_ path: String) { current = Mutex(path) }

  /// Nil while it is not plugged in.
  var path: String? { current.withLock { $0 } }
  func move(to path: String?) { current.withLock { $0 = path } }
}
