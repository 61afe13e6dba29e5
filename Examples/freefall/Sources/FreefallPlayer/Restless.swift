// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// Somebody who turns all three switches whenever anything is seen to happen, in that very frame. Two who begin with opposite
/// switches and play alike turn each of them both ways at every moment.
struct Restless {
  /// What is turned off before anything is seen: all switches are on.
  let atFirst: [Switches.Name]

  /// `on,off,on`: sound, touch, music at first.
  init?(_ text: String) {
    let words = text.split(separator: ",")
    guard words.count == 3, words.allSatisfy({ $0 == "on" || $0 == "off" }) else { return nil }
    atFirst = zip([Switches.Name.effects, .haptics, .music], words).filter { $1 == "off" }.map(\.0)
  }

  /// Whether this is a moment, and not that a switch was turned.
  func isMoment(_ line: PlayLog.Line) -> Bool {
    !line.what.hasSuffix(" switch") && line.name?.hasPrefix("toggle") != true
  }
}
