// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import CommandLineTool

/// A quantile is told where ten samples lie beyond it.
@Suite struct LatencyMeasurementTests {
  @Test(arguments: [(1, false, false), (19, false, false), (20, true, false), (999, true, false), (1_000, true, true)])
  func aQuantileOfFewSamplesIsLeftOut(count: Int, hasMedian: Bool, hasP99: Bool) throws {
    let row = try #require(LatencyMeasurement.Row("beats", "", (1...Int64(count)).map { $0 }))
    #expect((row.medianUs != nil) == hasMedian && (row.p99Us != nil) == hasP99)
    #expect(row.count == count && row.maxUs == Int64(count))
    if let p99 = row.p99Us { #expect(Int64(count) - p99 == 10) }
  }

  @Test(arguments: [40, 60, 79, 80, 120]) func theFiguresFitTheirTerminal(width: Int) {
    var measured = LatencyMeasurement()
    measured.add("round trip", "clock.now, from asking to the answer", (1...1_000).map { $0 })
    let audio = EngineStatus.Audio(
      device: "none", kind: .null, message: "silent", rate: 48_000, periodFrames: 128, bufferFrames: 128,
      scheduling: .fifo, leadUs: 6_500, framesRendered: 0, xruns: 0, lateStarts: 0, activeVoices: 0, peak: 0)
    let lines = latencyLines(measured, audio, width: width)
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    for said in ["round trip", "0.50 ms", "0.99 ms", "1.00 ms", "1000", "from asking to the answer"] {
      #expect(text.contains(said), "\(said) is not in \(lines)")
    }
  }

  @Test func whatIsLeftOutIsToldWithWhatItTakes() {
    var measured = LatencyMeasurement()
    measured.add("beats", "", [7])
    measured.add("taps", "", (0..<60).map { $0 })
    measured.add("many", "", (0..<1_000).map { $0 })
    for what in ["beats", "taps", "many", "none"] {
      measured.noteFewSamples(of: what) { $0 < 100 ? "`--seconds \($0)`" : "more than there is" }
    }
    #expect(
      measured.notes == [
        "beats: 1 sample; a median takes 20, `--seconds 20`, and p99 1000, more than there is",
        "taps: 60 samples; p99 takes 1000, more than there is",
      ])
  }
}
