// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// What the switch for sound can still call off or let come: steps of sounds that the mixer has been told of and whose sounds
/// have not begun, and those that the switch keeps from it for as long as it is off.
struct HeldSounds {
  /// What a sound is to do, and when.
  struct Step {
    var at: Instant
    var planned: PlannedSound

    /// Whether the sound begins by it.
    var isStart: Bool { if case .start = planned.action { true } else { false } }
  }

  private var handedOut: [Step] = []
  /// How many may gather before those that are past are looked for.
  private var roomForPast = 64
  /// In the order in which they would have been handed out.
  private(set) var waiting: [Step] = []
  /// The sounds that wait.
  private var voices: Set<VoiceID> = []

  /// When the first of the sounds that wait would begin.
  var next: Instant? {
    waiting.lazy.compactMap { step in if case .start = step.planned.action { step.at } else { nil } }.min()
  }

  /// Whether a sound waits for the switch.
  func holds(_ voice: VoiceID?) -> Bool { voice.map(voices.contains) ?? false }

  /// Notes what the mixer is told; what is for instants up to `settled` is past changing.
  mutating func noteHandedOut(_ step: Step, settled: Instant) {
    if handedOut.count >= roomForPast {
      handedOut.removeAll { $0.at <= settled }
      roomForPast = max(64, 2 * handedOut.count)
    }
    handedOut.append(step)
  }

  /// Forgets what the mixer was told for instants up to `settled`.
  mutating func forgetPast(settled: Instant) { handedOut.removeAll { $0.at <= settled } }

  /// Keeps a step from the mixer.
  mutating func hold(_ step: Step) {
    if case .start(let start) = step.planned.action { voices.insert(start.id) }
    waiting.append(step)
  }

  /// A sound that the mixer was told of was called off: no switch lets it come any more.
  mutating func forget(_ voice: VoiceID) { handedOut.removeAll { $0.planned.voice == voice } }

  /// Lets what was handed out about sounds that begin after `instant` wait; answers it. One that is stopped before it begins
  /// is called off already.
  mutating func takeBack(after instant: Instant) -> [Step] {
    var begin: Set<VoiceID> = []
    var stops: [VoiceID: Instant] = [:]
    for step in handedOut {
      if case .stop(.voice(let voice), _) = step.planned.action { stops[voice] = min(stops[voice] ?? step.at, step.at) }
    }
    for step in handedOut where step.at > instant {
      guard case .start(let start) = step.planned.action else { continue }
      if stops[start.id].map({ $0 > step.at }) ?? true { begin.insert(start.id) }
    }
    if begin.isEmpty { return [] }
    let taken = handedOut.filter { $0.planned.voice.map(begin.contains) ?? false }
    handedOut.removeAll { $0.planned.voice.map(begin.contains) ?? false }
    for step in taken { hold(step) }
    return taken
  }

  /// Forgets what waits of the sounds that `isMeant` picks, by voice and by when they would begin; answers it.
  mutating func drop(where isMeant: (VoiceID, Instant) -> Bool) -> [Step] {
    var ended: Set<VoiceID> = []
    for step in waiting {
      if case .start(let start) = step.planned.action, isMeant(start.id, step.at) { ended.insert(start.id) }
    }
    if ended.isEmpty { return [] }
    let dropped = waiting.filter { $0.planned.voice.map(ended.contains) ?? false }
    waiting.removeAll { $0.planned.voice.map(ended.contains) ?? false }
    voices.subtract(ended)
    return dropped
  }

  /// Lets go of what waits, the sounds that begin first before others: `most` steps, and `besides` of what begins by `instant`.
  mutating func release(_ most: Int, besides: Int, dueBy instant: Instant) -> [Step] {
    if waiting.count <= most {
      defer { (waiting, voices) = ([], []) }
      return waiting
    }
    var counts: [VoiceID: Int] = [:]
    for step in waiting { if let voice = step.planned.voice { counts[voice, default: 0] += 1 } }
    var released: Set<VoiceID> = []
    var left = most
    for step in waiting.filter(\.isStart).sorted(by: { $0.at < $1.at }) {
      guard let voice = step.planned.voice, let count = counts[voice] else { continue }
      if count > left + (step.at <= instant ? besides : 0) { break }
      left -= count
      released.insert(voice)
    }
    return drop { voice, _ in released.contains(voice) }
  }
}

extension PlannedSound {
  /// The one sound that it is about; nil for a stop of many.
  var voice: VoiceID? {
    switch action {
    case .start(let start): start.id
    case .stop(.voice(let voice), _), .set(let voice, _): voice
    case .stop: nil
    }
  }
}
