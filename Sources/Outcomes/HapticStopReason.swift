// SPDX-License-Identifier: Apache-2.0

/// Why a player can be stopped.
public enum HapticStopReason: String, Codable, Sendable, CaseIterable {
  /// Asked for by a client, or the daemon ended.
  case requested
  /// Its client has left, and the time for which it was to be kept is over.
  case disconnected
  /// Another took its place, as `haptics.play` asked for.
  case replaced
  /// It looped, and the switch for haptics went off.
  case switchedOff
  /// It was of an earlier reading of its pack, and whoever had it held more such readings than their share.
  case outdated
}
