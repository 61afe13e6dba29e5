// SPDX-License-Identifier: Apache-2.0

import JSON
import Suggestions
import Timing

/// The fields of one JSON object, read by name; a field that nobody would read is refused, for it is a typing mistake.
struct PackFields<Key: PackKey> {
  let file: PackFile
  /// Where the object is.
  let index: Int
  /// Whether it is one; what is no object has its fault already, and its fields none.
  private let isObject: Bool
  /// What was most likely meant by fields that nobody reads: of these it is not said that they are missing.
  private var mistyped: [String] = []

  init(_ file: PackFile, _ index: Int, keys: Key.Type = Key.self) {
    self.file = file
    self.index = index
    isObject = file.tape.nodes[index].kind == .object
    guard isObject else {
      file.note(
        .wrongType, at: index, "must be an object", advice: file.writing(.object(Key.object), inPlaceOf: index))
      return
    }
    let known = Key.allCases.map(\.stringValue)
    var absent: [String]?
    var mistyped: [String] = []
    file.tape.forEachMember(of: index) { place, value in
      if known.contains(where: { file.tape.isString(place, $0) }) { return }
      if file.isOnlyCounted() { return }
      let name = file.tape.string(at: place)
      let missing = absent ?? known.filter { file.tape.member($0, of: index) == nil }
      absent = missing
      let synonyms = FieldSynonyms.meant(by: name, among: missing)
      let candidates = synonyms.isEmpty ? nearest(to: name, among: known) : Array(synonyms.prefix(3))
      mistyped += candidates.prefix(1)
      let meant = candidates.first.flatMap { meant in Key.allCases.first { $0.stringValue == meant } }
      file.note(
        .unknownField, at: value, from: place, "is no field of this object" + didYouMean(oneOf: candidates),
        advice: meant.map { file.writing($0, inPlaceOf: value) }
          ?? "remove it; the fields here are \(known.joined(separator: ", "))",
        candidates: candidates)
    }
    self.mistyped = mistyped
  }

  /// Notes what is wrong with the value of `key`, or that it is missing.
  func refuse(
    _ key: Key, _ reason: @autoclosure () -> String, _ code: PackError.Code = .invalidValue,
    advice: @autoclosure () -> String? = nil, isBeyondSchema: Bool = false, candidates: @autoclosure () -> [String] = []
  ) {
    if let value = member(key) {
      file.note(
        code, at: value, reason(), advice: advice(), isBeyondSchema: isBeyondSchema, candidates: candidates())
    } else {
      file.note(code, at: index, member: key.stringValue, reason(), advice: advice(), candidates: candidates())
    }
  }

  /// Notes that a field is there which is not for what else is.
  func refuseStray(_ key: Key, _ reason: String) { refuse(key, reason, advice: "remove \(key.stringValue)") }

  /// Whether the field is there, be it null.
  func has(_ key: Key) -> Bool { member(key) != nil }

  /// Where the value of a field is that must be there.
  func required(_ key: Key) -> Int? {
    guard let value = member(key) else {
      if isObject, !mistyped.contains(key.stringValue) { refuse(key, "is missing", .missingField, advice: giving(key)) }
      return nil
    }
    if file.tape.nodes[value].kind == .null {
      refuse(key, "is null", .missingField, advice: giving(key))
      return nil
    }
    return value
  }

  private func giving(_ key: Key) -> String { "add it, as in \"\(key.stringValue)\": \(key.rule.value.example)" }

  /// Where the value of a field is, or nil where it is absent or null.
  func optional(_ key: Key) -> Int? { member(key).flatMap { file.tape.nodes[$0].kind == .null ? nil : $0 } }

  private func member(_ key: Key) -> Int? { isObject ? file.tape.member(key.stringValue, of: index) : nil }

  /// The members of an object of things by their names; none where it is absent.
  func named<Entry>(_ key: Key, _ read: (PackFile, Int) -> Entry) -> [String: Entry] {
    guard let value = optional(key) else { return [:] }
    var entries: [String: Entry] = [:]
    guard file.tape.nodes[value].kind == .object else {
      file.note(
        .wrongType, at: value, "must be an object of things by their names",
        advice: file.writing(key.rule.value, inPlaceOf: value))
      return [:]
    }
    var count = 0
    file.tape.forEachMember(of: value) { _, _ in count += 1 }
    guard count <= ValueRule.mostNames else {
      refuse(key, "has \(count) entries; \(ValueRule.mostNames) are the most", advice: "make several packs of them")
      return [:]
    }
    file.tape.forEachMember(of: value) { nameIndex, entry in
      let name = file.tape.string(at: nameIndex)
      file.checkName(name, of: value, at: nameIndex)
      entries[name] = read(file, entry)
    }
    return entries
  }

  /// The name of something.
  func name(_ key: Key) -> String { required(key).map { file.text(at: $0) } ?? "" }

  /// The name of something, or a list of names, each there once; none where that is at fault.
  func names(_ key: Key) -> [String] {
    guard let value = required(key) else { return [] }
    guard file.tape.nodes[value].kind == .array else { return [file.text(at: value)] }
    let places = file.list(at: value)
    let counts = key.rule.value.counts
    guard counts.contains(places.count) else {
      refuse(
        key, "has \(places.count) names; there can be 1 to \(counts.upperBound)",
        advice: places.isEmpty ? "name one at least" : "remove some")
      return []
    }
    let names = places.map { file.text(at: $0) }
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      file.note(.invalidValue, at: places[index], "\(excerpt(name)) is there already", advice: "keep one of them")
    }
    return names
  }

  /// A number within `range`, or two: anything from the first to the second. 1 where nothing is said.
  func span(_ key: Key, by rule: ValueRule? = nil) -> ClosedRange<Double> {
    let range = (rule ?? key.rule.value).range
    guard let value = optional(key) else { return 1...1 }
    guard file.tape.nodes[value].kind == .array else {
      let number = file.number(at: value, in: range)
      return number...number
    }
    let before = file.faultCount
    let ends = file.list(at: value).map { file.number(at: $0, in: range) }
    guard file.faultCount == before else { return range }
    guard ends.count == 2, ends[0] <= ends[1] else {
      refuse(
        key, "must be a number or two, the lower first", advice: "write them as in [0.9, 1.1]",
        isBeyondSchema: ends.count == 2)
      return range
    }
    return ends[0]...ends[1]
  }

  func optionalName(_ key: Key) -> String? { optional(key).map { file.text(at: $0) } }

  /// A title or a version: text that is not empty.
  func text(_ key: Key) -> String { required(key).map { text(at: $0, of: key) } ?? "" }

  /// The same of what need not be there.
  func optionalText(_ key: Key) -> String? { optional(key).map { text(at: $0, of: key) } }

  private func text(at value: Int, of key: Key) -> String {
    let before = file.faultCount
    let text = file.text(at: value)
    if file.faultCount == before, !(1...200).contains(text.utf8.count) {
      refuse(
        key, "must have 1 to 200 bytes",
        advice: text.isEmpty
          ? "write \(key.rule.about), as in \"\(key.stringValue)\": \"TEXT\"" : "shorten it")
    }
    return text
  }

  /// A number as its rule, or another, has it, which must be there.
  func number(_ key: Key, by rule: ValueRule? = nil) -> Double {
    let range = (rule ?? key.rule.value).range
    return required(key).map { file.number(at: $0, in: range) } ?? range.lowerBound
  }

  /// A number as its rule has it, or nil.
  func optionalNumber(_ key: Key) -> Double? { optional(key).map { file.number(at: $0, in: key.rule.value.range) } }

  /// The numbers of an object of them by name.
  func numbers(_ key: Key) -> [String: Double] {
    let range = key.rule.value.range
    return named(key) { $0.number(at: $1, in: range) }
  }

  /// A whole number as its rule has it, which must be there.
  func whole(_ key: Key) -> Int {
    required(key).map { whole(at: $0, key.rule.value.range) } ?? Int(key.rule.value.range.lowerBound)
  }

  /// A whole number as its rule has it, or nil.
  func optionalWhole(_ key: Key) -> Int? { optional(key).map { whole(at: $0, key.rule.value.range) } }

  private func whole(at value: Int, _ range: ClosedRange<Double>) -> Int {
    let before = file.faultCount
    _ = file.number(at: value, in: range)
    guard file.faultCount == before else { return Int(range.lowerBound) }
    guard let whole = file.tape.integer(at: value) else {
      file.note(
        .invalidValue, at: value, "is \(file.tape.excerpt(at: value)); it must be a whole number",
        advice: "write a number without a fraction")
      return Int(range.lowerBound)
    }
    return Int(whole)
  }

  /// A linear gain, 1 where nothing is said.
  func gain(_ key: Key) -> Double { optionalNumber(key) ?? 1 }

  func truth(_ key: Key) -> Bool? { optional(key).map { file.truth(at: $0) } }

  /// The elements of a list that must be there; none where it is no list.
  func list(_ key: Key) -> [Int] { required(key).map { file.list(at: $0) } ?? [] }

  func optionalList(_ key: Key) -> [Int] { optional(key).map { file.list(at: $0) } ?? [] }

  /// Seconds as people write them, to whole microseconds, which must be there.
  func seconds(_ key: Key) -> Interval { required(key).map { seconds(at: $0, by: key.rule.value) } ?? .zero }

  /// Seconds as people write them, to whole microseconds, or nil.
  func optionalSeconds(_ key: Key) -> Interval? { optional(key).map { seconds(at: $0, by: key.rule.value) } }

  /// The seconds at `value`, as a rule has them.
  func seconds(at value: Int, by rule: ValueRule) -> Interval { .microseconds(file.microseconds(at: value, by: rule)) }

  /// One word of a fixed choice, or nil.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: Key) -> Choice? where Choice.RawValue == String {
    guard let value = optional(key) else { return nil }
    let before = file.faultCount
    let word = file.text(at: value)
    guard file.faultCount == before else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    refuse(
      key, "is \"\(excerpt(word))\"; it can be \(words.joined(separator: ", "))",
      advice: nearest(to: word, among: words).first.map { "write \"\($0)\"" }
        ?? "write \(words.map { "\"\($0)\"" }.joined(separator: " or "))",
      candidates: nearest(to: word, among: words))
    return nil
  }

  /// The name of a file inside the pack; empty where it is none.
  func file(_ key: Key) -> String {
    guard let value = required(key) else { return "" }
    let before = file.faultCount
    let name = file.text(at: value)
    guard file.faultCount == before else { return "" }
    guard let reason = refusalOfFileName(name) else { return name }
    refuse(key, reason, advice: "name the file from the pack's folder on, as in sounds/bell.wav")
    return ""
  }
}
