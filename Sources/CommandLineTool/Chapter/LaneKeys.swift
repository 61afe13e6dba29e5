// SPDX-License-Identifier: Apache-2.0

/// Which key taps which lane.
struct LaneKeys: Equatable {
  /// The lanes' names; empty where a chapter has none.
  let lanes: [String]

  enum Meaning: Equatable {
    case tap(lane: String?)
    case quit
    case nothing
  }

  /// Arrows tap the lanes named after their directions, digits the lanes in order; without lanes every key but q taps.
  func meaning(of key: Key) -> Meaning {
    if key == .character("q") || key == .escape { return .quit }
    if lanes.isEmpty { return .tap(lane: nil) }
    let names: [String] =
      switch key {
      case .left: ["left"]
      case .right: ["right"]
      case .up: ["top", "up"]
      case .down: ["bottom", "down", "centre", "center"]
      default: []
      }
    if let lane = lanes.first(where: { names.contains($0.lowercased()) }) { return .tap(lane: lane) }
    if case .character(let character) = key, let digit = character.wholeNumberValue, lanes.indices.contains(digit - 1) {
      return .tap(lane: lanes[digit - 1])
    }
    return .nothing
  }

  /// "← left, → right, ↑ top; q ends".
  var hint: String {
    if lanes.isEmpty { return "space taps; q ends" }
    let taps = lanes.enumerated().map { index, lane in
      let arrows: [(Key, String)] = [(.left, "←"), (.right, "→"), (.up, "↑"), (.down, "↓")]
      let arrow = arrows.first { meaning(of: $0.0) == .tap(lane: lane) }?.1
      return "\(arrow ?? String(index + 1)) \(lane)"
    }
    return taps.joined(separator: ", ") + "; q ends"
  }
}
