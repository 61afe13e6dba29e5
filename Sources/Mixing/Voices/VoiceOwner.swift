// SPDX-License-Identifier: Apache-2.0

/// Whose a voice is, by numbers (`VoiceStart.owner`).
public enum VoiceOwner {
  /// The daemon itself: no other takes a voice or a slot from it.
  public static var daemon: UInt64 { @_noLocks get { 0 } }

  /// All of a user who have gone: one, however many they were, for a program may come anew for each sound that it plays.
  @_noLocks public static func gone(of user: UInt32) -> UInt64 { 1 << 63 | UInt64(user) }

  /// Whether it is those who have gone. Not even their only voice is kept while somebody who is here wants it.
  @_noLocks public static func isGone(_ owner: UInt64) -> Bool { owner >> 63 != 0 }
}
