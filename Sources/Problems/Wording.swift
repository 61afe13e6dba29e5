// SPDX-License-Identifier: Apache-2.0

/// A text in which the words of the socket are marked: its methods, its fields and its microseconds.
///
/// On the socket it is read as it is; a program for people says what is marked in its own words, and leaves the rest alone.
public struct Wording: Hashable, Sendable {
  /// As it is read on the socket.
  public private(set) var text: String
  /// What of it is marked, in order; no two overlap.
  public private(set) var terms: [Term]

  /// A word of the socket's at a place of the text.
  public struct Term: Hashable, Sendable, Codable {
    /// What kind of word it is.
    public var kind: Kind
    /// Where it begins, in bytes of UTF-8.
    public var start: Int
    /// How many bytes it has.
    public var length: Int

    /// A mark at a place.
    public init(kind: Kind, start: Int, length: Int) {
      self.kind = kind
      self.start = start
      self.length = length
    }

    /// What words of the socket there are.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
      /// A method, as in `music.play`.
      case method
      /// A field of a method's params.
      case field
      /// A number of microseconds, perhaps with its unit.
      case microseconds
    }
  }

  /// A text in which nothing is marked.
  public init(_ text: String) {
    self.text = text
    terms = []
  }

  /// The text with everything that is marked as `said` puts it. Marks that are not of this text are passed over, as of a
  /// daemon of another version.
  public static func saying(_ text: String, _ terms: [Term], _ said: (Term.Kind, String) -> String) -> String {
    let bytes = Array(text.utf8)
    var (result, done): ([UInt8], Int) = ([], 0)
    for term in terms {
      guard term.start >= done, term.length > 0, term.length <= bytes.count, term.start <= bytes.count - term.length
      else { continue }
      let end = term.start + term.length
      result += bytes[done..<term.start]
      result += said(term.kind, String(decoding: bytes[term.start..<end], as: UTF8.self)).utf8
      done = end
    }
    return String(decoding: result + bytes[done...], as: UTF8.self)
  }
}

extension Wording: ExpressibleByStringInterpolation {
  /// A text in which nothing is marked.
  public init(stringLiteral text: String) { self.init(text) }

  /// A text with what was marked in it.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.wording }

  /// Marks words as they are put in.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var wording = Wording("")

    /// An empty text.
    public init(literalCapacity: Int, interpolationCount: Int) { wording.text.reserveCapacity(literalCapacity) }

    /// Text as it is.
    public mutating func appendLiteral(_ literal: String) { wording.text += literal }

    /// A value as text, unmarked.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      wording.text += value.description
    }

    /// A wording, with its marks.
    public mutating func appendInterpolation(_ other: Wording) {
      let start = wording.text.utf8.count
      wording.text += other.text
      wording.terms += other.terms.map { Term(kind: $0.kind, start: start + $0.start, length: $0.length) }
    }

    /// A method by its name.
    public mutating func appendInterpolation(method name: String) { append(.method, name) }

    /// A field by its name.
    public mutating func appendInterpolation(field name: String) { append(.field, name) }

    /// A number of microseconds.
    public mutating func appendInterpolation(microseconds: Int64) { append(.microseconds, String(microseconds)) }

    /// A length in microseconds, with its unit.
    public mutating func appendInterpolation(lasting microseconds: Int64) {
      append(.microseconds, "\(microseconds) us")
    }

    private mutating func append(_ kind: Term.Kind, _ word: String) {
      wording.terms.append(Term(kind: kind, start: wording.text.utf8.count, length: word.utf8.count))
      wording.text += word
    }
  }
}
