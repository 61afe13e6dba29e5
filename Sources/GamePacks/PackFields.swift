import Suggestions
import Timing

/// A fault found while decoding, before the file's name is known.
struct FieldError: Error {
  var path: [any CodingKey]
  var code: PackError.Code
  var reason: String
  var candidates: [String] = []
}

/// A step of a field path: a name, or a place in a list.
struct FieldKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(_ name: String) { stringValue = name }
  init(_ index: Int) { (stringValue, intValue) = (String(index), index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}

/// The fields of one JSON object, read by name; a field that nobody would read is refused, for it is a typing mistake.
struct PackFields<Key: CodingKey & CaseIterable> {
  let container: KeyedDecodingContainer<Key>

  init(_ decoder: any Decoder, keys: Key.Type = Key.self) throws {
    container = try decoder.container(keyedBy: Key.self)
    let known = Key.allCases.map(\.stringValue)
    let present = try decoder.container(keyedBy: FieldKey.self).allKeys.map(\.stringValue).sorted()
    for name in present where !known.contains(name) {
      throw FieldError(
        path: decoder.codingPath + [FieldKey(name)], code: .unknownField,
        reason: "is no field of this object" + didYouMean(name, among: known),
        candidates: nearest(to: name, among: known))
    }
  }

  /// Refuses the value of `key`.
  func refusal(_ key: Key, _ reason: String, code: PackError.Code = .invalidValue) -> FieldError {
    FieldError(path: container.codingPath + [key], code: code, reason: reason)
  }

  func has(_ key: Key) -> Bool { container.contains(key) }

  /// The value of a field that must be there.
  func required<Value: Decodable>(_ key: Key) throws -> Value { try container.decode(Value.self, forKey: key) }

  /// The value of a field, or nil where it is absent or null.
  func optional<Value: Decodable>(_ key: Key) throws -> Value? {
    try container.decodeIfPresent(Value.self, forKey: key)
  }

  /// A title or a version: text that is not empty.
  func text(_ key: Key) throws -> String {
    let text: String = try required(key)
    guard !text.isEmpty, text.utf8.count <= 200 else { throw refusal(key, "must have 1 to 200 bytes") }
    return text
  }

  /// A number within `range`.
  func number(_ key: Key, in range: ClosedRange<Double>, default standard: Double? = nil) throws -> Double {
    let value: Double
    if let standard { value = try optional(key) ?? standard } else { value = try required(key) }
    guard range.contains(value) else {
      throw refusal(key, "is \(value), outside \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// A whole number within `range`.
  func whole(_ key: Key, in range: ClosedRange<Int>, default standard: Int? = nil) throws -> Int {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    let value = try number(key, in: bounds, default: standard.map(Double.init))
    guard let whole = Int(exactly: value) else { throw refusal(key, "is \(value); it must be a whole number") }
    return whole
  }

  /// A linear gain, 1 where nothing is said.
  func gain(_ key: Key, upTo most: Double = 8) throws -> Double { try number(key, in: 0...most, default: 1) }

  /// The length of a fade.
  func fade(_ key: Key, default standard: Interval? = nil) throws -> Interval {
    try seconds(key, upTo: PackSettings.longestFade.seconds, default: standard)
  }

  /// Seconds as people write them, to whole microseconds.
  func seconds(
    _ key: Key, upTo most: Double = maximumSeconds, default standard: Interval? = nil
  ) throws -> Interval {
    let value: Double
    switch standard {
    case nil: value = try required(key)
    case .some(let standard):
      guard let written: Double = try optional(key) else { return standard }
      value = written
    }
    guard (0...most).contains(value) else {
      throw refusal(key, "is \(value) s, outside 0 to \(Int(most)) s")
    }
    return .microseconds(wholeMicroseconds(value))
  }

  /// One word of a fixed choice.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: Key, default standard: Choice
  ) throws -> Choice where Choice.RawValue == String {
    guard let word: String = try optional(key) else { return standard }
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue)
      throw FieldError(
        path: container.codingPath + [key], code: .invalidValue,
        reason: "is \"\(word)\"; it can be \(words.joined(separator: ", "))",
        candidates: nearest(to: word, among: words))
    }
    return choice
  }

  /// The name of a file inside the pack.
  func file(_ key: Key) throws -> String {
    let name: String = try required(key)
    if let reason = refusalOfFileName(name) { throw refusal(key, reason) }
    return name
  }
}

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
  if name.hasPrefix("/") { return "\"\(name)\" is absolute; files are named relative to the pack" }
  if parts.contains("..") { return "\"\(name)\" leaves the pack; keep the file inside it" }
  if parts.contains("") || parts.contains(".") { return "\"\(name)\" has an empty part" }
  return nil
}

/// Whether a thing may be called that: 1 to 64 of a-z, 0-9, _ and -.
func isName(_ name: String) -> Bool {
  (1...64).contains(name.utf8.count)
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
func refusalOfName(_ name: String) -> String {
  "\"\(name.prefix(70))\" is no name; use 1 to 64 of a-z, 0-9, _ and -"
}
