// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// Which controls of a pad tap which lanes, as `--bind` names them: `left=BTN_WEST,right=BTN_EAST`, or `BTN_SOUTH` in a chapter
/// without lanes.
struct LaneControls: Equatable {
  /// A control and what it taps.
  struct Pair: Equatable {
    var lane: String?
    var control: String
  }

  let pairs: [Pair]

  /// Reads what was typed; nil where a lane or a control is empty.
  init?(_ text: String) {
    var pairs: [Pair] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !sides.contains("") else { return nil }
      pairs.append(Pair(lane: sides.count == 2 ? sides[0] : nil, control: sides[sides.count - 1]))
    }
    self.pairs = pairs
  }

  /// Binds them for this connection; their numbers.
  func bind(_ connection: StarlightConnection, device: String?, grabs: Bool) throws(ToolFailure) -> Set<Int64> {
    var bound: Set<Int64> = []
    for pair in pairs {
      let params = RhythmBind.Params(
        control: pair.control, lane: pair.lane, device: device, grab: grabs ? true : nil)
      bound.insert(try connection.ask(RhythmBind.self, params).binding)
    }
    return bound
  }
}
