// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SeededNumbers
import Testing

@testable import JSON

/// Foundation's reader and writer are the oracle.
@Suite struct JSONOracleTests {
  struct Everything: Codable, Equatable {
    struct Inner: Codable, Equatable {
      var depth: Int
      var names: [String]
    }
    enum Choice: String, Codable {
      case one, two
    }

    var text: String
    var whole: Int64
    var small: UInt8?
    var number: Double
    var flag: Bool?
    var inner: Inner?
    var list: [Inner]
    var choice: Choice?
    var byName: [String: Double]
  }

  /// Foundation's decoder is the oracle: random damage is judged alike by both.
  @Test func damagedTextsAreJudgedLikeFoundationJudgesThem() throws {
    let seeds = [
      #"{"jsonrpc":"2.0","id":12,"method":"music.play","params":{"track":"main","gain":-0.5e2,"loop":true}}"#,
      #"[{"a":[1,2,{"b":null}],"c":"x\\\"\u00e9\/"},[],{},false, 0.25 ]"#,
    ]
    let alphabet = Array(#"{}[]",:\0123456789.eE+-truefalsn u"#.utf8)
    var random = SeededRandom(seed: 42)
    var valid = 0
    for round in 0..<3_000 {
      var text = Array(seeds[round % 2].utf8)
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(text.count))
        switch random.next() % 3 {
        case 0: text[place] = alphabet[Int(random.next() % UInt64(alphabet.count))]
        case 1: text.insert(alphabet[Int(random.next() % UInt64(alphabet.count))], at: place)
        default: text.remove(at: place)
        }
      }
      let ours = (try? JSONTape(scanning: text)) != nil
      let theirs = (try? JSONDecoder().decode(Anything.self, from: Data(text))) != nil
      // A lone half of a surrogate pair is well-formed JSON that no string can hold.
      if ours, !theirs, String(decoding: text, as: UTF8.self).contains(#"\u"#) { continue }
      // Foundation lets a comma before a closing bracket pass.
      if theirs, !ours, String(decoding: text.filter { $0 != 0x20 }, as: UTF8.self).contains(",]") { continue }
      #expect(ours == theirs, "\(String(decoding: text, as: UTF8.self))")
      valid += ours ? 1 : 0
    }
    #expect(valid > 100)
  }

  @Test func valuesAreWrittenAndReadAsFoundationDoes() throws {
    var random = SeededRandom(seed: 7)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for _ in 0..<300 {
      let value = Everything(&random)
      var writer = JSONWriter()
      try writer.write(value)
      let theirs = Array(try encoder.encode(value))
      #expect(String(decoding: writer.bytes, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
      let tape = try JSONTape(scanning: writer.bytes)
      #expect(try JSONDecoding(tape).decode(Everything.self) == value)
      #expect(try JSONDecoder().decode(Everything.self, from: Data(writer.bytes)) == value)
    }
  }

  /// Anything that is JSON.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {
      if var list = try? decoder.unkeyedContainer() {
        while !list.isAtEnd { _ = try list.decode(Anything.self) }
      } else if let object = try? decoder.container(keyedBy: JSONStep.self) {
        for key in object.allKeys { _ = try object.decode(Anything.self, forKey: key) }
      } else {
        let value = try decoder.singleValueContainer()
        guard value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(Double.self)) != nil
        else {
          _ = try value.decode(String.self)
          return
        }
      }
    }
  }
}

extension JSONOracleTests.Everything {
  fileprivate init(_ random: inout SeededRandom) {
    let alphabet = Array("ab\"\\/\n\t\u{1}é€😀 ".unicodeScalars)
    func text() -> String {
      var text = ""
      for _ in 0..<(random.next() % 8) {
        text.unicodeScalars.append(alphabet[Int(random.next() % UInt64(alphabet.count))])
      }
      return text
    }
    func number() -> Double {
      switch random.next() % 4 {
      case 0: Double(Int64(truncatingIfNeeded: random.next() % 2_000_000)) / 1_000
      case 1: Double(random.next() % 100)
      case 2: -Double(random.next()) * 1e-30
      default: Double(random.next()) * 1e200
      }
    }
    func inner() -> Inner {
      Inner(depth: Int(random.next() % 10), names: (0..<(random.next() % 3)).map { _ in text() })
    }
    self.text = text()
    whole = Int64(bitPattern: random.next())
    small = random.next() % 2 == 0 ? UInt8(random.next() % 256) : nil
    self.number = number()
    flag = random.next() % 3 == 0 ? nil : random.next() % 2 == 0
    self.inner = random.next() % 2 == 0 ? inner() : nil
    list = (0..<(random.next() % 4)).map { _ in inner() }
    choice = random.next() % 2 == 0 ? .two : nil
    byName = ["z": number(), "a": number(), "a b": number()]
  }
}
