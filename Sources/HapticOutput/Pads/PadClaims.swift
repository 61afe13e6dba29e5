// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Which event nodes are in use, so that of two pads of one kind each keeps its own.
public final class PadClaims: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// No node in use.
  public init() {}

  /// Whether `path` was free; it no longer is.
  func take(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
  func release(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// The nodes in use.
  public var taken: Set<String> { paths.withLock { $0 } }
}

/// Where one device's pad is plugged in, told by its thread to whoever asks.
final class PadPlace: Sendable {
  private let current: Mutex<String?>

  init(_ path: String) { current = Mutex(path) }

  /// Nil while it is not plugged in.
  var path: String? { current.withLock { $0 } }
  func move(to path: String?) { current.withLock { $0 = path } }
}
