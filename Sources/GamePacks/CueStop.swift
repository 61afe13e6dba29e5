// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a cue ends: of everything that began before, whoever began it.
public struct CueStop: Equatable, Sendable {
  /// What it is.
  public enum Target: Equatable, Sendable {
    /// Every playing of a sound; nil for all sounds.
    case sound(String?)
    /// Every playing of a pattern; nil for all that is felt.
    case pattern(String?)
  }

  /// What ends.
  public var target: Target
  /// How long what is heard fades; what is felt ends at once.
  public var fade: Interval
}

extension CueStop {
  /// What stands for a step that could not be read.
  static let nothing = CueStop(target: .sound(nil), fade: .zero)

  enum Keys: String, CodingKey, CaseIterable {
    case sound, sounds, pattern, haptics, fade
  }

  init(_ manifest: PackFile, _ index: Int) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    self = .nothing
    let all = [Keys.sounds, .haptics].filter { fields.optional($0).map(manifest.truth) ?? false }
    let kinds = [Keys.sound, .pattern].filter(fields.has) + all
    guard kinds.count == 1 else {
      if manifest.faultCount == before {
        manifest.note(
          .invalidValue, at: index, "must have exactly one of sound, sounds: true, pattern, haptics: true")
      }
      return
    }
    switch kinds[0] {
    case .sound: target = .sound(fields.name(.sound))
    case .sounds: target = .sound(nil)
    case .pattern: target = .pattern(fields.name(.pattern))
    default: target = .pattern(nil)
    }
    fade = fields.fade(.fade) ?? .milliseconds(5)
    if case .pattern = target, fields.has(.fade) { fields.refuse(.fade, "goes with sound and sounds") }
  }
}
