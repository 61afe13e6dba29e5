import SeededNumbers
import Testing

@testable import Wire

@Suite struct JSONScannerTests {
  private func members(_ text: String) throws -> [(String, String)] {
    let bytes = Array(text.utf8)
    guard case .object(let members) = try scanJSON(bytes[...], maximumDepth: 32) else { return [] }
    return members.map { ($0.name, String(decoding: bytes[$0.value], as: UTF8.self)) }
  }

  @Test func theOutermostMembersAreFoundWithTheirValues() throws {
    let found = try members(#" { "a" : 1 ,"b":{"a":[1,{"c":2}]}, "c\u0041":"x\"}" , "d":[ ] ,"e":-1.5e+3} "#)
    #expect(found.map(\.0) == ["a", "b", "cA", "d", "e"])
    #expect(found.map(\.1) == ["1", #"{"a":[1,{"c":2}]}"#, #""x\"}""#, "[ ]", "-1.5e+3"])
  }

  @Test func aSliceIsScannedInItsOwnPlaces() throws {
    let bytes = Array(#"xx{"a":12}yy"#.utf8)
    guard case .object(let members) = try scanJSON(bytes[2..<10], maximumDepth: 32) else {
      Issue.record("no object")
      return
    }
    #expect(String(decoding: bytes[members[0].value], as: UTF8.self) == "12")
  }

  @Test(arguments: [
    (#"{"a":1}}"#, 7), (#"{"a":tru}"#, 5), (#"{"a":01}"#, 5), ("[1,]", 3), ("[1 2]", 3), (#"{"a"}"#, 4), ("nul", 0),
    (#"["\q"]"#, 2), (#"["\u12g4"]"#, 2), ("[1}", 2), ("-", 0), ("[-]", 1), ("[1.e3]", 1),
  ])
  func theFirstWrongByteOrNumberIsTold(text: String, offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { _ = try scanJSON(Array(text.utf8)[...], maximumDepth: 32) }
    #expect(error?.offset == offset)
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
      let ours = (try? scanJSON(text[...], maximumDepth: 32)) != nil
      let theirs = (try? decodeJSON(JSONValue.self, from: text[...])) != nil
      // A lone half of a surrogate pair is well-formed JSON that no string can hold.
      if ours, !theirs, String(decoding: text, as: UTF8.self).contains(#"\u"#) { continue }
      // Foundation lets a comma before a closing bracket pass.
      if theirs, !ours, String(decoding: text.filter { $0 != 0x20 }, as: UTF8.self).contains(",]") { continue }
      #expect(ours == theirs, "\(String(decoding: text, as: UTF8.self))")
      valid += ours ? 1 : 0
    }
    #expect(valid > 100)
  }
}
