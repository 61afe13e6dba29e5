// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics

/// Which families voices and players are of that parameters drive. A name keeps its family through all readings of its pack, and a pack
/// that was taken out keeps its own for as long as something of it plays: that is driven on.
struct ParameterFamilies {
  /// Something of a pack whose voices are driven together.
  enum Heard: Hashable {
    case track(String)
    case stem(String, of: String)
    case sound(String)
  }

  private struct OfPack {
    var voices: [Heard: Int32] = [:]
    var players: [String: HapticFamilyID] = [:]
  }

  private var packs: [String: OfPack] = [:]
  /// Packs that were taken out and have families.
  private(set) var gone: Set<String> = []
  /// How many families of voices there are.
  private(set) var count = 0
  /// The mixer has so many and no more, so a number that was let go of is given out again, the least first.
  private var free: [Int32] = []
  /// Of players none is ever given out again: each device has its own memory of them.
  private var nextOfPlayers = 0

  /// The family of voices of that name, a new one where there is none.
  mutating func voices(_ heard: Heard, of pack: String) -> Int32 {
    if let known = packs[pack]?.voices[heard] { return known }
    let number = free.popLast() ?? Int32(count)
    packs[pack, default: OfPack()].voices[heard] = number
    count += 1
    return number
  }

  /// The family of the players of a pattern, a new one where there is none.
  mutating func players(of pattern: AssetKey) -> HapticFamilyID {
    if let known = packs[pattern.pack]?.players[pattern.name] { return known }
    let family = HapticFamilyID(rawValue: nextOfPlayers)
    nextOfPlayers += 1
    packs[pattern.pack, default: OfPack()].players[pattern.name] = family
    return family
  }

  /// The number of a family of voices, or -1.
  func number(_ heard: Heard, of pack: String) -> Int32 { packs[pack]?.voices[heard] ?? -1 }

  /// The family of the players of a pattern, where it has one.
  func family(ofPattern name: String, of pack: String) -> HapticFamilyID? { packs[pack]?.players[name] }

  /// A pack is there.
  mutating func come(_ pack: String) { gone.remove(pack) }

  /// A pack was taken out.
  mutating func go(_ pack: String) { if packs[pack] != nil { gone.insert(pack) } }

  /// How many families of voices would be let go of.
  func countReleased(playing: Set<String>) -> Int {
    gone.subtracting(playing).reduce(0) { $0 + (packs[$1]?.voices.count ?? 0) }
  }

  /// Lets go of the families of packs that were taken out and of which nothing plays.
  mutating func release(playing: Set<String>) {
    for pack in gone.subtracting(playing) {
      let released = packs.removeValue(forKey: pack)?.voices.values.map(\.self) ?? []
      count -= released.count
      free += released
      gone.remove(pack)
    }
    free.sort(by: >)
  }
}
