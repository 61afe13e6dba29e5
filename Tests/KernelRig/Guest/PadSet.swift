// SPDX-License-Identifier: Apache-2.0

/// A pad of every kind, and one that is like another.
struct PadSet {
  /// Part of the name of each, and of no other pad's.
  let name: String
  var rumble: PluggedPad
  let twin: PluggedPad
  let wave: PluggedPad
  let push: PluggedPad

  /// Plugs them in, all at once.
  static func plug(_ names: [String]) throws -> [PadSet] {
    let sets = try names.enumerated().map { index, name in
      func pad(_ kind: PadKind, _ word: String, _ number: Int) throws -> PluggedPad {
        try PluggedPad(
          plugging: "\(name) \(word)", kind, product: UInt16(10 * index + number),
          log: "haptics-\(name)-\(word)".lowercased())
      }
      return PadSet(
        name: name, rumble: try pad(.rumble, "Rumble", 1), twin: try pad(.rumble, "Twin", 2),
        wave: try pad(.periodic, "Wave", 3), push: try pad(.constant, "Push", 4))
    }
    for set in sets { for pad in set.all { try pad.waitForNode() } }
    return sets
  }

  var all: [PluggedPad] { [rumble, twin, wave, push] }

  /// What each was told since the last call.
  func takeHistories() -> [MotorHistory] { all.map { $0.takeHistory() } }
}
