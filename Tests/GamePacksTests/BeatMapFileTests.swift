// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Rhythm
import Testing

@Suite struct BeatMapFileTests {
  private func said(_ text: String, lanes: [String] = [], length: Int64 = 10_000_000) -> String {
    do throws(PackFaults) {
      _ = try BeatMapFile.parse(Array(text.utf8), path: "x.beats.json").map(lanes: lanes, length: length)
      return ""
    } catch { return error.description }
  }

  @Test func decimalSecondsAreWholeMicroseconds() throws {
    // Each would be one less if it were cut off after a binary multiplication, or sits just off a double.
    let written = ["0.000001", "0.706", "1.005", "1.1", "2.118", "4.35", "8.2", "9.999999"]
    let list = written.map { "{\"at\": \($0)}" }.joined(separator: ",")
    let file = try BeatMapFile.parse(Array("{\"beats\": [\(list)]}".utf8), path: "x.beats.json")
    #expect(
      try file.map(lanes: [], length: 10_000_000).beats.map(\.at)
        == [1, 706_000, 1_005_000, 1_100_000, 2_118_000, 4_350_000, 8_200_000, 9_999_999])
  }

  @Test func everyMicrosecondOfADayIsRead() throws {
    // A stride that is prime takes all endings; written by hand as digits, so that no division is trusted.
    let expected = stride(from: Int64(0), through: 86_400_000_000, by: 5_400_001).map { $0 }
    let list = expected.map { at in
      let fraction = String(at % 1_000_000)
      return "{\"at\":\(at / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)}"
    }
    let file = try BeatMapFile.parse(Array("{\"beats\":[\(list.joined(separator: ","))]}".utf8), path: "x.beats.json")
    #expect(try file.map(lanes: [], length: 86_400_000_000).beats.map(\.at) == expected)
    #expect(expected.count > 15_900)
  }

  @Test func lanesAreFoundByName() throws {
    let file = try BeatMapFile.parse(
      Array(#"{"bpm": 85, "beats": [{"at": 1, "lane": "top"}, {"at": 2, "lane": "left"}]}"#.utf8), path: "x.beats.json")
    #expect(file.bpm == 85)
    #expect(try file.map(lanes: ["left", "top"], length: 2_000_000).beats.map(\.lane) == [1, 0])
  }

  @Test func faultsOfTheTextAndOfTheBeatsAreToldAtOnce() {
    let said = said(#"{"bpm": 0, "beats": [{"at": "1"}, {"at": 11}, {"at": 3, "line": "a"}, {"at": 12}]}"#)
    #expect(
      said.split(separator: "\n").map { $0.split(separator: " ")[1] } == [
        "bpm:", "beats[0].at:", "beats[1]:", "beats[2].line:", "beats[3]:",
      ], "\(said)")
  }

  @Test func faultsNameTheFileAndTheField() {
    #expect(said("{}") == "x.beats.json:1:1: beats: is missing")
    #expect(said(#"{"beats": []}"#) == "x.beats.json:1:11: beats: there are no beats; a chapter needs at least one")
    #expect(
      said(#"{"beats": [{"at": 1, "lane": "lft"}]}"#, lanes: ["left"])
        == "x.beats.json:1:30: beats[0].lane: no lane lft; did you mean left?")
    #expect(
      said(#"{"beats": [{"at": 1, "lane": "left"}]}"#)
        == "x.beats.json:1:30: beats[0].lane: is \"left\", but the chapter has no lanes")
    #expect(said(#"{"beats": [{"at": 11}]}"#).hasPrefix("x.beats.json:1:12: beats[0]: beat 0 at 11 s is outside"))
    #expect(
      said(#"{"beats": [{"at": 1}]}"#, lanes: ["left"])
        == "x.beats.json:1:12: beats[0]: beat 0 names no lane, but the chapter has lanes")
    #expect(said(#"{"beats": [{"at": "1"}]}"#) == "x.beats.json:1:19: beats[0].at: must be a number")
    #expect(said(#"{"beats": [{"at": 1, "line": "a"}]}"#).contains("x.beats.json:1:22: beats[0].line: is no field"))
  }
}
