// SPDX-License-Identifier: Apache-2.0

import JSON
import Suggestions
import Timing

/// The fields of one JSON object, read by name; a field that nobody would read is refused, for it is a typing mistake.
struct PackFields<Key: CodingKey & CaseIterable> {
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
      file.note(.wrongType, at: index, "must be an object")
      return
    }
    let known = Key.allCases.map(\.stringValue)
    var mistyped: [String] = []
    file.tape.forEachMember(of: index) { place, value in
      if known.contains(where: { file.tape.isString(place, $0) }) { return }
      let name = file.tape.string(at: place)
      let candidates = nearest(to: name, among: known)
      mistyped += candidates.prefix(1)
      file.note(
        .unknownField, at: value, from: place, "is no field of this object" + didYouMean(name, among: known),
        candidates: candidates)
    }
    self.mistyped = mistyped
  }

  /// Notes what is wrong with the value of `key`, or that it is missing.
  func refuse(_ key: Key, _ reason: String, _ code: PackError.Code = .invalidValue, candidates: [String] = []) {
    if let value = member(key) {
      file.note(code, at: value, reason, candidates: candidates)
    } else {
      file.note(code, at: index, member: key.stringValue, reason, candidates: candidates)
    }
  }

  /// Whether the field is there, be it null.
  func has(_ key: Key) -> Bool { member(key) != nil }

  /// Where the value of a field is that must be there.
  func required(_ key: Key) -> Int? {
    guard let value = member(key) else {
      if isObject, !mistyped.contains(key.stringValue) { refuse(key, "is missing", .missingField) }
      return nil
    }
    if file.tape.nodes[value].kind == .null {
      refuse(key, "is null; give it a value or leave it out", .missingField)
      return nil
    }
    return value
  }

  /// Where the value of a field is, or nil where it is absent or null.
  func optional(_ key: Key) -> Int? { member(key).flatMap { file.tape.nodes[$0].kind == .null ? nil : $0 } }

  private func member(_ key: Key) -> Int? { isObject ? file.tape.member(key.stringValue, of: index) : nil }

  /// The members of an object of things by their names; none where it is absent.
  func named<Entry>(_ key: Key, _ read: (PackFile, Int) -> Entry) -> [String: Entry] {
    guard let value = optional(key) else { return [:] }
    var entries: [String: Entry] = [:]
    guard file.tape.nodes[value].kind == .object else {
      file.note(.wrongType, at: value, "must be an object")
      return [:]
    }
    file.tape.forEachMember(of: value) { nameIndex, entry in
      let name = file.tape.string(at: nameIndex)
      if !isName(name) { file.note(.invalidValue, at: value, from: nameIndex, refusalOfName(name)) }
      entries[name] = read(file, entry)
    }
    return entries
  }

  /// The name of something.
  func name(_ key: Key) -> String { required(key).map(file.text) ?? "" }

  /// The name of something, or a list of up to `most` names, each there once; none where that is at fault.
  func names(_ key: Key, most: Int) -> [String] {
    guard let value = required(key) else { return [] }
    guard file.tape.nodes[value].kind == .array else { return [file.text(at: value)] }
    let places = file.list(at: value)
    guard (1...most).contains(places.count) else {
      refuse(key, "has \(places.count) names; give 1 to \(most)")
      return []
    }
    let names = places.map(file.text)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      file.note(.invalidValue, at: places[index], "\(excerpt(name)) is there already")
    }
    return names
  }

  /// A number within `range`, or two: anything from the first to the second. 1 where nothing is said.
  func span(_ key: Key, in range: ClosedRange<Double>) -> ClosedRange<Double> {
    guard let value = optional(key) else { return 1...1 }
    guard file.tape.nodes[value].kind == .array else {
      let number = file.number(at: value, in: range)
      return number...number
    }
    let ends = file.list(at: value).map { file.number(at: $0, in: range) }
    guard ends.count == 2, ends[0] <= ends[1] else {
      refuse(key, "must be a number or two, the lower first")
      return range
    }
    return ends[0]...ends[1]
  }

  /// The name of something, or nil.
  func optionalName(_ key: Key) -> String? { optional(key).map(file.text) }

  /// A title or a version: text that is not empty.
  func text(_ key: Key) -> String {
    guard let value = required(key) else { return "" }
    let before = file.faultCount
    let text = file.text(at: value)
    if file.faultCount == before, !(1...200).contains(text.utf8.count) { refuse(key, "must have 1 to 200 bytes") }
    return text
  }

  /// A number within `range`, which must be there.
  func number(_ key: Key, in range: ClosedRange<Double>) -> Double {
    required(key).map { file.number(at: $0, in: range) } ?? range.lowerBound
  }

  /// A number within `range`, or nil.
  func optionalNumber(_ key: Key, in range: ClosedRange<Double>) -> Double? {
    optional(key).map { file.number(at: $0, in: range) }
  }

  /// A whole number within `range`, which must be there.
  func whole(_ key: Key, in range: ClosedRange<Int>) -> Int {
    required(key).map { whole(at: $0, in: range) } ?? range.lowerBound
  }

  /// A whole number within `range`, or nil.
  func optionalWhole(_ key: Key, in range: ClosedRange<Int>) -> Int? { optional(key).map { whole(at: $0, in: range) } }

  private func whole(at value: Int, in range: ClosedRange<Int>) -> Int {
    let before = file.faultCount
    _ = file.number(at: value, in: Double(range.lowerBound)...Double(range.upperBound))
    guard file.faultCount == before else { return range.lowerBound }
    guard let whole = file.tape.integer(at: value) else {
      file.note(.invalidValue, at: value, "is \(file.tape.excerpt(at: value)); it must be a whole number")
      return range.lowerBound
    }
    return Int(whole)
  }

  /// A linear gain, 1 where nothing is said.
  func gain(_ key: Key, upTo most: Double = 8) -> Double { optionalNumber(key, in: 0...most) ?? 1 }

  /// The length of a fade, or nil.
  func fade(_ key: Key) -> Interval? {
    optional(key).map { seconds(at: $0, in: 0...PackSettings.longestFade.seconds) }
  }

  /// Seconds as people write them, to whole microseconds, which must be there.
  func seconds(_ key: Key, from least: Double = 0) -> Interval {
    required(key).map { seconds(at: $0, in: least...maximumSeconds) } ?? .zero
  }

  /// Seconds as people write them, to whole microseconds; `standard` where nothing is said.
  func seconds(_ key: Key, from least: Double = 0, default standard: Interval) -> Interval {
    optional(key).map { seconds(at: $0, in: least...maximumSeconds) } ?? standard
  }

  /// Seconds as people write them, to whole microseconds, within `range`, which must be there.
  func seconds(_ key: Key, in range: ClosedRange<Double>) -> Interval {
    required(key).map { seconds(at: $0, in: range) } ?? .zero
  }

  /// The seconds at `value`.
  func seconds(at value: Int, in range: ClosedRange<Double>) -> Interval {
    .microseconds(wholeMicroseconds(file.number(at: value, in: range, unit: " s")))
  }

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
      candidates: nearest(to: word, among: words))
    return nil
  }

  /// The name of a file inside the pack.
  func file(_ key: Key) -> String {
    guard let value = required(key) else { return "" }
    let before = file.faultCount
    let name = file.text(at: value)
    if file.faultCount == before, let reason = refusalOfFileName(name) { refuse(key, reason) }
    return name
  }
}

/// The shortest time that is not none: a microsecond.
let leastSeconds: Double = 1e-6
/// The longest time a pack may name: a day.
let maximumSeconds: Double = 86_400

/// The nearest whole microsecond.
///
/// Exact for a decimal of up to six places: below a day the nearest double is within 8e-12 s of it, so the product is
/// within 0.00003 of the whole number that was written.
func wholeMicroseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e6).rounded()) }

/// Why that is not the name of a file inside the pack; nil where it is.
public func refusalOfFileName(_ name: String) -> String? {
  let parts = name.split(separator: "/", omittingEmptySubsequences: false)
  if name.isEmpty { return "is empty; name a file inside the pack" }
  if name.utf8.count > 255 { return "is longer than 255 bytes" }
  if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "holds a control character" }
  if name.hasPrefix("/") { return "\"\(excerpt(name))\" is absolute; files are named relative to the pack" }
  if parts.contains("..") { return "\"\(excerpt(name))\" leaves the pack; keep the file inside it" }
  if parts.contains("") || parts.contains(".") { return "\"\(excerpt(name))\" has an empty part" }
  return nil
}

/// The most bytes of a pack's name: with a colon and the longest name of what is in it these are the 128 that any name may
/// have on the socket.
let longestPackName = 63

/// Whether a thing may be called that: 1 to 64 of a-z, 0-9, _ and -.
func isName(_ name: String, most: Int = 64) -> Bool {
  (1...most).contains(name.utf8.count)
    && name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
}

/// Why a thing may not be called that.
func refusalOfName(_ name: String, most: Int = 64) -> String {
  "\"\(excerpt(name))\" is no name; use 1 to \(most) of a-z, 0-9, _ and -"
}
