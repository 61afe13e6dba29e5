// SPDX-License-Identifier: Apache-2.0

import Timing

/// A named moment of a game: what is heard, felt and changed, fired as one.
public struct PackCue: Equatable, Sendable {
  /// The most steps of one cue.
  public static let mostSteps = 64
  /// The most of them that take a haptic player: as many as one client may have.
  public static let mostPlayers = 16
  /// The most steps of one by which a chapter answers each beat or tap: it does so by itself, up to a hundred times a second, and
  /// whoever listens is told of each step.
  public static let mostAnsweringSteps = 16

  /// How what is heard and what is felt meet; nil leaves it to whoever fires it.
  public var align: Align?
  /// How far apart two firings by one client are at least; those in between are suppressed.
  public var cooldown: Interval
  /// In the order written; each counts its time from the moment the cue is fired.
  public var steps: [Step]

  /// How what is heard and what is felt meet, their outputs being unequally quick.
  public enum Align: String, CaseIterable, Sendable {
    /// All wait for the slowest.
    case together
    /// The sound waits for nobody; touch comes with it, or as soon after as it can.
    case soundFirst
    /// Each output as soon as it can.
    case asap
  }

  /// One thing a cue does.
  public struct Step: Equatable, Sendable {
    /// How long after the cue.
    public var at: Interval
    /// What is done.
    public var action: Action
    /// Whether that is what was meant: false only in a manifest with faults.
    public private(set) var isKnown = true

    /// A step that does `action` that long after its cue.
    init(at: Interval, action: Action) { (self.at, self.action) = (at, action) }
  }

  /// What a step does; every name is one of the pack's.
  public enum Action: Equatable, Sendable {
    /// A sound.
    case sound(CueSound)
    /// A haptic pattern.
    case pattern(CuePattern)
    /// A tap or a steady vibration, written where it is used.
    case haptic(CueHaptic)
    /// Something for the music to do.
    case music(CueMusic)
    /// Something that ends.
    case stop(CueEnding)
    /// A parameter that is set.
    case parameter(CueParameter)
  }

  enum Keys: String, PackKey {
    case steps, align, cooldown

    var rule: FieldRule {
      switch self {
      case .steps: .must(.list(.object(PackCue.Step.shape), 0...PackCue.mostSteps), "what it does, as one plan")
      case .align: .may(.choice(Align.self), "how what is heard and what is felt meet")
      case .cooldown: .may(.seconds(0...3_600), "how far apart two firings are at least, in seconds", standard: "0")
      }
    }
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    align = fields.choice(.align)
    cooldown = fields.optionalSeconds(.cooldown) ?? .zero
    let list = fields.list(.steps)
    steps = list.map { Step(manifest, $0) }
    if steps.count > Self.mostSteps {
      fields.refuse(.steps, "has \(steps.count) steps; \(Self.mostSteps) is the most", advice: "split it into cues")
    }
    let players = steps.count { $0.action.takesPlayer }
    if players > Self.mostPlayers {
      fields.refuse(
        .steps, "has \(players) steps that are felt; \(Self.mostPlayers) is the most",
        advice: "draw them as one pattern", isBeyondSchema: true)
    }
  }
}

extension PackCue {
  /// Whether something of it repeats until it is stopped.
  var loops: Bool {
    steps.contains { step in
      switch step.action {
      case .sound(let sound): sound.loops
      case .pattern(let pattern): pattern.loops
      case .haptic, .music, .stop, .parameter: false
      }
    }
  }
}

extension PackCue.Action {
  /// Whether it is felt; what is not is heard.
  public var isFelt: Bool {
    switch self {
    case .pattern, .haptic: true
    case .stop(let stop): if case .pattern = stop.target { true } else { false }
    case .parameter(let parameter): parameter.isFelt
    case .sound, .music: false
    }
  }

  fileprivate var takesPlayer: Bool {
    switch self {
    case .pattern, .haptic: true
    case .sound, .music, .stop, .parameter: false
    }
  }
}

extension PackCue.Step {
  enum Keys: String, PackKey {
    case at, sound, pattern, transient, continuous, music, stop, parameter
    case choose, gain, pan, pitch, rate, loop, duck, value, over

    static var object: ObjectRule { PackCue.Step.shape }

    var rule: FieldRule {
      switch self {
      case .at: .may(.seconds(0...maximumSeconds, usual: 20), "when, in seconds after the cue", standard: "0")
      case .sound: .may(.references(most: CueChoice.mostNames), "plays a sound, or one of several")
      case .pattern: .may(.references(most: CueChoice.mostNames), "plays a pattern, or one of several")
      case .transient: .may(.object(CueHaptic.TransientKeys.self), "one tap")
      case .continuous: .may(.object(CueHaptic.ContinuousKeys.self), "a steady vibration")
      case .music: .may(.object(CueMusic.shape), "what the music does")
      case .stop: .may(.object(CueEnding.shape), "ends what began before it, whoever began it")
      case .parameter: .may(.reference, "sets a parameter of the pack")
      case .choose: .may(.choice(CueChoice.Order.self), "which of several comes", standard: #""random""#)
      case .gain: .may(.span(0...8), "on top of its own, or anything between two", standard: "1")
      case .pan: .may(.number(-1...1), "-1 left to 1 right", standard: "0")
      case .pitch: .may(.span(0.25...4), "playback rate, or anything between two", standard: "1")
      case .rate: .may(.number(0.1...10), "playback rate", standard: "1")
      case .loop: .may(.truth, "whether it goes on until it is stopped", standard: "false")
      case .duck: .may(.object(PackDuck.Keys.self), "how the music steps back meanwhile")
      case .value: .must(.number(0...1), "what the parameter becomes")
      case .over: .may(.seconds(PackSettings.fades), "how long that takes, in seconds", standard: "0.01")
      }
    }
  }

  /// One way for each kind of step.
  static var shape: ObjectRule {
    ObjectRule(
      variants: kinds.map { kind, takes in
        var variant = ObjectRule.Variant([.at, kind] + takes, required: [kind])
        for index in variant.fields.indices where kind == .pattern && variant.fields[index].name == Keys.gain.rawValue {
          variant.fields[index].rule.value = CuePattern.gainRule
        }
        return variant
      })
  }

  /// The fields that say what a step does, and those that each of them takes besides `at`.
  private static let kinds: [(kind: Keys, takes: [Keys])] = [
    (.sound, [.choose, .gain, .pan, .pitch, .loop, .duck]), (.pattern, [.choose, .gain, .rate, .loop]),
    (.transient, []),
    (.continuous, []), (.music, []), (.stop, []), (.parameter, [.value, .over]),
  ]

  init(_ manifest: PackFile, _ index: Int) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    at = fields.optionalSeconds(.at) ?? .zero
    let kinds = Self.kinds.filter { fields.has($0.kind) }
    guard kinds.count == 1, let (kind, taken) = kinds.first, let value = fields.required(kind) else {
      // A mistyped one is told already.
      if kinds.count > 1 || kinds.isEmpty && manifest.faultCount == before {
        let names = Self.kinds.map(\.kind.rawValue).joined(separator: ", ")
        manifest.note(
          .invalidValue, at: index, "must have exactly one of \(names)",
          advice: "write one of them in each step")
      }
      (action, isKnown) = (.stop(.nothing), false)
      return
    }
    for stray in Keys.allCases where stray != .at && stray != kind && !taken.contains(stray) && fields.has(stray) {
      let takers = Self.kinds.filter { $0.takes.contains(stray) }.map(\.kind.rawValue).joined(separator: " and ")
      fields.refuseStray(stray, "is not for \(kind.rawValue); it goes with \(takers)")
    }
    switch kind {
    case .sound: action = .sound(CueSound(fields))
    case .pattern: action = .pattern(CuePattern(fields))
    case .transient: action = .haptic(CueHaptic(transient: manifest, value))
    case .continuous: action = .haptic(CueHaptic(continuous: manifest, value))
    case .music: action = CueMusic(manifest, value).map(PackCue.Action.music) ?? .stop(.nothing)
    case .parameter: action = .parameter(CueParameter(fields))
    default: action = .stop(CueEnding(manifest, value))
    }
    isKnown = manifest.faultCount == before
  }
}
