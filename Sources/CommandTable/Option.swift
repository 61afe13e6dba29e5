// SPDX-License-Identifier: Apache-2.0

/// An option as it is declared once: parsing, help and completion are drawn from it.
public struct Option: Sendable, Equatable {
  /// The long name, without its dashes.
  public let name: String
  /// The one-letter name, without its dash.
  public let short: Character?
  /// What the help calls the value; nil for a flag.
  public let valueName: String?
  /// What it takes, which also decides how its value is checked.
  public let kind: ValueKind
  /// What counts when the option is missing, as one would type it.
  public let defaultText: String?
  /// One sentence fragment for people.
  public let help: String
  /// The environment variable that counts when the option is missing.
  public let environment: String?

  /// `--name`.
  public var dashed: String { "--" + name }

  /// `-s, --name VALUE`, or `    --name VALUE` without a short name.
  var signature: String {
    (short.map { "-\($0), " } ?? "    ") + dashed + (valueName.map { " " + $0 } ?? "")
  }
}

/// An option together with the type its value has: declare it once, look its value up with it.
public struct OptionKey<Value: Sendable>: Sendable {
  /// The declaration, for the tables.
  public let option: Option
  let fallback: Value?
  let read: @Sendable (ParsedValue) -> Value?
}

extension OptionKey where Value == Bool {
  /// A flag: true when it is there.
  public static func flag(_ name: String, short: Character? = nil, help: String) -> Self {
    make(name, short, .flag, nil, nil, help, fallback: false) { $0 == .flag }
  }
}

extension OptionKey where Value == String {
  /// Any text.
  public static func text(
    _ name: String, short: Character? = nil, value: String, default fallback: String? = nil,
    environment: String? = nil, help: String
  ) -> Self {
    word(name, short, value, .text, fallback, environment, help)
  }

  /// The path of a file or folder.
  public static func path(
    _ name: String, short: Character? = nil, value: String = "PATH", default fallback: String? = nil,
    environment: String? = nil, help: String
  ) -> Self {
    word(name, short, value, .path, fallback, environment, help)
  }

  /// One of `choices`.
  public static func choice(
    _ name: String, short: Character? = nil, value: String, of choices: [String], default fallback: String? = nil,
    help: String
  ) -> Self {
    word(name, short, value, .choice(choices), fallback, nil, help)
  }

  private static func word(
    _ name: String, _ short: Character?, _ value: String, _ kind: ValueKind, _ fallback: String?,
    _ environment: String?, _ help: String
  ) -> Self {
    make(name, short, kind, value, fallback, help, environment: environment, fallback: fallback) {
      if case .text(let text) = $0 { text } else { nil }
    }
  }
}

extension OptionKey where Value == Int {
  /// A whole number in `range`.
  public static func integer(
    _ name: String, short: Character? = nil, value: String = "N", in range: ClosedRange<Int> = 0...Int.max,
    default fallback: Int? = nil, help: String
  ) -> Self {
    make(name, short, .integer(range), value, fallback.map(String.init), help, fallback: fallback) {
      if case .integer(let value) = $0 { value } else { nil }
    }
  }
}

extension OptionKey where Value == Double {
  /// A decimal number in `range`.
  public static func number(
    _ name: String, short: Character? = nil, value: String = "X", in range: ClosedRange<Double> = 0...Double.infinity,
    default fallback: Double? = nil, environment: String? = nil, help: String
  ) -> Self {
    decimal(name, short, value, .number(range), fallback, help, environment)
  }

  /// A length of time in `range`; its value is in seconds, as its range.
  public static func duration(
    _ name: String, short: Character? = nil, value: String = "SECONDS",
    in range: ClosedRange<Double> = 0...Double.infinity, default fallback: Double? = nil, help: String
  ) -> Self {
    decimal(name, short, value, .duration(range), fallback, help)
  }

  private static func decimal(
    _ name: String, _ short: Character?, _ value: String, _ kind: ValueKind, _ fallback: Double?, _ help: String,
    _ environment: String? = nil
  ) -> Self {
    make(name, short, kind, value, fallback.map(plain), help, environment: environment, fallback: fallback) {
      if case .number(let value) = $0 { value } else { nil }
    }
  }
}

extension OptionKey {
  private static func make(
    _ name: String, _ short: Character?, _ kind: ValueKind, _ value: String?, _ defaultText: String?, _ help: String,
    environment: String? = nil, fallback: Value?, _ read: @escaping @Sendable (ParsedValue) -> Value?
  ) -> Self {
    let option = Option(
      name: name, short: short, valueName: value, kind: kind, defaultText: defaultText, help: help,
      environment: environment)
    return Self(option: option, fallback: fallback, read: read)
  }
}
