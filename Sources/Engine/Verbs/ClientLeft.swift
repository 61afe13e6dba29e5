// SPDX-License-Identifier: Apache-2.0

extension Engine {
  /// A client has gone. What plays once and has begun finishes, be it heard or felt; what loops fades out, and what has not
  /// begun does not begin, but for what it asked to be kept; a chapter goes on for its lease. Music and settings are the daemon's.
  ///
  /// Of its cues that are to come at most `most` end in a call, for each of a thousand takes some microseconds; false where there are
  /// more, which end by calling it again.
  @discardableResult public mutating func clientLeft(_ client: ClientID, most: Int = .max) -> Bool {
    guard endCues(of: client, most: most) else { return false }
    endSounds(of: client)
    endSettings(of: client)
    endHaptics(of: client)
    leaveChapter(client)
    usedPacks[client] = nil
    return true
  }
}
