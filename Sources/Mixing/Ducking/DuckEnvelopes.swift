// SPDX-License-Identifier: Apache-2.0

/// The ducking rules at work, one envelope each. What they come to depends on nothing but the frames at which voices begin
/// and end.
struct DuckEnvelopes {
  private let envelopes: UnsafeMutablePointer<DuckEnvelope>
  private let capacity: Int
  private let used: SlotSet
  /// How many are at work.
  private(set) var count = 0

  /// With room for a rule of each voice, and for as many that let go.
  init(voices: Int) {
    capacity = 2 * voices
    envelopes = .allocate(capacity: capacity)
    let nothing = DuckRule(.music, depth: 1, attack: 0, hold: 0, release: 0)
    envelopes.initialize(repeating: DuckEnvelope(nothing), count: capacity)
    used = SlotSet(capacity: capacity)
  }

  func deallocate() {
    envelopes.deallocate()
    used.deallocate()
  }

  // MARK: Voices

  /// The envelope of a rule that a voice carries from `frame` on, or -1 where all are in use.
  @_noLocks mutating func take(_ rule: DuckRule, at frame: Int64) -> Int {
    sweep(at: frame)
    var free = -1
    for place in 0..<capacity {
      if !used.contains(place) {
        if free < 0 { free = place }
      } else if envelopes[place].rule == rule {
        envelopes[place].holders &+= 1
        return place
      }
    }
    if free < 0 { return -1 }
    envelopes[free] = DuckEnvelope(rule)
    envelopes[free].holders = 1
    used.insert(free)
    count &+= 1
    return free
  }

  /// A voice that carries the rule at `place` is over.
  @_noLocks func giveBack(_ place: Int) { envelopes[place].holders &-= 1 }

  /// A voice with the rule at `place` is heard from `frame` on.
  @_noLocks func begin(_ place: Int, at frame: Int64) { envelopes[place].begin(at: frame) }

  /// A voice with the rule at `place` is heard up to `frame`.
  @_noLocks func end(_ place: Int, at frame: Int64) { envelopes[place].end(at: frame) }

  // MARK: Gains

  /// Whether a rule is at work on a bus.
  @_noLocks func act(on bus: Int) -> Bool {
    var place = count == 0 ? -1 : used.next(from: 0)
    while place >= 0 {
      if envelopes[place].rule.bus.index == bus { return true }
      place = used.next(from: place + 1)
    }
    return false
  }

  /// Whether all leave their buses alone at `frame`: there may be some of voices that are paused.
  @_noLocks func areStill(at frame: Int64) -> Bool {
    var place = count == 0 ? -1 : used.next(from: 0)
    while place >= 0 {
      if !envelopes[place].isStill(at: frame) { return false }
      place = used.next(from: place + 1)
    }
    return true
  }

  /// Drops what is over by `frame`; a voice may yet begin there.
  @_noLocks mutating func sweep(at frame: Int64) {
    var place = count == 0 ? -1 : used.next(from: 0)
    while place >= 0 {
      envelopes[place].pass(to: frame - 1)
      if envelopes[place].isOver(at: frame) {
        used.remove(place)
        count &-= 1
      }
      place = used.next(from: place + 1)
    }
  }

  /// The gain that the rules make of a bus at `frame`, and for how many frames, `limit` at most, that ramp is the lowest.
  @_noLocks func lowest(on bus: Int, at frame: Int64, limit: Int) -> (gain: Ramp, frames: Int) {
    var frames = Int64(limit)
    var several = false
    var moves = false
    var lowest = -1
    var place = used.next(from: 0)
    while place >= 0 {
      let envelope = envelopes + place
      if envelope.pointee.rule.bus.index == bus {
        envelope.pointee.pass(to: frame)
        frames = min(frames, envelope.pointee.releaseAt - frame)
        if envelope.pointee.gain.isMoving(at: frame) { moves = true }
        if lowest >= 0 { several = true }
        if lowest < 0 || envelope.pointee.gain.value(at: frame) < envelopes[lowest].gain.value(at: frame) {
          lowest = place
        }
      }
      place = used.next(from: place + 1)
    }
    if lowest < 0 { return (Ramp(steady: 1), limit) }
    var count: Int64 = 1
    if several && moves {
      while count < frames && isLowest(lowest, on: bus, at: frame + count) { count &+= 1 }
      frames = count
    }
    return (envelopes[lowest].gain, Int(frames))
  }

  /// Whether, of the gains of a bus at `frame`, that at `place` is the lowest, or the first of those that are.
  @_noLocks private func isLowest(_ place: Int, on bus: Int, at frame: Int64) -> Bool {
    let value = envelopes[place].gain.value(at: frame)
    var other = used.next(from: 0)
    while other >= 0 {
      if other != place && envelopes[other].rule.bus.index == bus {
        let gain = envelopes[other].gain.value(at: frame)
        if gain < value || (gain == value && other < place) { return false }
      }
      other = used.next(from: other + 1)
    }
    return true
  }
}
