// SPDX-License-Identifier: Apache-2.0

/// What the demo does besides tapping, and when.
struct DemoPlan: Equatable {
  /// Instants at which the chapter is stopped for the finale, and of the end.
  let finaleUs: Int64
  let endUs: Int64
  /// Length of the cross-fade to the finale.
  let crossfadeUs: Int64

  /// A run of `lengthUs` from `startUs`: the finale comes for the last fifth, four seconds at most.
  init(startUs: Int64, lengthUs: Int64) {
    let tail = min(lengthUs / 5, 4_000_000)
    endUs = startUs + lengthUs
    finaleUs = endUs - tail
    crossfadeUs = min(2_000_000, tail / 2)
  }
}
