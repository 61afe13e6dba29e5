// SPDX-License-Identifier: Apache-2.0

/// A step of the way to a value: the name of a member, or the place of an element.
public struct JSONStep: CodingKey, Hashable, Sendable {
  public var stringValue: String
  public var intValue: Int?

  /// A member of that name.
  public init(_ name: String) { stringValue = name }
  /// The element at that place, from 0.
  public init(_ place: Int) { (stringValue, intValue) = (String(place), place) }
  public init(stringValue: String) { self.init(stringValue) }
  public init(intValue: Int) { self.init(intValue) }
}

extension JSONTape {
  /// The way from the outermost value to the one at `index`.
  public func path(to index: Int) -> [JSONStep] {
    var steps: [JSONStep] = []
    var holder = 0
    while holder < index {
      var at = holder + 1
      var place = 0
      let isObject = nodes[holder].kind == .object
      while at < nodes[holder].next {
        let value = isObject ? at + 1 : at
        if index < nodes[value].next {
          steps.append(isObject ? JSONStep(string(at: at)) : JSONStep(place))
          at = value
          break
        }
        at = Int(nodes[value].next)
        place += 1
      }
      guard at > holder, at < nodes[holder].next else { break }
      holder = at
    }
    return steps
  }
}

/// A path as people write it: `cues.settle.steps[1].sound`; each name cut at 64 bytes.
public func dotted(_ path: [any CodingKey]) -> String {
  path.reduce(into: "") { text, key in
    text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + excerpt(key.stringValue)
  }
}
