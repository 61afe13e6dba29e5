// SPDX-License-Identifier: Apache-2.0

/// Somebody who moves all three switches whenever anything is seen to happen, in that very frame. Two who begin with opposite
/// switches and play alike move each of them both ways at every moment.
struct Restless {
  /// How the switches stand.
  private(set) var sound: Bool
  private(set) var touch: Bool
  private(set) var music: Bool

  /// What changes with each frame would leave no moment its own.
  private static let steady: Set<String> = ["slider at", "message"]

  /// `on,off,on`: sound, touch, music at first.
  init?(_ text: String) {
    let words = text.split(separator: ",")
    guard words.count == 3, words.allSatisfy({ $0 == "on" || $0 == "off" }) else { return nil }
    (sound, touch, music) = (words[0] == "on", words[1] == "on", words[2] == "on")
  }

  /// What is done before anything is seen: all switches are on.
  var atFirst: [Interruptions.Deed] { deeds.filter { !$0.isOn } }

  private var deeds: [Interruptions.Deed] { [.sound(sound), .touch(touch), .music(music)] }

  /// What is done about what was seen in a frame.
  mutating func answer(_ lines: [Line]) -> [Interruptions.Deed] {
    guard lines.contains(where: { !Self.steady.contains($0.what) }) else { return [] }
    sound.toggle()
    touch.toggle()
    music.toggle()
    return deeds
  }
}
