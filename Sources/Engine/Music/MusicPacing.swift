// SPDX-License-Identifier: Apache-2.0

/// How many commands the mixer is told for changes of music until it goes on: a verb that comes before others has all
/// behind it told anew, and what one client asks for must leave room for the sounds and the music of others.
///
/// The first change of each client until then is never refused, whatever others ask. Where all that others may ask is used up,
/// what it has made anew is told as soon as the mixer goes on (`isFull`).
struct MusicPacing {
  /// The most commands for one frame that all clients share, and the most of one of them; together with a line that exceeds
  /// them less than a quarter of what the mixer takes.
  static let shared = 576
  static let mostOfAClient = 128

  private static let room = CommonRoom(ofAClient: 0, shared: shared)

  private var frame = Int64.min
  private var uses: [ClientID: CommonRoom.Use] = [:]
  private var all = 0

  /// Whether a client may have the mixer told more for `frame`; what is urgent does not wait for what others asked.
  func hasRoom(for cause: Cause, at frame: Int64, isUrgent: Bool) -> Bool {
    guard frame == self.frame, let own = uses[cause.client] else { return true }
    return own.count < Self.mostOfAClient
      && (isUrgent || Self.room.has(1, for: cause.client, of: cause.user, among: uses))
  }

  /// Whether what is to be told waits until the mixer has gone on, behind `count` steps that are not counted yet.
  func isFull(at frame: Int64, behind count: Int) -> Bool {
    (frame == self.frame ? all : 0) + count >= Self.shared
  }

  /// Counts what came of no client's asking, such as what has come due: it is nobody's, and leaves others less.
  mutating func note(_ count: Int, at frame: Int64) {
    begin(frame)
    all += count
  }

  /// Counts what a client had the mixer told for `frame`. Its first change counts as one of its own: what lies behind that is
  /// others'.
  mutating func charge(_ count: Int, to cause: Cause, at frame: Int64) {
    begin(frame)
    uses[cause.client, default: CommonRoom.Use(user: cause.user, count: 1 - count)].count += count
    all += count
  }
}

extension MusicPacing {
  private mutating func begin(_ frame: Int64) { if frame != self.frame { self = MusicPacing(frame: frame) } }

  private init(frame: Int64) {
    self.init()
    self.frame = frame
  }
}
