// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioOutput

@Suite struct DeviceCallTests {
  @Test func aCallIsEndedOnce() {
    let call = DeviceCall()
    var current = call.current
    #expect(current == nil)
    let first = call.begin()
    current = call.current
    #expect(current == first)
    var isOurs = [call.end(first)]
    current = call.current
    #expect(current == nil)
    isOurs.append(call.end(first))
    let second = call.begin()
    isOurs.append(call.end(first))
    current = call.current
    #expect(current == second)
    isOurs.append(call.end(second))
    #expect(isOurs == [true, false, false, true])
  }
}
