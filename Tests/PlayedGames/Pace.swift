// SPDX-License-Identifier: Apache-2.0

/// How time passes while a game is played, and what that lets be told of what is heard.
struct Pace {
  /// Whether the daemon's clock runs by itself.
  var isLive = false
  /// What the daemon plays on where its clock runs; "none" is paced by the clock alone.
  var device = "none"
  /// Frames of the device's period; the daemon's own choice where nil.
  var period: String?

  /// The longest from what is seen to what is heard of it, in microseconds: what is measured in real time is not judged.
  var longestUs: Int64 { isLive ? 1_000_000 : 20_000 }
  /// The longest of a player's frames, in microseconds, those that stand included.
  var frameUs: Int64 { isLive ? 250_000 : 16_667 }
  /// How many frames from its instant something may begin: an instant of a running clock is told to the microsecond and its
  /// frame is not, and a card tells where it is in steps.
  var unsureFrames: Int {
    guard isLive else { return 0 }
    return device == "none" ? 2 : 720
  }
  /// Whether touch is at its microsecond: a busy machine is late to write it.
  var isTouchJudged: Bool { !isLive || device != "none" }
}
