// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing

@testable import ClosedLoop

@Suite("The clock of a capture") struct CaptureClockTests {
  /// A device that runs 80 ppm fast, read every 256 frames with up to 100 us of lateness.
  private static func reading(_ clock: inout CaptureClock, _ frames: Range<Int64>, seed: UInt64 = 1) {
    var numbers = SeededRandom(seed: seed)
    for frame in stride(from: frames.lowerBound, to: frames.upperBound, by: 256) {
      let late = Int64(Double.random(in: 0...100_000, using: &numbers))
      clock.read(frame: frame, at: truth(frame) + Interval(nanoseconds: late))
    }
  }

  private static func truth(_ frame: Int64) -> Instant {
    Instant(nanoseconds: 5_000_000_000 + Int64((Double(frame) * 1e9 / (48_000 * 1.00008)).rounded()))
  }

  @Test("gives each frame its instant, within the bound it tells") func follows() throws {
    var clock = CaptureClock(rate: 48_000, biasFloor: .microseconds(50))
    Self.reading(&clock, 256..<48_000 * 60)
    for frame in stride(from: Int64(48_000), to: 48_000 * 58, by: 9_999) {
      let error = try #require(clock.instant(of: frame)) - Self.truth(frame)
      let bound = try #require(clock.errorBound(at: frame))
      #expect(abs(error.nanoseconds) <= bound.nanoseconds)
      // Half of the lateness, which nobody can tell from a longer way.
      if frame > 48_000 * 5 { #expect(abs(error.nanoseconds - 50_000) < 15_000) }
    }
  }

  @Test("gives the frame of an instant") func inverse() throws {
    var clock = CaptureClock(rate: 48_000, biasFloor: .microseconds(50))
    Self.reading(&clock, 256..<48_000 * 20)
    let frame = try #require(clock.frame(at: Self.truth(480_000)))
    #expect(abs(frame - 480_000) <= 5)
  }

  @Test("knows nothing of what lies about a loss, and counts it") func losses() throws {
    var clock = CaptureClock(rate: 48_000, biasFloor: .microseconds(50))
    Self.reading(&clock, 256..<96_000)
    clock.lost(before: 96_000)
    Self.reading(&clock, 96_256..<240_000)
    #expect(clock.losses == 1)
    #expect(clock.instant(of: 90_000) != nil)
    #expect(clock.instant(of: 95_999) == nil)
    #expect(clock.instant(of: 200_000) != nil)
  }

  @Test("goes by what comes after a loss, though a look before it counted frames that never came") func lostAhead()
    throws
  {
    var clock = CaptureClock(rate: 48_000, biasFloor: .microseconds(50))
    Self.reading(&clock, 256..<120_000)
    clock.lost(before: 96_000)
    // A second passes before it goes on.
    for frame in stride(from: Int64(96_256), to: 240_000, by: 256) {
      clock.read(frame: frame, at: Self.truth(frame) + .milliseconds(1_000))
    }
    let error = try #require(clock.instant(of: 110_000)) - (Self.truth(110_000) + .milliseconds(1_000))
    #expect(abs(error.nanoseconds) < 1_000_000)
  }

  @Test("knows nothing without readings") func empty() {
    let clock = CaptureClock(rate: 48_000, biasFloor: .zero)
    #expect(clock.instant(of: 0) == nil)
    #expect(clock.frame(at: .zero) == nil)
  }
}

@Suite("Drift") struct DriftTests {
  @Test("is the slope, whatever a few points say") func slope() throws {
    var points = (0..<200).map { index in
      (
        at: Instant(nanoseconds: Int64(index) * 300_000_000),
        difference: Interval(nanoseconds: 2_000_000 + Int64(index) * 300 * 25)
      )
    }
    for index in stride(from: 3, to: 200, by: 17) { points[index].difference = .milliseconds(40) }
    #expect(abs(try #require(Drift(points)).partsPerMillion - 25) < 0.01)
  }

  @Test("is not told of fewer than ten points") func few() {
    let points = (0..<9).map { (at: Instant(nanoseconds: $0), difference: Interval.zero) }
    #expect(Drift(points) == nil)
  }
}

@Suite("The search for touch") struct TouchSearchTests {
  @Test("finds the first frame that moves, beside an offset and noise") func first() {
    var numbers = SeededRandom(seed: 7)
    var samples = (0..<10_000).map { _ in 0.2 + Float(Double.random(in: -0.002...0.002, using: &numbers)) }
    for index in 6_000..<6_400 { samples[index] += index.isMultiple(of: 2) ? 0.1 : -0.1 }
    #expect(TouchSearch().find(in: samples, among: 4_000..<9_000, atRest: 0..<4_000) == 6_000)
  }

  @Test("finds nothing at rest") func rest() {
    var numbers = SeededRandom(seed: 8)
    let samples = (0..<10_000).map { _ in Float(Double.random(in: -0.002...0.002, using: &numbers)) }
    #expect(TouchSearch().find(in: samples, among: 4_000..<9_000, atRest: 0..<4_000) == nil)
    #expect(TouchSearch().find(in: [], among: 4_000..<9_000, atRest: 0..<4_000) == nil)
  }
}
