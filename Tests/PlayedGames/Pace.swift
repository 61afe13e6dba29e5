// SPDX-License-Identifier: Apache-2.0

/// How time passes while a game is played, and what that lets be told of what is heard.
struct Pace {
  /// Whether the daemon's clock runs by itself.
  var isLive = false
  /// What the daemon plays on where its clock runs; "none" is paced by the clock alone.
  var device = "none"
  /// Frames of the device's period; the daemon's own choice where nil.
  var period: String?
  /// Whether what was told alone is compared, beside others who play on the same machine.
  var isToldOnly = false

  /// The longest from what is done or seen to the instant that is told of what answers it, in microseconds. On the stepped clock that is
  /// a millisecond, to the next whole frame, and no chance is in it. In real time it is half of what a stalled picture takes: what
  /// waited for one is found. A card is given longer, whose machine is an emulated one, and so are plays of which nothing is measured.
  var longestUs: Int64 {
    if !isLive { return 1_021 }
    return isToldOnly || device != "none" ? 1_000_000 : 100_000
  }
  /// How much later than its instant a player may see what the daemon decided, in microseconds: a frame.
  var frameUs: Int64 {
    if !isLive { return 16_667 }
    return isToldOnly || device != "none" ? 250_000 : 100_000
  }
  /// How many frames from its instant something may begin: an instant of a running clock is told to the microsecond and its
  /// frame is not, and a card tells where it is in steps.
  var unsureFrames: Int {
    guard isLive else { return 0 }
    return device == "none" ? 2 : 720
  }
  /// Whether touch is at its microsecond: a busy machine is late to write it.
  var isTouchJudged: Bool { !isLive || device != "none" }
}
