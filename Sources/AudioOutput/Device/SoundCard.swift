// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc

/// A sound card as alsa-lib knows it.
struct SoundCard: Equatable {
  let number: Int32
  /// Its short name, the same however many cards were found before it.
  let id: String
  let name: String
  let driver: String

  /// The card with that number, if it can be asked.
  init?(number: Int32) {
    guard number >= 0 else { return nil }
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(number)", 0) >= 0, let control else { return nil }
    defer { snd_ctl_close(control) }
    var info: OpaquePointer?
    guard snd_ctl_card_info_malloc(&info) >= 0, let info else { return nil }
    defer { snd_ctl_card_info_free(info) }
    guard snd_ctl_card_info(control, info) >= 0 else { return nil }
    self.number = number
    id = snd_ctl_card_info_get_id(info).map { String(cString: $0) } ?? ""
    name = snd_ctl_card_info_get_name(info).map { String(cString: $0) } ?? "card \(number)"
    driver = snd_ctl_card_info_get_driver(info).map { String(cString: $0) } ?? ""
  }

  /// The card behind a PCM, if there is one.
  init?(of pcm: OpaquePointer) {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) >= 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) >= 0 else { return nil }
    self.init(number: snd_pcm_info_get_card(info))
  }

  /// Every card there is now.
  static var all: [SoundCard] {
    var cards: [SoundCard] = []
    var number: Int32 = -1
    while snd_card_next(&number) >= 0, number >= 0 {
      if let card = SoundCard(number: number) { cards.append(card) }
    }
    return cards
  }
}
