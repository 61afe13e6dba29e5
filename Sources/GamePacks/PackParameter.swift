// SPDX-License-Identifier: Apache-2.0

/// A value between 0 and 1 that drives other things, each by a curve.
public struct PackParameter: Equatable, Sendable {
  /// The most parameters of a pack.
  public static let mostOfAPack = 64
  /// The most things that one drives.
  public static let mostTargets = 16
  /// What all parameters of a pack may weigh, and all that the steps of one cue set: each is driven on in the engine's turns.
  public static let mostWeight = 128
  /// What the parameters of all packs may weigh together.
  public static let mostWeightOfAll = 512

  /// What it is until somebody sets it.
  public var standard: Double
  /// What it drives; one at least.
  public var targets: [Target]

  /// Something that is driven.
  public struct Target: Equatable, Sendable {
    /// What has it: a track, a stem, a sound, a bus or a pattern.
    public var thing: Thing
    /// What of the thing follows the value, within that control's `range`.
    public var control: Control
    /// How that follows from the value. Of a low-pass it tells octaves below 20 kHz, as a number below 0.
    public var curve: ParameterCurve

    /// What it takes to drive: a straight line is told at its ends, a bent one and a pitch over and over.
    public var weight: Int { control == .pitch || curve.points.count > 2 ? 4 : 1 }
  }

  /// What has something that can be driven; every name is one of the pack's.
  public enum Thing: Hashable, Sendable {
    /// A track, whatever stems it has, each time that it plays.
    case track(String)
    /// A stem of a track.
    case stem(String, of: String)
    /// A sound, each time that it plays and whoever plays it.
    case sound(String)
    /// All that a volume of the player's is of.
    case bus(Bus)
    /// A pattern, whoever plays it.
    case pattern(String)
  }

  /// What is mixed together; of `sound` are effects, and what is heard of patterns.
  public enum Bus: String, CaseIterable, Sendable {
    /// All tracks: what the player's `musicVolume` is of.
    case music
    /// Effects, and what is heard of patterns: what the player's `soundVolume` is of.
    case sound
    /// Spoken lines: what the player's `voiceVolume` is of.
    case voice
  }

  /// What of a thing is driven.
  public enum Control: String, CaseIterable, Sendable {
    /// Linear, on top of all else.
    case gain
    /// The corner of a low-pass.
    case lowPass
    /// Playback rate, as a factor.
    case pitch
    /// A factor of every intensity.
    case intensity
    /// A factor of every sharpness.
    case sharpness

    /// The values that it can be driven to: of a low-pass in Hz, of which the highest is open.
    public var range: ClosedRange<Double> {
      switch self {
      case .gain: 0...8
      case .lowPass: 20...20_000
      case .pitch: 0.25...4
      case .intensity, .sharpness: 0...1
      }
    }
  }

  /// What it takes to drive all that it drives.
  public var weight: Int { targets.reduce(0) { $0 + $1.weight } }

  /// Whether all that it drives is felt.
  public var isFelt: Bool { targets.allSatisfy(\.thing.isPattern) }
  /// Whether something that it drives is felt.
  public var hasFelt: Bool { targets.contains(where: \.thing.isPattern) }
}

extension PackParameter {
  enum Keys: String, PackKey {
    case `default`, targets

    var rule: FieldRule {
      switch self {
      case .default: .may(.number(0...1), "what it is until it is set", standard: "0")
      case .targets: .must(.list(.object(PackParameter.Target.shape), 1...PackParameter.mostTargets), "what it drives")
      }
    }
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    standard = fields.optionalNumber(.default) ?? 0
    let list = fields.list(.targets)
    targets = list.flatMap { Target.all(manifest, $0) }
    if fields.has(.targets), !(1...Self.mostTargets).contains(list.count) {
      fields.refuse(
        .targets, "has \(list.count) targets; give 1 to \(Self.mostTargets)",
        advice: list.isEmpty ? "name something that it drives" : "remove some")
    }
  }
}

extension PackParameter.Thing {
  fileprivate var isPattern: Bool { if case .pattern = self { true } else { false } }
}

extension PackParameter.Target {
  enum Keys: String, PackKey {
    case track, stem, sound, bus, pattern, gain, lowPass, pitch, intensity, sharpness

    static var object: ObjectRule { PackParameter.Target.shape }

    var rule: FieldRule {
      switch self {
      case .track: .may(.reference, "the track that is driven")
      case .stem: .may(.reference, "that stem of the track alone")
      case .sound: .may(.reference, "the sound that is driven")
      case .bus: .may(.choice(PackParameter.Bus.self), "all that is of it")
      case .pattern: .may(.reference, "all players of the pattern")
      case .gain: .may(Self.curve(.gain), "linear")
      case .lowPass: .may(Self.curve(.lowPass), "the corner of a low-pass in Hz; 20000 is open")
      case .pitch: .may(Self.curve(.pitch), "playback rate")
      case .intensity: .may(Self.curve(.intensity), "a factor of every intensity")
      case .sharpness: .may(Self.curve(.sharpness), "a factor of every sharpness")
      }
    }

    private static func curve(_ control: PackParameter.Control) -> ValueRule {
      .object(ParameterCurve.shape(control))
    }
  }

  /// One way for each kind of thing.
  static var shape: ObjectRule {
    ObjectRule(
      variants: things.map { thing, has in
        let controls = has.compactMap { Keys(rawValue: $0.rawValue) }
        return ObjectRule.Variant(
          [thing] + (thing == .track ? [.stem] : []) + controls, required: [thing], needsOne: controls)
      })
  }

  /// What can be driven of which thing.
  private static let things: [(thing: Keys, has: [PackParameter.Control])] = [
    (.track, [.gain]), (.sound, [.gain, .pitch]), (.bus, [.gain, .lowPass]), (.pattern, [.intensity, .sharpness]),
  ]

  /// One for each control that is named.
  static func all(_ manifest: PackFile, _ index: Int) -> [PackParameter.Target] {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    let named = things.filter { fields.has($0.thing) }
    guard named.count == 1, let (kind, controls) = named.first else {
      if named.count > 1 || manifest.faultCount == before {
        manifest.note(
          .invalidValue, at: index, "must name exactly one of track, sound, bus, pattern",
          advice: "name one of them in each target")
      }
      return []
    }
    let thing: PackParameter.Thing? =
      switch kind {
      case .track:
        fields.optionalName(.stem).map { .stem($0, of: fields.name(.track)) } ?? .track(fields.name(.track))
      case .sound: .sound(fields.name(.sound))
      case .bus: fields.choice(.bus).map(PackParameter.Thing.bus)
      default: .pattern(fields.name(.pattern))
      }
    if kind != .track, fields.has(.stem) { fields.refuseStray(.stem, "goes with track") }
    var targets: [PackParameter.Target] = []
    for control in PackParameter.Control.allCases {
      guard let key = Keys(rawValue: control.rawValue), fields.has(key) else { continue }
      guard controls.contains(control) else {
        let owners = things.filter { $0.has.contains(control) }.map(\.thing.rawValue).joined(separator: " and ")
        fields.refuseStray(key, "is not for a \(kind.rawValue); it goes with \(owners)")
        continue
      }
      guard let value = fields.required(key), let curve = ParameterCurve(manifest, value, control), let thing else {
        continue
      }
      targets.append(PackParameter.Target(thing: thing, control: control, curve: curve))
    }
    if targets.isEmpty, manifest.faultCount == before {
      let names = controls.map(\.rawValue).joined(separator: " or ")
      manifest.note(
        .missingField, at: index, "drives nothing; give it \(names)",
        advice: "add one, as in \"\(controls.first?.rawValue ?? "")\": {\"power\": 1, \"from\": 1, \"to\": 0.5}")
    }
    return targets
  }
}
