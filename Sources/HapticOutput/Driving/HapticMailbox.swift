// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// What a device's thread takes in at once.
struct HapticMail: Sendable {
  /// How many commands were left out before.
  var left = 0
  /// What plays once those have been, where some were.
  var playing: HapticMixer?
  /// What is to be done then, in order.
  var commands: [HapticCommand] = []
}

/// What waits for a device's thread. Where that takes nothing for long what has gathered is left out, and what plays by then
/// takes its place: so it stays bounded, and the device joins in as one that was just plugged in.
struct HapticMailbox: Sendable {
  /// So much may wait for as long as it likes: 4,096 commands, fewer of those that hold on to much.
  private static let most = 4_096 * sizeOfCommand
  private static let sizeOfCommand = 16
  /// For so long more may.
  private static let patience = Interval.milliseconds(250)

  private var mail = HapticMail()
  private var size = 0
  private var isFullSince: Instant?
  /// Where what was left out then ends, in a run that is done again.
  private var rejoins: [(after: Int, playing: HapticMixer)] = []

  /// Whether something was left out that has not been made up for.
  var isLeavingOut: Bool { mail.left > 0 }

  mutating func put(_ commands: [HapticCommand]) {
    mail.commands += commands
    for command in commands { size += Self.sizeOfCommand + command.pieces }
  }

  /// Whether too much has waited for too long by `now`. To be asked whenever some was put in.
  mutating func isOverfull(at now: Instant) -> Bool {
    if size <= Self.most { return false }
    let since = isFullSince ?? now
    isFullSince = since
    return now - since >= Self.patience
  }

  /// Leaves out all that waits: `playing` is what has come of it.
  mutating func rejoin(_ playing: HapticMixer) {
    mail = HapticMail(left: mail.left + mail.commands.count, playing: playing)
    (size, isFullSince) = (0, nil)
  }

  mutating func take() -> HapticMail {
    defer { (mail, size, isFullSince) = (HapticMail(), 0, nil) }
    return mail
  }

  // MARK: - A run that is done again

  /// All that waits was left out then; how much of it is known by what is taken next.
  mutating func note(rejoining playing: HapticMixer) { rejoins.append((mail.commands.count, playing)) }

  /// Takes `count` commands behind `left` that were left out then; nil where it cannot have been so.
  mutating func take(_ count: Int, behind left: Int) -> HapticMail? {
    var taken = HapticMail(left: left)
    if left != 0 {
      guard let rejoin = rejoins.firstIndex(where: { $0.after == left }) else { return nil }
      taken.playing = rejoins[rejoin].playing
      rejoins.removeFirst(rejoin + 1)
      pass(left)
    }
    guard 0...(rejoins.first?.after ?? mail.commands.count) ~= count else { return nil }
    taken.commands = Array(mail.commands.prefix(count))
    pass(count)
    return taken
  }

  private mutating func pass(_ count: Int) {
    mail.commands.removeFirst(count)
    for index in rejoins.indices { rejoins[index].after -= count }
  }
}
