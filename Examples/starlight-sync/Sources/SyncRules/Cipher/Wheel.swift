// SPDX-License-Identifier: Apache-2.0

/// A wheel of words, of which one is in the centre; it turns both ways without an end.
public struct Wheel: Equatable, Sendable {
  /// The words in their order; the first is the right one.
  public let segments: [String]
  /// Segments turned since the first word was in the centre. Never wrapped: rounding would lose a boundary.
  private var turned: Double
  public private(set) var isHeld = false
  private var settling: Settling?

  /// On its way to the segment it was let go on.
  private struct Settling: Equatable, Sendable {
    let from: Double
    let sinceUs: Int64
    let lengthUs: Int64
  }

  init(rules: WheelRules, start: Int) {
    segments = [rules.answer] + rules.decoys
    turned = Double(start)
  }

  /// The segment in the centre; of a wheel that is settling, the one that was chosen.
  public var selection: Int { Int(wrapped(Self.nearest(turned))) }

  /// Whether the right word is in the centre.
  public var isRight: Bool { selection == 0 }

  /// Which segment is to be drawn in the centre, with parts of one: 0 up to, and not with, their number.
  public func position(atUs us: Int64) -> Double { wrapped(turned(atUs: us)) }

  /// How many segments the right one is from the centre, whichever way is shorter.
  public func distance(atUs us: Int64) -> Double {
    let place = position(atUs: us)
    return min(place, Double(segments.count) - place)
  }

  /// Turns it, and tells how many boundaries passed the centre.
  mutating func turn(by amount: Double, atUs us: Int64) -> Int {
    turned = turned(atUs: us)
    settling = nil
    isHeld = true
    let before = Self.nearest(turned)
    turned += amount
    return Int(abs(Self.nearest(turned) - before))
  }

  /// Lets it settle on the segment in the centre. False where nobody held it.
  mutating func letGo(atUs us: Int64, settleUs: Int64) -> Bool {
    guard isHeld else { return false }
    isHeld = false
    settling = Settling(from: turned, sinceUs: us, lengthUs: settleUs)
    turned = Self.nearest(turned)
    return true
  }

  private func turned(atUs us: Int64) -> Double {
    guard let settling else { return turned }
    let part = Units.part(of: settling.lengthUs, sinceUs: settling.sinceUs, atUs: us)
    return settling.from + (turned - settling.from) * part
  }

  private func wrapped(_ place: Double) -> Double {
    let count = Double(segments.count)
    let rest = place.truncatingRemainder(dividingBy: count)
    let positive = rest < 0 ? rest + count : rest
    return positive < count ? positive : 0
  }

  private static func nearest(_ place: Double) -> Double { (place + Units.half).rounded(.down) }
}
