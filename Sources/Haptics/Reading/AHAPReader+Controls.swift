// SPDX-License-Identifier: Apache-2.0

import JSON

extension AHAPReader {
  private static let times = 0...AHAPLimits.time
  private static let dynamicNames = AHAPDynamicParameter.allCases.map(\.rawValue)

  /// Reads the value of a Parameter and adds it to the document; nil when it cannot be used.
  mutating func readParameter(_ index: Int) -> AHAPControl? {
    guard isObject(index, "Parameter") else { return nil }
    let (id, value) = parameterMembers(index, among: ["ParameterID", "ParameterValue", "Time"])
    guard let parameter = dynamicParameter(id, of: "a pattern", index) else { return nil }
    let time = time(of: index, "this parameter")
    guard let value, let number = number(value, "ParameterValue", in: parameter.range) else {
      guard isMissing(value) else { return nil }
      findings.add(
        .warning, "missing-value", at: tape.offset(of: index), "this parameter has no ParameterValue and is left out",
        apple: "takes the default, which changes nothing", fix: "add \"ParameterValue\"")
      return nil
    }
    let control = AHAPControl(parameter, time: time, points: [AHAPControl.Point(time: 0, value: number)])
    append(control)
    return control
  }

  /// Reads the value of a ParameterCurve and adds it to the document; nil when it cannot be used.
  mutating func readCurve(_ index: Int) -> AHAPControl? {
    guard isObject(index, "ParameterCurve") else { return nil }
    let (id, _) = parameterMembers(index, among: ["ParameterID", "Time", "ParameterCurveControlPoints"])
    guard let parameter = dynamicParameter(id, of: "a curve", index) else { return nil }
    let time = time(of: index, "this curve")
    let list = member("ParameterCurveControlPoints", of: index)
    if let list, tape.nodes[list].kind == .array, tape.nodes[list].count > AHAPLimits.curvePoints {
      overlongCurve = overlongCurve ?? list
      return nil
    }
    let points = list.map { readPoints($0, parameter) } ?? []
    if points.isEmpty {
      if let list, !isMissing(list), tape.nodes[list].kind != .array { return nil }
      findings.add(
        .warning, "empty-curve", at: tape.offset(of: list ?? index), "this curve has no points and changes nothing",
        apple: "changes nothing", fix: "add points, or remove the curve")
      return nil
    }
    if let list {
      noteDisorder(of: points, in: list)
      if time > 0 { delayedCurves.append(ReadCurve(time: time, points: points, list: list)) }
    }
    let control = AHAPControl(
      parameter, time: time, points: points.map { AHAPControl.Point(time: $0.time, value: $0.value) })
    append(control)
    return control
  }

  /// A point as read, and where it and its Time stand.
  struct ReadPoint {
    var time: Double
    var value: Double
    var index: Int
    var timeIndex: Int?
  }

  /// A curve that does not begin with the pattern, and where its list of points stands.
  struct ReadCurve {
    var time: Double
    var points: [ReadPoint]
    var list: Int

    /// Whether its first point has its own Time.
    var beginsLate: Bool { points.map(\.time).min().map { abs($0 - time) < 1e-6 } ?? false }
    /// When its last point is reached, as curves are played.
    var end: Double { time + (points.map(\.time).max() ?? 0) }
  }

  private mutating func readPoints(_ list: Int, _ parameter: AHAPDynamicParameter) -> [ReadPoint] {
    var points: [ReadPoint] = []
    for object in objects(list, "ParameterCurveControlPoints") {
      let (_, value) = parameterMembers(object, among: ["Time", "ParameterValue"])
      let timeIndex = member("Time", of: object)
      let time = timeIndex.flatMap { number($0, "Time", in: Self.times) }
      if timeIndex == nil { noteMissingTime(object, of: "this point") }
      guard let value, let number = number(value, "ParameterValue", in: parameter.range) else {
        guard isMissing(value) else { continue }
        findings.add(
          .warning, "missing-value", at: tape.offset(of: object), "this point has no ParameterValue and is left out",
          apple: "takes the default, \(decimal(parameter.neutral))", fix: "add \"ParameterValue\"")
        continue
      }
      points.append(ReadPoint(time: time ?? 0, value: number, index: object, timeIndex: timeIndex))
    }
    return points
  }

  private mutating func noteDisorder(of points: [ReadPoint], in list: Int) {
    guard let early = zip(points, points.dropFirst()).first(where: { $0.time > $1.time })?.1 else { return }
    // Points that could not be read stay where they are: only whole lists are put in order.
    let isWhole = points.count == Int(tape.nodes[list].count)
    if isWhole { edits.order[list] = points.sorted { $0.time < $1.time }.map(\.index) }
    findings.add(
      .warning, "unsorted-points", at: tape.offset(of: early.index), "this point is earlier than the one before it",
      apple: "does not document what it does", fix: "sort the points by Time", isFixable: isWhole)
  }

  /// One exporter counts the times of points from the pattern's start. It is known by all its curves together: the first
  /// point of each has the curve's own Time, and played as they are, they run on when the last event has ended. (One
  /// curve alone proves nothing: Apple's Jump.ahap has one that begins late and ends where it should.)
  mutating func noteAbsolutePoints() {
    let end = document.events.map { $0.time + ($0.duration ?? 0) }.max() ?? 0
    guard delayedCurves.allSatisfy(\.beginsLate), delayedCurves.contains(where: { $0.end > end + 1e-3 }) else { return }
    for curve in delayedCurves {
      for point in curve.points {
        if let index = point.timeIndex { edits.numbers[index] = point.time - curve.time }
      }
      let time = decimal(curve.time)
      findings.add(
        .warning, "absolute-curve-points", at: tape.offset(of: curve.list),
        "these points look counted from the pattern's start; they count from the curve's Time, \(time)",
        apple: "plays the curve \(time) s too late", fix: "subtract \(time) from every point's Time", isFixable: true)
    }
  }

  private mutating func dynamicParameter(_ id: Int?, of what: String, _ index: Int) -> AHAPDynamicParameter? {
    guard let id, let name = string(id, "ParameterID") else {
      if isMissing(id) { noteMissingID(index, known: Self.dynamicNames) }
      return nil
    }
    if let parameter = AHAPDynamicParameter(rawValue: name) { return parameter }
    noteUnknownParameter(id, name, of: what, known: Self.dynamicNames)
    return nil
  }

  private mutating func time(of index: Int, _ what: String) -> Double {
    guard let time = member("Time", of: index) else {
      noteMissingTime(index, of: what)
      return 0
    }
    return number(time, "Time", in: Self.times) ?? 0
  }

  /// The value of the last member of that name.
  private func member(_ name: StaticString, of index: Int) -> Int? {
    var found: Int?
    tape.forEachMember(of: index) { key, value in
      if tape.isString(key, name) { found = value }
    }
    return found
  }
}
