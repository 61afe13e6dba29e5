// SPDX-License-Identifier: Apache-2.0

/// What a beat came to; of a tap it is `TapVerdict`.
public enum BeatVerdict: Equatable, Sendable {
  /// Tapped; negative errors are early, positive ones late.
  case hit(error: Int64)
  /// Nobody tapped in its cell in time.
  case miss
  /// Its whole cell lay inside a stall, and no tap claimed it: counted as nothing else.
  case void
}
