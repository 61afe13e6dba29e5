// SPDX-License-Identifier: Apache-2.0

/// A rule by which a bus steps back while voices sound that carry it.
///
/// The bus goes down with the first of them and begins to come back `hold` after the last has ended, however it ended: with
/// its source, with the fade of a stop, stolen. A voice that is paused, or whose own bus has come down to gain 0, is not
/// heard and does not count; it counts again from the frame at which it is resumed, or its bus turned up. Of several rules
/// at work on a bus the one acts, at every frame, that wants it lowest.
public struct DuckRule: Equatable, Sendable, BitwiseCopyable {
  /// The bus that steps back.
  public let bus: Bus
  /// The gain it goes down to, 0...1.
  public let depth: Float
  /// Frames it takes to go down.
  public let attack: Int32
  /// Frames it stays down after the last voice's end.
  public let hold: Int32
  /// Frames it takes to come back.
  public let release: Int32

  /// A rule of those numbers, each brought into its range.
  public init(_ bus: Bus, depth: Float, attack: Int32, hold: Int32, release: Int32) {
    self.bus = bus
    self.depth = depth < 1 ? max(depth, 0) : 1
    self.attack = max(attack, 0)
    self.hold = max(hold, 0)
    self.release = max(release, 0)
  }

  /// The same rule; written out because a derived comparison cannot carry `@_noLocks`.
  @_noLocks public static func == (a: DuckRule, b: DuckRule) -> Bool {
    a.bus.index == b.bus.index && a.depth == b.depth && a.attack == b.attack && a.hold == b.hold
      && a.release == b.release
  }
}
