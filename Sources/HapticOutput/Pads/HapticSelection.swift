// SPDX-License-Identifier: Apache-2.0

/// Which pads are to be used.
public enum HapticSelection: Hashable, Sendable {
  /// Every pad that is found, whenever it is plugged in.
  case all
  /// No pad, whatever is plugged in.
  case none
  /// Those whose path is one of these, or whose name contains one of them, in whatever case.
  case named([String])

  /// Reads "all", "none", or names and paths separated by commas; nil when there is nothing in it.
  public init?(_ text: String) {
    let parts = text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    switch parts {
    case []: return nil
    case ["all"]: self = .all
    case ["none"]: self = .none
    default: self = .named(parts)
    }
  }

  /// Whether `pad` is wanted.
  public func contains(_ pad: HapticPad) -> Bool { contains(name: pad.name, path: pad.path) }

  /// Whether a pad of that name and path is wanted; nil is the path of one that is unplugged.
  public func contains(name: String, path: String?) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .named(let wanted): wanted.contains { $0 == path || isPart($0, of: name) }
    }
  }

  /// Of what was named, that which none of `pads` answers to.
  public func missing(among pads: [HapticPad]) -> [String] {
    missing { name in pads.contains(where: name.contains) }
  }

  /// Of what was named, that for which `isThere` finds nothing.
  public func missing(where isThere: (_ name: HapticSelection) -> Bool) -> [String] {
    guard case .named(let names) = self else { return [] }
    return names.filter { !isThere(.named([$0])) }
  }

}

/// Whether a text is part of a name, in whichever case of letters.
public func isPart(_ text: String, of name: String) -> Bool {
  let (text, name) = (text.lowercased(), name.lowercased())
  return text.isEmpty || name.indices.contains { name[$0...].hasPrefix(text) }
}

extension Substring {
  fileprivate var trimmed: String {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
