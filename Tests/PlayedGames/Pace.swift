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
  /// Whether the daemon counted something as begun later than told.
  var hasLateStarts = false
  /// How many frames later than told what is asked for at once may begin: the periods that a busy machine takes to serve it. On
  /// a card that is a period, and only where the daemon says that it happened.
  var lateFrames: Int {
    guard isLive else { return 0 }
    return device == "none" ? 4_096 : hasLateStarts ? period.flatMap { Int($0) } ?? 256 : 0
  }
  /// Whether touch is at its microsecond: a busy machine is late to write it.
  var isTouchJudged: Bool { !isLive || device != "none" }
}
