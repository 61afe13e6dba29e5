// SPDX-License-Identifier: Apache-2.0

import JSON
import SeededNumbers
import Testing

@testable import Wire

/// Names, texts and lines a few bytes below and beyond what they may have, of letters of any length.
@Suite struct RandomLengthTests {
  private static let nameBytes = 128
  private static let textBytes = 1_024
  private static let requestBytes = 16_384

  /// Takes one param that may be long, and one that may not.
  private enum Long: WireMethod {
    static let name = "test.long"
    static let summary = "Takes a long one and a short one."
    static let longParams = ["long"]
    typealias Result = Empty

    struct Params: Codable, Sendable {
      var long: JSONValue?
      var list: [Int]?
    }
  }

  private func reply(to line: String) -> String {
    var router = testRouter()
    router.on(DevicesSet.self) { _, _ throws(RPCError) in throw RPCError(.unknownName, "no such device") }
    router.on(Long.self) { _, _ throws(RPCError) in Empty() }
    return String(decoding: router.reply(to: Array(line.utf8), context: 7) ?? [], as: UTF8.self)
  }

  /// Lines with a place for a text, and how long that may be there.
  private static let places: [(before: String, after: String, most: Int)] = [
    (#"{"id":1,"method":""#, #""}"#, nameBytes), (#"{"id":1,"method":"test.echo",""#, #"":1}"#, nameBytes),
    (#"{"id":1,"method":"test.echo","params":{""#, #"":1}}"#, nameBytes),
    (#"{"id":1,"method":"test.echo","params":{"name":""#, #""}}"#, nameBytes),
    (#"{"id":1,"method":"test.echo","params":{"name":"x","topics":[""#, #""]}}"#, nameBytes),
    (#"{"id":1,"method":"test.echo","params":{"name":"x","quantise":""#, #""}}"#, nameBytes),
    (#"{"method":"test.echo","id":""#, #"","params":{"name":"x"}}"#, nameBytes),
    (#"{"id":1,"method":"devices.set","params":{"gain":1,"device":""#, #""}}"#, textBytes),
  ]

  @Test func aTextIsRefusedForItsLengthWhereItHasMoreBytesThanItMay() throws {
    try search(upTo: 150) { random in
      let place = random.pick(Self.places)
      let bytes = random.oneIn(3) ? random.next(below: 1_500) : place.most - 2 + random.next(below: 5)
      // Letters of several bytes, in which that many bytes are fewer characters; one is written as an escape.
      let letters = random.oneIn(3) ? ["x"] : ["x", "\u{E4}", "\u{301}", "\u{1F469}", "\\u00e4"]
      var text = "x"
      while true {
        let letter = random.pick(letters)
        if text.utf8.count + letter.utf8.count > bytes { break }
        text.unicodeScalars.append(contentsOf: letter.unicodeScalars)
      }
      text += String(repeating: "x", count: max(0, bytes - text.utf8.count))
      let said = reply(to: place.before + text + place.after)
      let isRefused = said.contains(" bytes")
      try hold(
        isRefused == (text.utf8.count > place.most),
        "\(text.utf8.count) bytes at \(place.before) are answered with \(excerpt(said, bytes: 200))")
    }
  }

  @Test func aLineIsTooLongWhereAllButWhatIsLongByNatureHasMoreBytesThanARequest() throws {
    try search(upTo: 60) { random in
      let method = random.pick(["test.long", "test.long", "test.long", "no.such"])
      let long = random.oneIn(3) ? 0 : 2 + random.next(below: 40_000)
      let rest = random.oneIn(4) ? random.integer(200...40_000) : Int64(Self.requestBytes) + random.integer(-2...2)
      func list(_ bytes: Int) -> String { "[" + String(repeating: " ", count: max(0, bytes - 2)) + "]" }
      func line(_ padding: Int) -> String {
        let param = long == 0 ? "" : "\"long\":\(list(long)),"
        return #"{"id":1,"method":"\#(method)","params":{\#(param)"list":\#(list(padding))}}"#
      }
      // Of a method that is not known nothing is long by nature.
      let free = method == "test.long" ? long : 0
      let text = line(2 + max(0, Int(rest) - (line(2).utf8.count - free)))
      let counted = text.utf8.count - free
      let isTooLong = reply(to: text).contains("lineTooLong")
      try hold(
        isTooLong == (counted > Self.requestBytes),
        "\(method) of \(counted) bytes besides \(free) is \(isTooLong ? "" : "not ")too long")
    }
  }
}
