// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct JSONTextTests {
  private struct Holder: Codable, Equatable {
    var text: JSONText
  }

  @Test func itIsHandedOnAsItStands() throws {
    let line = ##"{"text": { "b" : [1.50, "\u00e9 \" ]"], "a":null }}"##
    let read = try decodeJSON(Holder.self, from: Array(line.utf8)[...]).text
    #expect(String(decoding: read.bytes, as: UTF8.self) == ##"{ "b" : [1.50, "\u00e9 \" ]"], "a":null }"##)
    let written = try encodeJSON(Holder(text: read))
    #expect(String(decoding: written, as: UTF8.self) == ##"{"text":{"a":null,"b":[1.5,"é \" ]"]}}"##)
  }

  @Test func whiteSpaceBetweenValuesHasNoWeight() throws {
    let line = ##"{"text": [ 1,\t" a\" b" , "\\" ] }"##
    let read = try decodeJSON(Holder.self, from: Array(line.replacing("\\t", with: "\t").utf8)[...]).text
    #expect(read.weight == ##"[1," a\" b","\\"]"##.utf8.count)
  }
}
