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
    /// How long all of it is, in microseconds.
    var lasts: Double
    /// Nanoseconds at which one vibration ends and the next begins.
    var seams: [Int64]
    var seed: UInt64?
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
      let known = try JSONDecoder().decode(Case.self, from: Data(bytes))
      do {
        try hold(pattern, known)
      } catch {
        let seed = known.seed.map { "seed \($0) failed: " } ?? ""
        throw Disagreement("\(seed)\(error) in \(String(decoding: bytes, as: UTF8.self))")
      }
      sounding += known.samples.count { $0[1] > 0 }
    }
    return sounding
  }

  private struct Disagreement: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private func hold(_ pattern: HapticPattern, _ known: Case) throws {
    for sample in known.samples {
      let level = pattern.level(at: .microseconds(Int64(sample[0])))
      if !isClose(level, Float(sample[1]), Float(sample[2]), within: 1e-5) {
        throw Disagreement("at \(sample[0]) us: \(level), not \(sample[1]), \(sample[2])")
      }
    }
    let lasts = Double(pattern.duration.nanoseconds) / 1e3
    if abs(lasts - known.lasts) > 1 { throw Disagreement("it lasts \(lasts) us, not \(known.lasts)") }
    for seam in known.seams {
      for nanosecond in seam - 1...seam + 1 where pattern.level(at: Interval(nanoseconds: nanosecond)) == .silence {
        throw Disagreement("silence at \(nanosecond) ns, between two that abut")
      }
    }
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
