// SPDX-License-Identifier: Apache-2.0

/// What the demo does besides tapping, and when.
struct DemoPlan: Equatable {
  /// When the chapter is left, so that its music has faded out by the finale, also where it hears of that a little later.
  let leaveUs: Int64
  /// Instants of the finale, and of the end.
  let finaleUs: Int64
  let endUs: Int64

  /// A run of `lengthUs` from `startUs`: the finale comes for the last fifth, four seconds at most.
  init(startUs: Int64, lengthUs: Int64) {
    endUs = startUs + lengthUs
    finaleUs = endUs - min(lengthUs / 5, 4_000_000)
    leaveUs = finaleUs - 600_000
  }
}
