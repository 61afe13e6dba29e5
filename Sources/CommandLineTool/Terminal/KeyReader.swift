// SPDX-License-Identifier: Apache-2.0

enum Key: Equatable {
  case left, right, up, down, escape
  case character(Character)
}

/// Turns what a terminal sends into keys; sequences may arrive in pieces.
struct KeyReader {
  private var pending: [UInt8] = []

  /// The keys that `bytes` complete. What is unknown is dropped.
  mutating func read(_ bytes: [UInt8]) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let first = pending.first {
      if first != 0x1B {
        pending.removeFirst()
        if first >= 0x20, first < 0x7F { keys.append(.character(Character(UnicodeScalar(first)))) }
        if first == 0x0D || first == 0x0A { keys.append(.character("\n")) }
      } else if let key = takeSequence() {
        if let known = key { keys.append(known) }
      } else {
        break
      }
    }
    return keys
  }

  /// A lone ESC is a key of its own once nothing has followed it.
  mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  /// Outer nil: more bytes are needed. Inner nil: a sequence of no interest.
  private mutating func takeSequence() -> Key?? {
    guard pending.count > 1 else { return nil }
    guard pending[1] == 0x5B || pending[1] == 0x4F else {
      pending.removeFirst()
      return .some(.escape)
    }
    guard let end = pending.dropFirst(2).firstIndex(where: { $0 >= 0x40 && $0 <= 0x7E }) else { return nil }
    let final = pending[end]
    pending.removeFirst(end + 1)
    switch final {
    case UInt8(ascii: "A"): return .some(.up)
    case UInt8(ascii: "B"): return .some(.down)
    case UInt8(ascii: "C"): return .some(.right)
    case UInt8(ascii: "D"): return .some(.left)
    default: return .some(nil)
    }
  }
}
