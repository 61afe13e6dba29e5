// SPDX-License-Identifier: Apache-2.0

/// Whose sounds were heard when: a client that holds few voices gives none up while another holds more, nor while all that have
/// gone hold as many.
struct VoiceLedger {
  private struct Sound {
    var client: Int
    var fromUs: Int64
    var untilUs = Int64.max
  }

  /// A voice that is sent off fades for so long, and is told as over behind that.
  private static let fadeUs: Int64 = 5_000
  /// Instants are told in whole microseconds, of whole frames.
  private static let roundingUs: Int64 = 50
  /// By then the mixer surely knows that somebody has gone.
  private static let leavingUs: Int64 = 100_000
  /// All that have gone.
  private static let gone = -1

  private var sounds: [Int64: Sound] = [:]
  /// When those left that have gone.
  private var left: [Int: Int64] = [:]
  /// Those that were to give their voices up to nobody who holds no more, and did.
  private var lost: [(sound: Int64, atUs: Int64)] = []

  mutating func begin(_ sound: Int64, of client: Int, at us: Int64) {
    sounds[sound] = Sound(client: client, fromUs: us)
  }

  /// A client goes.
  mutating func leave(_ client: Int, at us: Int64) { left[client] = us }

  /// One has begun, and is over.
  mutating func end(_ sound: Int64, at us: Int64, isStolen: Bool, isModest: Bool) {
    let untilUs = isStolen ? us - Self.fadeUs : us
    sounds[sound]?.untilUs = untilUs
    if isStolen, isModest { lost.append((sound, untilUs)) }
  }

  /// One never began.
  mutating func forget(_ sound: Int64) { sounds[sound] = nil }

  /// All that was heard by now has been told.
  mutating func check() throws {
    for (sound, us) in lost {
      guard let loser = sounds[sound]?.client else { continue }
      // Of who has gone itself anything may be taken.
      if let leftUs = left[loser], leftUs - Self.roundingUs <= us { continue }
      var counts: [Int: Int] = [:]
      for other in sounds.values {
        // Of its own each that may have been heard, of others each that surely was.
        let near = other.client == loser ? -Self.roundingUs : Self.roundingUs
        guard other.fromUs <= us - near, other.untilUs >= us + near else { continue }
        if let leftUs = left[other.client], leftUs + Self.leavingUs <= us {
          // They count as if there were one more.
          counts[Self.gone, default: 1] += 1
        } else {
          counts[other.client, default: 0] += 1
        }
      }
      let (most, own) = (counts.values.max() ?? 0, counts[loser] ?? 0)
      try ensure(most <= own, "sound \(sound) gave its voice up at \(us), of \(own), while others held \(counts)")
    }
    lost = []
    // Nobody asks for what was over long ago.
    if let last = sounds.values.map(\.fromUs).max() { sounds = sounds.filter { $0.value.untilUs > last - 10_000_000 } }
  }
}
