// SPDX-License-Identifier: Apache-2.0

import Mixing

/// Who may have how many voices of patterns: a client may have all while nobody else wants any, and whoever has most gives
/// one up for another. So each of as many clients as there are voices finds one, whoever has gone: all of a user who have are
/// one here (`VoiceOwner`), and it counts as if it had one more.
struct HapticAudioShares {
  /// The most voices of patterns planned and playing at once; a sound that is ever less than fully bright takes two.
  static let mostVoices = 32
  /// The most with those that are fading out: a seek replaces every voice, and the old ones are heard until they have faded.
  /// What fades cannot be freed for somebody else, so a client has at most two thirds of what others leave, and the last is
  /// the daemon's. A client that has none always gets a sound of one voice, beyond this number.
  static let mostVoicesLeaving = 96

  /// Of each owner, without those that are on their way out.
  private var staying: [UInt64: Int] = [:]
  private var allStaying = 0
  /// Of each owner, with those.
  private var owned: [UInt64: Int] = [:]
  private var all = 0
  private let sounds: [HapticAudioEntry]

  init(_ sounds: [HapticAudioEntry]) {
    self.sounds = sounds
    for sound in sounds {
      let count = sound.voices.count
      owned[sound.owner, default: 0] += count
      all += count
      if sound.isLeavingForGood { continue }
      staying[sound.owner, default: Self.beyond(sound.owner)] += count
      allStaying += count
    }
  }

  /// What an owner counts as having beside its voices.
  private static func beyond(_ owner: UInt64) -> Int { VoiceOwner.isGone(owner) ? 1 : 0 }

  /// Whether an owner finds `count` more once all that stay have left.
  func couldHave(_ count: Int, _ owner: UInt64) -> Bool {
    let left = Self.mostVoicesLeaving - all - count
    let wanted = owned[owner, default: 0] + count
    return owner == VoiceOwner.daemon ? left >= 0 : wanted == 1 || wanted <= 2 * left
  }

  /// The places of the sounds that give up their voices so that an owner finds `count` more; nil where it finds none.
  func givers(for count: Int, of owner: UInt64) -> [Int]? {
    guard couldHave(count, owner) else { return nil }
    let wanted = staying[owner, default: Self.beyond(owner)] + count
    var (left, kept, givers) = (allStaying, staying, [Int]())
    while left + count > Self.mostVoices {
      guard let most = kept.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value > wanted,
        let oldest = sounds.indices.first(where: {
          sounds[$0].owner == most.key && !sounds[$0].isLeavingForGood && !givers.contains($0)
        })
      else { return nil }
      givers.append(oldest)
      kept[most.key] = most.value - sounds[oldest].voices.count
      left -= sounds[oldest].voices.count
    }
    return givers
  }
}
