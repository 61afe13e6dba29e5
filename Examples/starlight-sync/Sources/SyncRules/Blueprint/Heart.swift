// SPDX-License-Identifier: Apache-2.0

extension BlueprintRules {
  /// Where a node is: evenly around the heart's curve, from its dip to the right.
  public func place(ofNode node: Int) -> Point {
    let angle = Double(node) * Units.turn / Double(nodes)
    let sine = Circle.sine(angle)
    var y: Double = 0
    for (index, wave) in waves.enumerated() { y += wave * Circle.cosine(angle * Double(index + 1)) }
    return Point(x: wave * sine * sine * sine * scale, y: y * scale)
  }

  /// How far from a node's middle it is hit, in points.
  public var hitRadius: Double { nodeRadius * hitRadii }
}
