// SPDX-License-Identifier: Apache-2.0

extension Engine {
  /// A client has gone. What plays once and has begun finishes, be it heard or felt; what loops fades out, and what has not
  /// begun does not begin, but for what it asked to be kept; a chapter goes on for its lease. Music and settings are the daemon's.
  public mutating func clientLeft(_ client: ClientID) {
    endCues(of: client)
    endSounds(of: client)
    endSettings(of: client)
    endHaptics(of: client)
    leaveChapter(client)
    usedPacks[client] = nil
  }
}
