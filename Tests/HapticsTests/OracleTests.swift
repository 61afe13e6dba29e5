// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Haptics
import Testing
import Timing

/// The compiled pattern against `Oracle/oracle.py`, which works out random patterns from the rules alone, the slow way.
@Suite struct OracleTests {
  private struct Case: Decodable {
    /// Microseconds, intensity, sharpness.
    var samples: [[Double]]
  }

  @Test func randomPatternsFeelAsTheOracleSays() throws {
    let sounding = try hold(contents("Tests/HapticsTests/Oracle/patterns.json"), cases: 60)
    #expect(sounding > 1_000)
  }

  /// Files of one's own: `oracle.py` tells how.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["STARLIGHT_ORACLE_CASES"] != nil))
  func namedPatternsFeelAsTheOracleSays() throws {
    let path = try #require(ProcessInfo.processInfo.environment["STARLIGHT_ORACLE_CASES"])
    let sounding = try hold(Array(Data(contentsOf: URL(filePath: path))))
    #expect(sounding > 0)
  }

  /// Holds every sample; how many are of something felt.
  private func hold(_ text: [UInt8], cases: Int? = nil) throws -> Int {
    let lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.first == UInt8(ascii: "{") }
    if let cases { #expect(lines.count == cases) }
    var sounding = 0
    for line in lines {
      let bytes = line.last == UInt8(ascii: ",") ? Array(line.dropLast()) : Array(line)
      let pattern = HapticPattern(try AHAPDocument.parse(bytes, name: "oracle").document)
      for sample in try JSONDecoder().decode(Case.self, from: Data(bytes)).samples {
        let level = pattern.level(at: .microseconds(Int64(sample[0])))
        let agrees = isClose(level, Float(sample[1]), Float(sample[2]), within: 1e-5)
        #expect(
          agrees,
          "at \(sample[0]) us: \(level), not \(sample[1]), \(sample[2]) in \(String(decoding: bytes, as: UTF8.self))")
        if sample[1] > 0 { sounding += 1 }
      }
    }
    return sounding
  }

  @Test func nothingChangesUnannounced() throws {
    // Where the next change is more than a step away, the level stands still until then.
    var still = 0
    for line in try contents("Tests/HapticsTests/Oracle/patterns.json").split(separator: UInt8(ascii: "\n")) {
      guard line.first == UInt8(ascii: "{") else { continue }
      let bytes = line.last == UInt8(ascii: ",") ? Array(line.dropLast()) : Array(line)
      let pattern = HapticPattern(try AHAPDocument.parse(bytes, name: "oracle").document)
      var time = Interval.zero
      while let next = pattern.nextChange(after: time) {
        if next - time > HapticPattern.rampStep {
          let level = pattern.level(at: time)
          let middle = Interval(nanoseconds: (time.nanoseconds + next.nanoseconds) / 2)
          #expect(pattern.level(at: middle) == level)
          #expect(pattern.level(at: next - Interval(nanoseconds: 1)) == level)
          if level != .silence { still += 1 }
        }
        time = next
      }
    }
    #expect(still > 50)
  }
}
