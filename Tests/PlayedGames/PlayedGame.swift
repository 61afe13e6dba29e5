// SPDX-License-Identifier: Apache-2.0

import Moments

/// What a game is to the harness: its pack, and what ought to be heard and felt of what its player saw, typed by hand.
protocol PlayedGame: SendableMetatype {
  /// The pack, and its table of moments.
  static var pack: String { get }
  /// Whether its music stands while its switch is off, as its pack says; else it runs on unheard.
  static var musicStands: Bool { get }

  /// All moments of its plays, by their words, at each of which each switch is to be turned both ways.
  static var moments: [String] { get }

  init()

  /// A daemon is there, for the first time or anew: nothing sounds.
  mutating func daemonBegan()

  /// Says what is to be heard and felt of the next line of the player's log.
  mutating func expect(_ line: PlayerLine, of life: inout ExpectedLife)

  /// The log is over; what still plays goes on to the end of the recording.
  mutating func ended(_ life: inout ExpectedLife)

  /// What of the whole play the player must have seen at least, so that a player who leaves something out is found.
  func missing(in lines: [PlayerLine]) -> [String]
}
