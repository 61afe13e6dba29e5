// SPDX-License-Identifier: Apache-2.0

/// What a value in a pack's files may be: the reader checks by it, and the schema says it.
indirect enum ValueRule: Sendable {
  /// Any text, which nobody reads.
  case anyText
  /// Text for people, 1 to 200 bytes.
  case text
  /// What a pack is called.
  case packName
  /// What a lane is called.
  case laneName
  /// The name of something that is declared elsewhere.
  case reference
  /// The same, or a list of up to `most`, each there once.
  case references(most: Int)
  /// The path of a file inside the pack.
  case fileName
  /// True or false.
  case truth
  case onlyTrue
  case number(ClosedRange<Double>)
  /// A number, or two, the lower first.
  case span(ClosedRange<Double>)
  case whole(ClosedRange<Int>)
  /// Seconds as people write them. What is above `usual` may be, but was most likely meant in milliseconds.
  case seconds(ClosedRange<Double>, usual: Double = .infinity)
  /// One of these words.
  case choice([String])
  /// How many things of a kind one object may name: whoever misspells one waits until it was looked for among all.
  static let mostNames = 4_096

  case object(ObjectRule)
  /// An object of things by the names that its writer gives them; not more than a client may look one up among.
  case named(ValueRule, most: Int = mostNames)
  case list(ValueRule, ClosedRange<Int> = 0...Int.max)
  /// A list of at most so many elements, which are all different.
  case set(ValueRule, most: Int)
  case anyOf([ValueRule])
}

/// A field of an object: what may stand there, whether it must, and what it is.
struct FieldRule: Sendable {
  var value: ValueRule
  var isRequired: Bool
  /// One clause for people, from which an editor's hints are made.
  var about: String
  /// What holds where the field is missing, as one would write it.
  var standard: String?

  /// A field that must be there.
  static func must(_ value: ValueRule, _ about: String) -> FieldRule {
    FieldRule(value: value, isRequired: true, about: about)
  }

  /// A field that may be left out.
  static func may(_ value: ValueRule, _ about: String, standard: String? = nil) -> FieldRule {
    FieldRule(value: value, isRequired: false, about: about, standard: standard)
  }
}

/// The names of an object's fields, each with its rule.
protocol PackKey: CodingKey, CaseIterable, Sendable {
  /// What may stand there.
  var rule: FieldRule { get }
  /// What an object of them may be.
  static var object: ObjectRule { get }
}

extension PackKey {
  static var object: ObjectRule { ObjectRule(Self.self) }
}

/// What an object may be: in one way, or in several that differ by their fields.
struct ObjectRule: Sendable {
  /// One way: these fields and no others.
  struct Variant: Sendable {
    var fields: [(name: String, rule: FieldRule)]
    /// One of these must be there, where any are named.
    var needsOne: [String] = []

    init(_ fields: [(name: String, rule: FieldRule)], needsOne: [String] = []) {
      self.fields = fields
      self.needsOne = needsOne
    }

    /// Those of `keys`, one of which must be there in this way of several.
    init<Key: PackKey>(_ keys: [Key], required: [Key] = [], needsOne: [Key] = []) {
      fields = keys.map { key in
        var rule = key.rule
        if required.contains(where: { $0.stringValue == key.stringValue }) { rule.isRequired = true }
        return (key.stringValue, rule)
      }
      self.needsOne = needsOne.map(\.stringValue)
    }
  }

  var variants: [Variant]

  /// All fields of a kind of object.
  init<Key: PackKey>(_ keys: Key.Type) { variants = [Variant(Array(Key.allCases))] }

  /// Any of several ways.
  init(variants: [Variant]) { self.variants = variants }
}

extension ValueRule {
  /// An object with all fields of a kind.
  static func object<Key: PackKey>(_ keys: Key.Type) -> ValueRule { .object(ObjectRule(keys)) }

  /// The words of a choice.
  static func choice<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) -> ValueRule
  where Choice.RawValue == String { .choice(Choice.allCases.map(\.rawValue)) }

  /// The least and the most, of a rule of numbers.
  var range: ClosedRange<Double> {
    switch self {
    case .number(let range), .span(let range), .seconds(let range, _): range
    case .whole(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .named(let each, _), .list(let each, _): each.range
    default: 0...0
    }
  }

  /// How many may be there, of a rule of lists and names.
  var counts: ClosedRange<Int> {
    switch self {
    case .list(_, let counts): counts
    case .named(_, let most): 0...most
    case .references(let most): 1...most
    case .set(_, let most): 0...most
    default: 0...Int.max
    }
  }

  /// One that is right, as one would write it.
  var example: String {
    switch self {
    case .anyText, .text: #""TEXT""#
    case .packName, .laneName, .reference, .references: #""NAME""#
    case .fileName: #""FILE""#
    case .truth, .onlyTrue: "true"
    case .number(let range), .span(let range): plain(range.contains(0.5) ? 0.5 : max(range.lowerBound, 1))
    case .whole(let range): String(max(range.lowerBound, 1))
    case .seconds(let range, _): plain(range.contains(0.5) ? 0.5 : range.lowerBound)
    case .choice(let words): "\"\(words.first ?? "")\""
    case .object, .named, .list, .set, .anyOf: example(holding: nil)
    }
  }
}
