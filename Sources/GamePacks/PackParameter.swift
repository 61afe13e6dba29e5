// SPDX-License-Identifier: Apache-2.0

/// A value between 0 and 1 that leads other things, each by a curve.
public struct PackParameter: Equatable, Sendable {
  /// The most parameters of a pack.
  public static let mostOfAPack = 64
  /// The most things that one leads.
  public static let mostTargets = 16

  /// What it is until somebody sets it.
  public var standard: Double
  /// What it leads; one at least.
  public var targets: [Target]

  /// Something that is led.
  public struct Target: Equatable, Sendable {
    /// Whose.
    public var thing: Thing
    /// What of it.
    public var control: Control
    /// How that follows from the value. Of a low-pass it tells octaves below 20 kHz, as a number below 0.
    public var curve: ParameterCurve
  }

  /// What has something that can be led; every name is one of the pack's.
  public enum Thing: Hashable, Sendable {
    /// A track.
    case track(String)
    /// A stem of a track.
    case stem(String, of: String)
    /// A sound.
    case sound(String)
    /// All that a volume of the player's is of.
    case bus(Bus)
    /// A pattern, whoever plays it.
    case pattern(String)
  }

  /// What is mixed together; of `sound` are effects, and what is heard of patterns.
  public enum Bus: String, CaseIterable, Sendable {
    /// Music.
    case music
    /// Effects.
    case sound
    /// Spoken lines.
    case voice
  }

  /// What of a thing is led.
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

    /// The values that it can be led to: of a low-pass in Hz, of which the highest is open.
    public var range: ClosedRange<Double> {
      switch self {
      case .gain: 0...8
      case .lowPass: 20...20_000
      case .pitch: 0.25...4
      case .intensity, .sharpness: 0...1
      }
    }
  }

  /// Whether all that it leads is felt.
  public var isFelt: Bool { targets.allSatisfy(\.thing.isPattern) }
  /// Whether something that it leads is felt.
  public var hasFelt: Bool { targets.contains(where: \.thing.isPattern) }
}

extension PackParameter {
  enum Keys: String, CodingKey, CaseIterable {
    case `default`, targets
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    standard = fields.optionalNumber(.default, in: 0...1) ?? 0
    let list = fields.required(.targets).map(manifest.list) ?? []
    targets = list.flatMap { Target.all(manifest, $0) }
    if fields.has(.targets), !(1...Self.mostTargets).contains(list.count) {
      fields.refuse(.targets, "has \(list.count) targets; give 1 to \(Self.mostTargets)")
    }
  }
}

extension PackParameter.Thing {
  fileprivate var isPattern: Bool { if case .pattern = self { true } else { false } }
}

extension PackParameter.Target {
  enum Keys: String, CodingKey, CaseIterable {
    case track, stem, sound, bus, pattern, gain, lowPass, pitch, intensity, sharpness
  }

  /// What can be led of which thing.
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
        manifest.note(.invalidValue, at: index, "must name exactly one of track, sound, bus, pattern")
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
    if kind != .track, fields.has(.stem) { fields.refuse(.stem, "goes with track") }
    var targets: [PackParameter.Target] = []
    for control in PackParameter.Control.allCases {
      guard let key = Keys(rawValue: control.rawValue), fields.has(key) else { continue }
      guard controls.contains(control) else {
        let owners = things.filter { $0.has.contains(control) }.map(\.thing.rawValue).joined(separator: " and ")
        fields.refuse(key, "is not for a \(kind.rawValue); it goes with \(owners)")
        continue
      }
      guard let value = fields.required(key), let curve = ParameterCurve(manifest, value, control), let thing else {
        continue
      }
      targets.append(PackParameter.Target(thing: thing, control: control, curve: curve))
    }
    if targets.isEmpty, manifest.faultCount == before {
      let names = controls.map(\.rawValue).joined(separator: " or ")
      manifest.note(.missingField, at: index, "leads nothing; give it \(names)")
    }
    return targets
  }
}
