// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// Colours for a terminal, or nothing at all where there is none.
struct Style: Sendable, Equatable {
  /// Whether escape sequences may be written.
  let isColoured: Bool

  /// No escape sequences.
  static let plain = Style(isColoured: false)
  /// SGR escape sequences with the 256-colour palette.
  static let coloured = Style(isColoured: true)

  /// By which sequences of this program are known from those in a name or title from outside: another each time it runs.
  private static let seal = String(UInt32.random(in: 1_000_000...999_999_999))
  /// Back to normal.
  static let normal = "\u{1B}[0;\(seal)m"

  /// `text` in `ink`, and back to normal; to be shown by `visible`.
  func paint(_ text: some StringProtocol, _ ink: Ink) -> String {
    isColoured && ink != .normal && !text.isEmpty
      ? "\u{1B}[\(ink.code);\(Self.seal)m\(text)\(Self.normal)" : String(text)
  }

  /// Where a sequence ends by which something was painted; nil where `text` does not begin with one.
  static func endOfPaint(_ text: Substring) -> Substring.Index? { sealedColour(text.unicodeScalars, seal: seal)?.end }

  /// A line as it may be shown: what was painted in its colours where there are any, and what would act on a terminal besides
  /// made visible.
  func visible(_ line: String) -> String { visibleText(line, seal: Self.seal, colours: isColoured) }
}

/// What something is drawn with.
enum Ink: Sendable, Hashable {
  case normal
  case bold
  case dim
  case good
  case bad
  case warning
  case accent
  /// A place on the 256-colour palette, faint where `dimmed`.
  case palette(UInt8, dimmed: Bool)

  /// SGR parameters.
  var code: String {
    switch self {
    case .normal: "0"
    case .bold: "1"
    case .dim: "2"
    case .good: "32"
    case .bad: "31"
    case .warning: "33"
    case .accent: "36"
    case .palette(let index, let dimmed): (dimmed ? "2;" : "") + "38;5;\(index)"
    }
  }

  /// Sharpness as colour: deep blue for round, through violet, to yellow for crisp.
  static func sharpness(_ value: Double, dimmed: Bool = false) -> Ink {
    let ramp: [UInt8] = [27, 63, 99, 135, 171, 205, 209, 214, 220]
    let clamped = value > 0 ? min(value, 1) : 0
    return .palette(ramp[Int((clamped * Double(ramp.count - 1)).rounded())], dimmed: dimmed)
  }
}
