// SPDX-License-Identifier: Apache-2.0

import JSON

/// A value as it is written, to be shown again where it belongs.
struct Written {
  var kind: JSONTape.Kind
  var text: String

  /// The value at `index`; nil where it is too long to be shown whole.
  init?(_ tape: JSONTape, _ index: Int) {
    let slice = tape.slice(at: index)
    guard slice.count <= 64, !slice.contains(UInt8(ascii: "\n")) else { return nil }
    (kind, text) = (tape.nodes[index].kind, tape.text(at: index))
  }
}

extension ValueRule {
  /// One that is right, as one would write it: with what is `written` at the first place where that may stand.
  func example(holding written: Written? = nil) -> String {
    var written = written
    return example(&written)
  }

  /// Takes what is written where it has a place for it.
  fileprivate func example(_ written: inout Written?) -> String {
    if let text = written?.text, takes(written) {
      written = nil
      return text
    }
    switch self {
    case .object(let rule): return rule.example(&written)
    case .named(let each, _): return "{\"NAME\": \(each.example(&written))}"
    case .list(let each, _), .set(let each, _): return "[\(each.example(&written))]"
    case .anyOf(let rules):
      let rule = rules.first { $0.takes(written) } ?? rules.first
      return rule?.example(&written) ?? ""
    default: return example
    }
  }

  /// Whether something of that kind may stand there.
  fileprivate func takes(_ written: Written?) -> Bool {
    switch (self, written?.kind) {
    case (.anyText, .string?), (.text, .string?), (.packName, .string?), (.laneName, .string?), (.reference, .string?),
      (.references, .string?), (.fileName, .string?):
      true
    case (.number, .number?), (.span, .number?), (.whole, .number?), (.seconds, .number?): true
    case (.object, .object?), (.named, .object?), (.list, .array?), (.set, .array?): true
    case (.truth, .true?), (.truth, .false?), (.onlyTrue, .true?): true
    case (.anyOf(let rules), _): rules.contains { $0.takes(written) }
    default: false
    }
  }
}

extension ObjectRule {
  /// In the first way that has a place for what is written, with the fields that must be there.
  fileprivate func example(_ written: inout Written?) -> String {
    let ways = variants.map { variant in
      let required = variant.fields.filter { $0.rule.isRequired || variant.needsOne.first == $0.name }
      return required.isEmpty ? Array(variant.fields.prefix(1)) : required
    }
    let way = ways.first { $0.contains { $0.rule.value.takes(written) } } ?? ways.first ?? []
    return "{" + way.map { "\"\($0.name)\": \($0.rule.value.example(&written))" }.joined(separator: ", ") + "}"
  }
}
