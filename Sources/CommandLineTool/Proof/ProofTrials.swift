// SPDX-License-Identifier: Apache-2.0

/// What was asked for during a proof, and what was told of it: instants of CLOCK_MONOTONIC in microseconds.
struct ProofTrials: Equatable {
  /// A chirp that was asked for now.
  struct Sound: Equatable {
    var code: Int
    /// Before the line was written.
    var sentUs: Int64
    /// When the reply says that it is heard.
    var toldUs: Int64
    /// When the reply says that the tap with it is felt, where there is one.
    var touchToldUs: Int64?
  }

  /// A beat of the chapter.
  struct Beat: Equatable {
    var code: Int
    /// When the notification says that it is heard.
    var toldUs: Int64
    /// When the notification was read.
    var readUs: Int64
    /// When a reply said that a tap asked for at the beat is felt, where there is one.
    var touchToldUs: Int64?
  }

  var sounds: [Sound] = []
  var beats: [Beat] = []
  /// From a tap's line to its verdict.
  var tapsUs: [Int64] = []

  /// From one chirp to the next: longer than a chirp, its echoes and a motor that runs on, of any phase to the periods.
  static let gapsUs: ClosedRange<Int64> = 300_000...500_000
}
