// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Glibc
import Testing
import Timing

@testable import ControlInput

/// What the kernel writes is read as it is: event by event, with its stamp.
@Suite struct ControlPortTests {
  private func event(_ type: Int32, _ code: Int32, _ value: Int32, seconds: Int, microseconds: Int) -> input_event {
    var event = input_event()
    event.time = timeval(tv_sec: seconds, tv_usec: microseconds)
    (event.type, event.code, event.value) = (UInt16(type), UInt16(code), value)
    return event
  }

  /// A pipe stands for the device.
  private func piped(_ events: [input_event]) throws -> (port: ControlPort, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    let written = events.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    #expect(written == events.count * MemoryLayout<input_event>.size)
    return (ControlPort(reading: ends[0]), ends[1])
  }

  @Test func eventsAreReadWithTheKernelsStamps() throws {
    let (port, writing) = try piped([
      event(EV_KEY, BTN_SOUTH, 1, seconds: 12, microseconds: 345_678),
      event(EV_SYN, SYN_REPORT, 0, seconds: 12, microseconds: 345_678),
      event(EV_ABS, ABS_X, -32_768, seconds: 4_000_000, microseconds: 1),
    ])
    defer { close(writing) }
    #expect(
      port.read() == [
        ControlEvent(type: 1, code: 0x130, value: 1, at: Instant(microseconds: 12_345_678)),
        ControlEvent(type: 0, code: 0, value: 0, at: Instant(microseconds: 12_345_678)),
        ControlEvent(type: 3, code: 0, value: -32_768, at: Instant(microseconds: 4_000_000_000_001)),
      ])
    #expect(port.read() == [])
  }

  @Test func aDeviceThatFloodsIsReadSixtyFourEventsAtATime() throws {
    let flood = (0..<150).map { event(EV_KEY, BTN_SOUTH, 1, seconds: 0, microseconds: $0) }
    let (port, writing) = try piped(flood)
    defer { close(writing) }
    #expect((0..<4).map { _ in port.read()?.count } == [64, 64, 22, 0])
  }

  @Test func whatIsNoDeviceCannotBeListenedTo() {
    #expect(throws: ControlErrno(code: ENOENT)) {
      try EvdevControls().open("/dev/input/no-such", keeping: [], grabs: false)
    }
    #expect(throws: ControlErrno(code: ENOTTY)) {
      try EvdevControls().open("/dev/null", keeping: [Control(key: 0x130)], grabs: false)
    }
  }
}
