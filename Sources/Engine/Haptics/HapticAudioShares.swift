// SPDX-License-Identifier: Apache-2.0

/// Who may have how many voices of patterns: a client may have all while nobody else wants any, and whoever has most gives
/// one up for another. So each of as many clients as can have players finds one.
struct HapticAudioShares {
  /// The most voices of patterns planned and playing at once; a sound that is ever less than fully bright takes two.
  static let mostVoices = 32
  /// The most with those that are fading out: a seek replaces every voice, and the old ones are heard until they have faded.
  /// What fades cannot be freed for somebody else, so a client has at most two thirds of what others leave, and the last is
  /// the daemon's. A client that has none always gets a sound of one voice, beyond this number.
  static let mostVoicesLeaving = 96

  /// Of each client, without those that are on their way out.
  private var staying: [ClientID: Int] = [:]
  private var allStaying = 0
  /// Of each client, with those.
  private var owned: [ClientID: Int] = [:]
  private var all = 0
  private let sounds: [HapticAudioEntry]

  init(_ sounds: [HapticAudioEntry]) {
    self.sounds = sounds
    for sound in sounds {
      let count = sound.voices.count
      owned[sound.client, default: 0] += count
      all += count
      if sound.isLeavingForGood { continue }
      staying[sound.client, default: 0] += count
      allStaying += count
    }
  }

  /// Whether a client finds `count` more once all that stay have left.
  func couldHave(_ count: Int, _ client: ClientID) -> Bool {
    let left = Self.mostVoicesLeaving - all - count
    let wanted = owned[client, default: 0] + count
    return client == .daemon ? left >= 0 : wanted == 1 || wanted <= 2 * left
  }

  /// The places of the sounds that give up their voices so that a client finds `count` more; nil where it finds none.
  func givers(for count: Int, of client: ClientID) -> [Int]? {
    guard couldHave(count, client) else { return nil }
    let wanted = staying[client, default: 0] + count
    var (left, kept, givers) = (allStaying, staying, [Int]())
    while left + count > Self.mostVoices {
      guard let most = kept.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }), most.value > wanted,
        let oldest = sounds.indices.first(where: {
          sounds[$0].client == most.key && !sounds[$0].isLeavingForGood && !givers.contains($0)
        })
      else { return nil }
      givers.append(oldest)
      kept[most.key] = most.value - sounds[oldest].voices.count
      left -= sounds[oldest].voices.count
    }
    return givers
  }
}
