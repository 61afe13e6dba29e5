// SPDX-License-Identifier: Apache-2.0

/// How fast a song goes, to the millionth: so that what becomes of an instant is a matter of whole numbers.
public struct SongRate: Hashable, Sendable {
  /// What can still be tapped to, and heard as the song that it is.
  public static let range = 0.5...1.5
  /// As it was made.
  public static let normal = SongRate(millionths: 1_000_000)

  /// Microseconds of song in a second.
  public let millionths: Int64

  /// The nearest of whole millionths; nil outside `range`.
  public init?(_ rate: Double) {
    guard Self.range.contains(rate) else { return nil }
    self.init(millionths: Int64((rate * 1e6).rounded()))
  }

  private init(millionths: Int64) { self.millionths = millionths }

  /// Song seconds a second.
  public var value: Double { Double(millionths) / 1e6 }

  /// How long the player waits for `length` microseconds of song, rounded once to the nearest; halves go up.
  public func playerTime(of length: Int64) -> Int64 {
    let scaled = length * 1_000_000 + millionths / 2
    // Swift divides towards zero.
    return scaled >= 0 ? scaled / millionths : -((millionths - 1 - scaled) / millionths)
  }

  /// How much of the song goes by in `length` microseconds of the player's, rounded to the nearest.
  public func songTime(of length: Int64) -> Int64 {
    let scaled = length * millionths + 500_000
    return scaled >= 0 ? scaled / 1_000_000 : -((999_999 - scaled) / 1_000_000)
  }
}
