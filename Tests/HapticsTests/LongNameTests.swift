// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing

@Suite struct LongNameTests {
  @Test(arguments: [String(repeating: "a", count: 129), "a" + String(repeating: "\u{301}", count: 12_000)])
  func aParameterOfAPatternWhoseNameIsTooLongIsNotEchoed(name: String) throws {
    let parameter = #"{"ParameterID": "\#(name)", "ParameterValue": 1}"#
    let text =
      #"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [\#(parameter)]}}]}"#
    let found = try AHAPDocument.parse(Array(text.utf8), name: "long").1
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.message.utf8.count < 300 }, "\(found)")
  }
}
