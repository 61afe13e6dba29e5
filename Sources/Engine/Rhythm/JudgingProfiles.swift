// SPDX-License-Identifier: Apache-2.0

/// How late who taps by what: the offsets that chapters are judged by, in microseconds, late positive.
struct JudgingProfiles: Equatable {
  /// Who plays.
  private(set) var current: String
  /// Those that are not 0, in the order in which they were first set.
  private(set) var offsets: [(profile: String, offset: Int64)] = []
  private let most: Int

  /// `current` plays, and of nobody anything is known; at most `most` are.
  init(current: String, most: Int) {
    self.current = current
    self.most = most
  }

  /// Of who plays.
  var offset: Int64 { offsets.first { $0.profile == current }?.offset ?? 0 }

  /// From now on `profile` plays, known or not.
  mutating func choose(_ profile: String) { current = profile }

  /// From now on `profile` taps that late; false where there are too many to keep another.
  mutating func set(_ offset: Int64, for profile: String) -> Bool {
    if offset == 0 {
      offsets.removeAll { $0.profile == profile }
    } else if let place = offsets.firstIndex(where: { $0.profile == profile }) {
      offsets[place].offset = offset
    } else if offsets.count < most {
      offsets.append((profile, offset))
    } else {
      return false
    }
    return true
  }

  static func == (a: Self, b: Self) -> Bool {
    a.current == b.current && a.offsets.elementsEqual(b.offsets) { $0 == $1 }
  }
}
