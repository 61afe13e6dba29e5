// SPDX-License-Identifier: Apache-2.0

/// What tells in a proof when something was felt.
enum ProofTouch: Equatable {
  /// Nothing does.
  case nothing
  /// The second of the channels that were kept, the capture's channel `number`, moves with the pad.
  case captured(number: Int)
  /// A pad of this program's own was told to move at these instants, each `leadUs` before it is to be felt.
  case told(atUs: [Int64], leadUs: Int64)

  /// Where the way from a sound to touch ends.
  var end: String {
    switch self {
    case .nothing: "nothing"
    case .captured(let number): "the first movement on channel \(number)"
    case .told(_, let leadUs):
      "its effect at a pad of this program's, and the \(milliseconds(leadUs, places: 0)) that a motor is reckoned to take"
    }
  }

  /// What lies outside of it.
  var unseen: String {
    switch self {
    case .nothing: "all"
    case .captured: "how long a finger takes to feel it"
    case .told: "a real pad's driver, cable or radio, and whether its motors take as long as is reckoned"
    }
  }

  /// When something was felt near a sound's onset; nil where nothing was.
  func instant(near onset: CapturedLoop.Onset, in loop: CapturedLoop) -> Int64? {
    switch self {
    case .nothing: return nil
    case .captured: return loop.touch(near: onset, channel: 1)
    case .told(let instants, let leadUs):
      let near = CapturedLoop.touchNear
      return instants.lazy.map { $0 + leadUs }.first { near.contains(Int($0 - onset.us)) }
    }
  }
}
