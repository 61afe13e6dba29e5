// SPDX-License-Identifier: Apache-2.0

import HapticOutput

/// Which devices a binding listens to.
public enum ControlSelection: Hashable, Sendable {
  /// Every game pad, whenever it is plugged in.
  case everyPad
  /// Those whose name contains it, in whatever case.
  case named(String)
  /// The one that was at that path, wherever it is plugged in later.
  case device(ControlSource.Identity, path: String)

  /// Whether it listens to `source`, one of `all`.
  public func contains(_ source: ControlSource, among all: [ControlSource]) -> Bool {
    switch self {
    case .everyPad: return source.isPad
    case .named(let text): return isPart(text, of: source.name)
    case .device(let identity, let path):
      guard source.identity == identity else { return false }
      // Of two that are alike it is the one in its old place.
      let alike = all.filter { $0.identity == identity }
      return source.path == (alike.contains { $0.path == path } ? path : alike.first?.path)
    }
  }
}
