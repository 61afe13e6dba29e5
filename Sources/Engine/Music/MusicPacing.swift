// SPDX-License-Identifier: Apache-2.0

/// How many commands the mixer is told for changes of music until it goes on: a verb that comes before others has all
/// behind it told anew, and what one client asks for must leave room for the sounds and the music of others.
struct MusicPacing {
  /// The most commands of one client for one frame, and of all clients: together with a line that exceeds them a half of
  /// what the mixer takes.
  static let mostOfAClient = 128
  static let mostOfAll = 384

  private var frame = Int64.min
  private var counts: [ClientID: Int] = [:]
  private var all = 0

  /// Whether a client may have the mixer told more for `frame`; what is urgent does not wait for what others asked.
  func hasRoom(for client: ClientID, at frame: Int64, isUrgent: Bool) -> Bool {
    guard frame == self.frame else { return true }
    return counts[client, default: 0] < Self.mostOfAClient && (isUrgent || all < Self.mostOfAll)
  }

  /// Counts what a client had the mixer told for `frame`.
  mutating func charge(_ count: Int, to client: ClientID, at frame: Int64) {
    if frame != self.frame { self = MusicPacing(frame: frame) }
    counts[client, default: 0] += count
    all += count
  }
}

extension MusicPacing {
  private init(frame: Int64) {
    self.init()
    self.frame = frame
  }
}
