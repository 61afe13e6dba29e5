// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import AudioOutput

/// At 48 kHz, of a device that is kept 192 frames ahead of a ring of 1 024 in periods of 64: there is room for one at 896.
@Suite struct RoomForecastTests {
  private let fill = DeviceFill(frames: 192, period: 64, ring: 1_024)
  private let start = Instant(microseconds: 1_000_000)

  private func roomAt(available: Int64, given: Int64 = 0) -> Int64 {
    var forecast = RoomForecast()
    forecast.read(available: available, at: start, asked: start)
    if given > 0 { forecast.give(given) }
    return (forecast.roomAt(fill, rate: 48_000) - start).microseconds
  }

  @Test func thereIsRoomWhenWhatIsMissingHasBeenPlayed() {
    #expect(roomAt(available: 832) == 1_333)
    #expect(roomAt(available: 864) == 666)
    #expect(roomAt(available: 0) == 18_666)
  }

  @Test func whatItWasGivenIsMissingAgain() {
    #expect(roomAt(available: 896, given: 64) == 1_333)
    #expect(roomAt(available: 928, given: 64) == 666)
    #expect(roomAt(available: 1_024, given: 192) == 1_333)
    #expect(roomAt(available: -7, given: 64) == 20_000, "less than none is none")
  }

  @Test func whereThereIsRoomNobodyWaits() {
    #expect(roomAt(available: 896) == 0)
    #expect(roomAt(available: 1_024) == 0)
    #expect(roomAt(available: 1_024, given: 64) == 0)
  }

  @Test func aPositionThatStandsStillKeepsNobodyBusy() {
    #expect(roomAt(available: 895) == 333)
    #expect(roomAt(available: 881) == 333)
    #expect(roomAt(available: 879) == 354)
  }

  @Test func whoWasHeldUpBehindTheReadingIsNotLateForThat() {
    var forecast = RoomForecast()
    forecast.read(available: 832, at: start, asked: start - .microseconds(5))
    #expect((forecast.roomAt(fill, rate: 48_000) - start).microseconds == 1_333)
    // It came there 1 ms before it was asked.
    forecast.read(available: 832, at: start - .milliseconds(1), asked: start)
    #expect((forecast.roomAt(fill, rate: 48_000) - start).microseconds == 333)
    forecast.read(available: 832, at: start - .milliseconds(9), asked: start)
    #expect((forecast.roomAt(fill, rate: 48_000) - start).microseconds == 333, "it stands still")
  }

  @Test func oneThatHasToldNothingIsAskedAtOnce() {
    var forecast = RoomForecast()
    forecast.give(128)
    #expect(forecast.roomAt(fill, rate: 48_000) < .zero)
  }

  @Test func aFillThatGrewHasRoomSooner() {
    var forecast = RoomForecast()
    forecast.read(available: 832, at: start, asked: start)
    var grown = fill
    #expect(grown.grow() && grown.frames == 256)
    #expect(forecast.roomAt(grown, rate: 48_000) == start)
  }
}
