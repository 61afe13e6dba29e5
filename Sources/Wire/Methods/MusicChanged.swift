// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// Music began, changed or ended.
public struct MusicChanged: WireNotification {
  public static let name = "music.changed"
  public static let topic = Topic.music
  public static let summary =
    "The music started, was cross-faded, paused, resumed, stopped or ended at `tUs`; or it fell silent for want of its file, or came back."

  /// What happened.
  public var change: Change
  /// The track it happened to, `pack:track`.
  public var track: String?
  /// On a cross-fade, the track that fades out; also on one that waits until the music goes on.
  public var from: String?
  /// Length of the fade that is heard, longer than asked for where it interrupts others; 0 where there is none.
  public var fadeUs: Int64?
  /// On a cross-fade, how long the old track takes to fade out; missing where that is `fadeUs`.
  public var fadeOutUs: Int64?
  /// The place in the track at `tUs`.
  public var positionUs: Int64?

  public typealias Change = MusicHappening

  public init(
    change: Change, track: String? = nil, from: String? = nil, fadeUs: Int64? = nil, fadeOutUs: Int64? = nil,
    positionUs: Int64? = nil
  ) {
    self.change = change
    self.track = track
    self.from = from
    self.fadeUs = fadeUs
    self.fadeOutUs = fadeOutUs
    self.positionUs = positionUs
  }
}
