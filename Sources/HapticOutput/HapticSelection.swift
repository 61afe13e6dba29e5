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
  public func contains(_ pad: HapticPad) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .named(let names): names.contains { name in matches(pad, name) }
    }
  }

  /// Of what was named, that which none of `pads` answers to.
  public func missing(among pads: [HapticPad]) -> [String] {
    guard case .named(let names) = self else { return [] }
    return names.filter { name in !pads.contains { matches($0, name) } }
  }

  private func matches(_ pad: HapticPad, _ name: String) -> Bool {
    pad.path == name || pad.name.lowercased().contains(name.lowercased())
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
