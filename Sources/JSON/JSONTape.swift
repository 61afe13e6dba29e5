// SPDX-License-Identifier: Apache-2.0

/// JSON text as read, value after value in one array, each with its place in the text: an object or array is followed
/// by what is in it. Strings and numbers stay in the text until asked for.
public struct JSONTape: Sendable {
  /// What a value is.
  public enum Kind: UInt8, Sendable {
    case object, array, string, number, `true`, `false`, null
  }

  /// One value. The members of an object are a string and a value in turn.
  public struct Node: Sendable {
    public var kind: Kind
    /// Whether a string has escapes.
    public var hasEscapes = false
    /// Where its text begins; of a string without the quote.
    public var start: Int32
    /// Where its text ends; of a string without the quote.
    public var end: Int32
    /// Values (of an object: members) directly inside.
    public var count: Int32 = 0
    /// The index after the last value inside.
    public var next: Int32
  }

  /// The whole text.
  public let bytes: [UInt8]
  /// The values; the first is the outermost.
  public internal(set) var nodes: [Node] = []
  /// Where commas stand that should not, in bytes; ascending.
  public internal(set) var trailingCommas: [Int] = []
  /// The names that repeat one of their object, by their indices; ascending.
  public internal(set) var repeatedNames: [Int] = []

  /// Scans `bytes`, a byte order mark before them aside.
  public init(scanning bytes: [UInt8], _ rules: JSONRules = JSONRules()) throws(JSONFault) {
    self.bytes = bytes
    let scanned: Result<JSONScanner, JSONFault> = bytes.withUnsafeBufferPointer { text in
      var scanner = JSONScanner(text, rules)
      do throws(JSONFault) {
        try scanner.scan()
        return .success(scanner)
      } catch {
        return .failure(error)
      }
    }
    switch scanned {
    case .success(let scanner):
      // Outside strings a byte beyond ASCII is refused anyway.
      if scanner.isBeyondASCII, let fault = JSONFault(notUTF8: bytes) { throw fault }
      nodes = scanner.nodes
      trailingCommas = scanner.trailingCommas
      repeatedNames = scanner.repeatedNames
    case .failure(let fault): throw JSONFault(notUTF8: bytes) ?? fault
    }
  }

  /// `{}`, for what is not there.
  public static let emptyObject = JSONTape(
    bytes: Array("{}".utf8), nodes: [Node(kind: .object, start: 0, end: 2, next: 1)])

  private init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// Where the value at `index` begins in the text, a string's quote included.
  public func offset(of index: Int) -> Int {
    let node = nodes[index]
    return Int(node.start) - (node.kind == .string ? 1 : 0)
  }

  /// The values of the array at `index`, by their indices.
  public func elements(of index: Int) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(Int(nodes[index].count))
    var at = index + 1
    while at < nodes[index].next {
      result.append(at)
      at = Int(nodes[at].next)
    }
    return result
  }

  /// Calls `body` with the index of the name and of the value of each member of the object at `index`.
  public func forEachMember<Failure: Error>(
    of index: Int, _ body: (_ name: Int, _ value: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var at = index + 1
    let end = nodes[index].next
    while at < end {
      try body(at, at + 1)
      at = Int(nodes[at + 1].next)
    }
  }

  /// The value of the member of the object at `index` that bears `name`: the last where there are several.
  public func member(_ name: String, of index: Int) -> Int? {
    var found: Int?
    forEachMember(of: index) { key, value in
      if isString(key, name) { found = value }
    }
    return found
  }

  /// Whether the string at `index` is `text`, byte for byte once its escapes are resolved.
  public func isString(_ index: Int, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { isString(index, $0) }
  }

  /// Whether the string at `index` is `text`, byte for byte once its escapes are resolved.
  public func isString(_ index: Int, _ text: String) -> Bool {
    if !nodes[index].hasEscapes, Int(nodes[index].end - nodes[index].start) != text.utf8.count { return false }
    return text.utf8.withContiguousStorageIfAvailable { isString(index, $0) }
      ?? (string(at: index).utf8.elementsEqual(text.utf8))
  }

  private func isString(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let node = nodes[index]
    guard node.kind == .string else { return false }
    if node.hasEscapes { return string(at: index).utf8.elementsEqual(text) }
    guard Int(node.end - node.start) == text.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for offset in 0..<text.count where text[offset] != bytes[Int(node.start) + offset] { return false }
      return true
    }
  }

  /// The bytes of the value at `index` as they are written, a string's quotes included.
  public func slice(at index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    let quote = node.kind == .string ? 1 : 0
    return bytes[(Int(node.start) - quote)..<(Int(node.end) + quote)]
  }

  /// The value at `index` as it is written.
  public func text(at index: Int) -> String { String(decoding: slice(at: index), as: UTF8.self) }

  /// The beginning of the value at `index` as it is written, for a message: at most 64 bytes, and "..." where more follow.
  public func excerpt(at index: Int) -> String {
    let slice = slice(at: index)
    // One byte more than is shown tells that there is more.
    return JSON.excerpt(String(decoding: slice.prefix(68), as: UTF8.self))
  }

  /// What kind of value stands at `index`, with its article.
  public func noun(at index: Int) -> String {
    switch nodes[index].kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .true: "true"
    case .false: "false"
    case .null: "null"
    }
  }
}
