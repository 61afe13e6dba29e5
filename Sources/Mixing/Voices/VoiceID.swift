// SPDX-License-Identifier: Apache-2.0

/// One sounding of one source. Given out by the control side, never twice.
public struct VoiceID: Hashable, Sendable, BitwiseCopyable {
  /// The number itself.
  public var rawValue: UInt64

  /// The voice of that number.
  @_noLocks @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The same voice; written out because a derived comparison cannot carry `@_noLocks`.
  @_noLocks @inlinable public static func == (a: VoiceID, b: VoiceID) -> Bool { a.rawValue == b.rawValue }
}
