// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a cue ends: of everything that began before, whoever began it.
public struct CueEnding: Equatable, Sendable {
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

extension CueEnding {
  /// What stands for a step that could not be read.
  static let nothing = CueEnding(target: .sound(nil), fade: .zero)

  enum Keys: String, PackKey {
    case sound, sounds, pattern, haptics, fade

    static var object: ObjectRule { CueEnding.shape }

    var rule: FieldRule {
      switch self {
      case .sound: .may(.reference, "every playing of this sound ends")
      case .sounds: .may(.onlyTrue, "all sounds end")
      case .pattern: .may(.reference, "every playing of this pattern ends")
      case .haptics: .may(.onlyTrue, "all that is felt ends")
      case .fade: .may(.seconds(PackSettings.fades), "how long sounds fade, in seconds", standard: "0.005")
      }
    }
  }

  static let shape = ObjectRule(variants: [
    .init([.sound, .fade] as [Keys], required: [.sound]), .init([.sounds, .fade] as [Keys], required: [.sounds]),
    .init([.pattern] as [Keys], required: [.pattern]), .init([.haptics] as [Keys], required: [.haptics]),
  ])

  init(_ manifest: PackFile, _ index: Int) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    self = .nothing
    let all = [Keys.sounds, .haptics].filter { fields.truth($0) ?? false }
    let kinds = [Keys.sound, .pattern].filter(fields.has) + all
    guard kinds.count == 1 else {
      if manifest.faultCount == before {
        manifest.note(
          .invalidValue, at: index, "must have exactly one of sound, sounds: true, pattern, haptics: true",
          advice: "write one of them, and steps of their own for others")
      }
      return
    }
    switch kinds[0] {
    case .sound: target = .sound(fields.name(.sound))
    case .sounds: target = .sound(nil)
    case .pattern: target = .pattern(fields.name(.pattern))
    default: target = .pattern(nil)
    }
    fade = fields.optionalSeconds(.fade) ?? .milliseconds(5)
    if case .pattern = target, fields.has(.fade) { fields.refuseStray(.fade, "goes with sound and sounds") }
  }
}
