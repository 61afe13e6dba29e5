// SPDX-License-Identifier: Apache-2.0

/// Which bus alone is in what the limiter sees, so that the peak that it works out is that bus's: most of the time there is but
/// one, and then its meter costs nothing.
struct LoneBus: BitwiseCopyable {
  /// Silence.
  static var none: Int { @_noLocks get { -1 } }
  /// More than one, or one of which was taken note already.
  static var several: Int { @_noLocks get { -2 } }

  /// In what it sees with the block at hand: the number of a bus, `none` or `several`.
  var seen = LoneBus.none
  /// In what of that it will not have seen.
  var unseen = LoneBus.none

  @_noLocks init() {}
}
