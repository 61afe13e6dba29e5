// SPDX-License-Identifier: Apache-2.0

import JSON

/// One of a pack's JSON files as it is read, with all that is wrong with it: reading goes on behind a fault, so that its
/// writer is told everything at once.
///
/// Where something is wrong a reader answers with some value that nobody sees, for a file with faults is not taken.
final class PackFile {
  private static let maximumBytes = PackManifest.maximumBytes
  /// Faults told in full; the rest is counted.
  private static let maximumFaults = 100
  /// Places of a text that is no JSON behind which it is read on.
  private static let mostMended = 16
  /// Parts that are left out by themselves; a file with more at fault is refused.
  private static let mostPartsAside = 16

  let tape: JSONTape
  private let path: String
  /// As the file has them; those of the tape may be mended.
  private let bytes: [UInt8]
  private var faults: [Fault] = []
  /// Those of parts that may be left out while the rest stands, and how many parts these are.
  private var aside: [Fault] = []
  private var partsAside = 0
  private var untold = 0
  private var warnings: [Fault] = []

  fileprivate struct Fault {
    var offset: Int
    var error: PackError
  }

  /// A file as far as it was read.
  struct Noted: Sendable {
    let tape: JSONTape
    let path: String
    fileprivate let bytes: [UInt8]
    fileprivate let faults: [Fault]
    fileprivate let untold: Int
  }

  /// Scans a file's bytes.
  init(_ bytes: [UInt8], path: String) throws(PackFaults) {
    self.path = path
    guard bytes.count <= Self.maximumBytes else {
      throw PackFaults(PackError(.syntax, path: path, "is larger than \(Self.maximumBytes >> 20) MiB"))
    }
    self.bytes = bytes
    // Commas too many are told with everything else, and so is what can be read on behind.
    let rules = JSONRules(textBytes: 4_096, allowsTrailingCommas: true)
    let read = JSONTape.read(bytes, rules, mendingAtMost: Self.mostMended)
    guard let tape = read.tape else {
      let places = TextPosition.positions(of: read.faults.map(\.offset), in: bytes)
      let faults = zip(read.faults, places).map {
        PackError(.syntax, path: path, at: $1, $0.reason, remedy: $0.remedy)
      }
      throw PackFaults(faults) ?? PackFaults(PackError(.syntax, path: path, "could not be read"))
    }
    self.tape = tape
    for fault in read.faults {
      note(.syntax, offset: fault.offset, field: "", fault.reason, remedy: fault.remedy)
    }
    for comma in tape.trailingCommas {
      note(
        .syntax, offset: comma, field: "", "a comma stands before the end of a list or object", remedy: "remove it")
    }
    for name in tape.repeatedNames {
      // To find its path takes as long as the file is.
      if isOnlyCounted() { continue }
      note(
        .syntax, offset: tape.offset(of: name), field: dotted(tape.path(to: name + 1)),
        "is there twice", remedy: "keep one of them")
    }
  }

  /// A file that was read before, with what was noted of it then.
  init(_ noted: Noted) {
    tape = noted.tape
    path = noted.path
    bytes = noted.bytes
    faults = noted.faults
    untold = noted.untold
  }

  /// All that was read and noted so far.
  var noted: Noted { Noted(tape: tape, path: path, bytes: bytes, faults: faults, untold: untold) }

  var faultCount: Int { faults.count + untold }

  /// Reads a part that may be left out while the rest stands: answers what is wrong with it, in place of noting it. A file
  /// that is refused for something else tells it all the same.
  func apart(_ read: () -> Void) -> PackFaults? {
    guard partsAside < Self.mostPartsAside else {
      read()
      return nil
    }
    let (before, untoldBefore) = (faults, untold)
    (faults, untold) = ([], 0)
    read()
    let own = told(faults)
    aside += faults
    if own != nil { partsAside += 1 }
    (faults, untold) = (before, untoldBefore)
    return own
  }

  /// Whether faults are only counted by now.
  var isFull: Bool { faults.count >= Self.maximumFaults }

  /// Counts a fault where that is all that is done by now; false where it is to be looked into and noted.
  func isOnlyCounted() -> Bool {
    if isFull { untold += 1 }
    return isFull
  }

  /// Notes what is wrong with the value at `index`, or with its name at `name`; `member` is the one of its members that is
  /// meant. What to say of it is only found out while it will be told: a file of nothing but faults must not take long.
  func note(
    _ code: PackError.Code, at index: Int, from name: Int? = nil, member: String? = nil,
    _ reason: @autoclosure () -> String, advice: @autoclosure () -> String? = nil, isBeyondSchema: Bool = false,
    candidates: @autoclosure () -> [String] = []
  ) {
    if isOnlyCounted() { return }
    let steps = tape.path(to: index) + (member.map { [JSONStep($0)] } ?? [])
    note(
      code, offset: tape.offset(of: name ?? index), field: dotted(steps), reason(), advice: advice(),
      isBeyondSchema: isBeyondSchema, candidates: candidates())
  }

  /// Notes what may be as it is, and is most likely not what was meant.
  func warn(at index: Int, _ reason: String, advice: String) {
    guard warnings.count < Self.maximumFaults else { return }
    var error = PackError(
      .invalidValue, path: path, field: dotted(tape.path(to: index)), reason)
    error.advice = advice
    warnings.append(Fault(offset: tape.offset(of: index), error: error))
  }

  private func note(
    _ code: PackError.Code, offset: Int, field: String, _ reason: String, remedy: String? = nil,
    advice: String? = nil, isBeyondSchema: Bool = true, candidates: [String] = []
  ) {
    if isOnlyCounted() { return }
    var error = PackError(code, path: path, field: field, reason, remedy: remedy, candidates: candidates)
    (error.advice, error.isBeyondSchema) = (advice, isBeyondSchema)
    faults.append(Fault(offset: offset, error: error))
  }

  /// What is most likely not what was meant, in the order of the text; of a file without faults.
  var allWarnings: [PackError] {
    let (own, uncounted) = (warnings, untold)
    untold = 0
    defer { untold = uncounted }
    return told(own)?.faults ?? []
  }

  /// All that was noted, in the order of the text; nil where that is nothing.
  func takeFaults() -> PackFaults? {
    if faults.isEmpty { return nil }
    let all = faults + aside
    untold += max(0, all.count - Self.maximumFaults)
    return told(Array(all.prefix(Self.maximumFaults)))
  }

  /// Faults with their places, in the order of the text; nil for none.
  private func told(_ faults: [Fault]) -> PackFaults? {
    if faults.isEmpty { return nil }
    let ordered = faults.sorted { $0.offset < $1.offset }
    let places = TextPosition.positions(of: ordered.map(\.offset), in: bytes)
    var told = zip(ordered, places).map { fault, place in
      var error = fault.error
      (error.line, error.column) = (place.line, place.column)
      return error
    }
    if untold > 0 { told.append(PackError(.syntax, path: path, "\(untold) more faults are not listed")) }
    return PackFaults(told)
  }

  /// The elements of the list at `index`; none where it is no list.
  func list(at index: Int) -> [Int] {
    if tape.nodes[index].kind == .array { return tape.elements(of: index) }
    note(
      .wrongType, at: index, "must be a list",
      advice: Written(tape, index).map { "put it in brackets: [\($0.text)]" } ?? "put it in brackets: [...]")
    return []
  }

  func text(at index: Int) -> String {
    guard tape.nodes[index].kind == .string else {
      note(.wrongType, at: index, "must be text", advice: adviceOnText(at: index))
      return ""
    }
    if tape.hasHalfSurrogate(at: index) {
      note(.invalidValue, at: index, "holds half of a surrogate pair", isBeyondSchema: true)
    }
    return tape.string(at: index)
  }

  func truth(at index: Int) -> Bool {
    switch tape.nodes[index].kind {
    case .true: return true
    case .false: return false
    default:
      let word = Written(tape, index)?.text.lowercased() ?? ""
      let meant = ["\"true\"", "\"yes\"", "\"on\"", "1"].contains(word) ? "true" : nil
      let denied = ["\"false\"", "\"no\"", "\"off\"", "0"].contains(word) ? "false" : nil
      note(
        .wrongType, at: index, "must be true or false",
        advice: "write \(meant ?? denied ?? "true or false"), without quotes")
      return false
    }
  }

  /// The number at `index`, within `range`; its lower end where it is not.
  func number(at index: Int, in range: ClosedRange<Double>, unit: String = "") -> Double {
    guard tape.nodes[index].kind == .number else {
      note(.wrongType, at: index, "must be a number", advice: adviceOnNumber(at: index, in: range, unit: unit))
      return range.lowerBound
    }
    let value = tape.number(at: index)
    guard range.contains(value) else {
      let bounds = "\(plain(range.lowerBound)) to \(plain(range.upperBound))\(unit)"
      note(
        .invalidValue, at: index, "is \(tape.excerpt(at: index))\(unit), outside \(bounds)",
        advice: advice(on: value, at: index, in: range, unit: unit) ?? "write a number from \(bounds)")
      return range.lowerBound
    }
    return value
  }

  /// The seconds at `index` in whole microseconds, as a rule has them.
  func microseconds(at index: Int, by rule: ValueRule) -> Int64 {
    let seconds = number(at: index, in: rule.range, unit: " s")
    if case .seconds(_, let usual) = rule, seconds > usual {
      warn(at: index, "is \(plain(seconds)) s, which is unusually long", advice: Self.inSeconds(seconds))
    }
    return wholeMicroseconds(seconds)
  }

  /// Where the value at the end of a way through members and elements is.
  func index(at path: [JSONStep]) -> Int? {
    path.reduce(0 as Int?) { index, step in
      guard let index else { return nil }
      guard let place = step.intValue else {
        return tape.nodes[index].kind == .object ? tape.member(step.stringValue, of: index) : nil
      }
      guard tape.nodes[index].kind == .array, place < tape.nodes[index].count else { return nil }
      return tape.elements(of: index)[place]
    }
  }
}
