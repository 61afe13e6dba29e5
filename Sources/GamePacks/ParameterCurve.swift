// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a value between 0 and 1 comes to, as straight lines between points.
public struct ParameterCurve: Equatable, Sendable {
  /// The most points that are written.
  public static let mostPoints = 32
  /// How far a line may lie from the power that it stands for, as a share of the whole way.
  static let tolerance = 1e-4

  /// One corner.
  public struct Point: Equatable, Sendable {
    /// What the parameter is set to, 0 to 1.
    public var value: Double
    /// What it comes to there, as what is driven counts: a gain or a factor, of a low-pass octaves below 20 kHz.
    public var to: Double

    /// A corner at `value`.
    public init(value: Double, to: Double) {
      self.value = value
      self.to = to
    }
  }

  /// By ascending value; one at least. Before the first and behind the last it stays.
  public private(set) var points: [Point]

  /// A curve through points, by ascending value.
  public init(points: [Point]) { self.points = points }

  /// From `from` to `to` along a power of the value.
  public init(power: Double, from: Double, to: Double) {
    var points = [Point(value: 0, to: from)]
    func add(_ start: Double, _ end: Double, _ depth: Int) {
      let (low, high) = (pow(start, power), pow(end, power))
      let isStraight = [0.25, 0.5, 0.75].allSatisfy { share in
        abs(pow(start + (end - start) * share, power) - (low + (high - low) * share)) < Self.tolerance
      }
      if isStraight || depth == 0 {
        points.append(Point(value: end, to: from + (to - from) * high))
      } else {
        add(start, (start + end) / 2, depth - 1)
        add((start + end) / 2, end, depth - 1)
      }
    }
    add(0, 1, 20)
    self.points = points
  }

  /// What a value comes to.
  public func callAsFunction(_ value: Double) -> Double {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].value <= value { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return points.first?.to ?? 1 }
    guard low < points.count else { return points[points.count - 1].to }
    let (first, second) = (points[low - 1], points[low])
    return first.to + (second.to - first.to) * (value - first.value) / (second.value - first.value)
  }
}

extension ParameterCurve {
  enum Keys: String, PackKey {
    case power, from, to, points

    static var object: ObjectRule { ParameterCurve.shape(.gain) }

    var rule: FieldRule {
      switch self {
      case .power: .may(.number(0.1...10), "from `from` to `to` along that power of the value")
      case .from: .may(.number(0...20_000), "what 0 comes to")
      case .to: .may(.number(0...20_000), "what 1 comes to")
      case .points: .may(.list(.object(PointKeys.self), 1...ParameterCurve.mostPoints), "by ascending value")
      }
    }
  }

  enum PointKeys: String, PackKey {
    case value, to

    var rule: FieldRule {
      switch self {
      case .value: .must(.number(0...1), "where")
      case .to: .must(.number(0...20_000), "what it comes to there")
      }
    }
  }

  /// A power or points, for what a control can be driven to.
  static func shape(_ control: PackParameter.Control) -> ObjectRule {
    let driven = ValueRule.number(control.range)
    var end = ObjectRule.Variant([.power, .from, .to] as [Keys], required: [.power])
    for (index, standard) in [(1, 0.0), (2, 1.0)] {
      end.fields[index].rule.value = driven
      end.fields[index].rule.isRequired = !control.range.contains(standard)
      end.fields[index].rule.standard = control.range.contains(standard) ? plain(standard) : nil
    }
    var point = ObjectRule.Variant(PointKeys.allCases)
    point.fields[1].rule.value = driven
    var points = ObjectRule.Variant([.points] as [Keys], required: [.points])
    points.fields[0].rule.value = .list(.object(ObjectRule(variants: [point])), Keys.points.rule.value.counts)
    return ObjectRule(variants: [end, points])
  }

  /// `{"power": 0.8}` with `from` and `to`, or `{"points": [{"value": 0, "to": 1}, ...]}`; nil where it is neither.
  init?(_ manifest: PackFile, _ index: Int, _ control: PackParameter.Control) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    let driven = ValueRule.number(control.range)
    guard fields.has(.power) != fields.has(.points) else {
      if manifest.faultCount == before {
        manifest.note(
          .invalidValue, at: index, "must have either power or points", advice: "write one of them")
      }
      return nil
    }
    if fields.has(.power) {
      let power = fields.number(.power)
      func end(_ key: Keys, _ standard: Double) -> Double {
        if fields.optional(key) == nil, control.range.contains(standard) { return standard }
        return control.driven(to: fields.number(key, by: driven))
      }
      let (from, to) = (end(.from, 0), end(.to, 1))
      guard manifest.faultCount == before else { return nil }
      self.init(power: power, from: from, to: to)
      return
    }
    for stray in [Keys.from, .to] where fields.has(stray) { fields.refuseStray(stray, "goes with power") }
    let places = fields.required(.points).map(manifest.list) ?? []
    if manifest.faultCount == before, !(1...Self.mostPoints).contains(places.count) {
      fields.refuse(.points, "has \(places.count) points; give 1 to \(Self.mostPoints)", advice: "give it points")
    }
    let points = places.map { place in
      let point = PackFields(manifest, place, keys: PointKeys.self)
      return Point(
        value: point.number(.value), to: control.driven(to: point.number(.to, by: driven)))
    }
    guard manifest.faultCount == before else { return nil }
    for (index, (first, second)) in zip(points, points.dropFirst()).enumerated() where first.value >= second.value {
      manifest.note(
        .invalidValue, at: places[index + 1], "must have a higher value than the point before it",
        advice: "order the points by their value", isBeyondSchema: true)
    }
    guard manifest.faultCount == before else { return nil }
    self.init(points: points)
  }
}

extension PackParameter.Control {
  /// As it is driven: a low-pass in octaves below open.
  fileprivate func driven(to value: Double) -> Double { self == .lowPass ? log2(value / range.upperBound) : value }
}
