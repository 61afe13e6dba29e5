// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Timing

/// When the parts of a cue begin. What is heard lies behind one instant as its steps say. What is felt lies with it, or as soon
/// after as motors can be told: so only what comes before they have had the time to prepare is later than its sound.
struct CueZero {
  /// From where the offsets of what is heard count.
  let sound: Instant
  /// Whether what is to be heard at once cannot be there when it was asked for, so that the switches as they are decide.
  let isSoundLate: Bool
  /// The same of what is to be felt at once.
  let isTouchLate: Bool
  /// From where those of what is felt count that comes later than the cue.
  private let later: Instant
  private let earliestTouch: Instant
  /// By offset: what is felt.
  private let felt: [(offset: Interval, at: Instant)]

  /// `touch` is when what is felt with the cue ought to be, `offsets` are those of all that is felt. What comes later in the cue
  /// comes later, if by a microsecond: what ends something ends what began before it.
  init(
    sound: Instant, touch: Instant, later: Instant, earliestTouch: Instant, offsets: [Interval], asked: Instant
  ) {
    self.sound = sound
    self.later = later
    self.earliestTouch = earliestTouch
    isSoundLate = sound > asked
    isTouchLate = max(touch, earliestTouch) > asked
    var felt: [(offset: Interval, at: Instant)] = []
    for offset in Set(offsets).sorted() {
      var at = max(offset == .zero ? touch : later + offset, earliestTouch)
      if let last = felt.last { at = max(at, last.at + min(offset - last.offset, .microseconds(1))) }
      felt.append((offset, at))
    }
    self.felt = felt
  }

  /// When a step is felt that lies so long after the cue.
  func touch(after offset: Interval) -> Instant {
    felt.first { $0.offset == offset }?.at ?? max(later + offset, earliestTouch)
  }

  /// From where the offset of what is felt first counts.
  var haptic: Instant { felt.first.map { $0.at - $0.offset } ?? max(later, earliestTouch) }

  /// The instant that is told as the cue's: of what is heard, or of a cue that is felt alone, of that.
  func instant(of cue: PackCue) -> Instant {
    cue.steps.allSatisfy(\.action.isFelt) && !cue.steps.isEmpty ? haptic : sound
  }
}
