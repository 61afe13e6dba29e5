// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Haptics
import Timing

/// Times what stands between a file and what is felt: reading and compiling a pattern, beside a plain decode of the same
/// bytes by Foundation, and sampling it at 1 kHz.
///
///     StarlightHaptics [ROUNDS]
///
/// All is done in turn, round after round; medians are printed. The pattern has as many events as the largest seen in
/// games (267), and is the same in every run.

/// A generator of the same numbers in every run (SplitMix64).
struct Numbers {
  var state: UInt64 = 267

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// 0...1 with three decimals, as people write them.
  mutating func share() -> Double { Double(next() % 1_001) / 1_000 }
}

/// 267 events, transients and continuous ones in turn by chance, and a curve of 16 points for each control; laid out as
/// Xcode does.
func pattern() -> [UInt8] {
  var numbers = Numbers()
  var entries: [String] = []
  func parameter(_ name: String) -> String {
    """
            {
              "ParameterID": "\(name)",
              "ParameterValue": \(numbers.share())
            }
    """
  }
  for index in 0..<267 {
    let isContinuous = numbers.next() % 2 == 0
    var names = ["HapticIntensity", "HapticSharpness"]
    if isContinuous { names += ["AttackTime", "ReleaseTime"] }
    entries.append(
      """
          {
            "Event": {
              "Time": \(Double(index * 45) / 1_000),
              "EventType": "\(isContinuous ? "HapticContinuous" : "HapticTransient")",
      \(isContinuous ? "        \"EventDuration\": \(numbers.share()),\n" : "")        "EventParameters": [
      \(names.map(parameter).joined(separator: ",\n"))
              ]
            }
          }
      """)
  }
  for control in ["HapticIntensityControl", "HapticSharpnessControl"] {
    let points = (0..<16).map { "{ \"Time\": \(Double($0) / 2), \"ParameterValue\": \(numbers.share()) }" }
    entries.append(
      """
          {
            "ParameterCurve": {
              "ParameterID": "\(control)",
              "Time": 0.0,
              "ParameterCurveControlPoints": [ \(points.joined(separator: ", ")) ]
            }
          }
      """)
  }
  return Array("{\n  \"Version\": 1.0,\n  \"Pattern\": [\n\(entries.joined(separator: ",\n"))\n  ]\n}\n".utf8)
}

/// The same as Foundation decodes it: values as they stand, under the file's names, nothing checked, nothing compiled.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct PlainFile: Decodable {
  struct Parameter: Decodable {
    var ParameterID: String
    var ParameterValue: Double
  }
  struct Point: Decodable {
    var Time: Double
    var ParameterValue: Double
  }
  struct Event: Decodable {
    var Time: Double
    var EventType: String
    var EventDuration: Double?
    var EventParameters: [Parameter]?
  }
  struct Curve: Decodable {
    var ParameterID: String
    var Time: Double
    var ParameterCurveControlPoints: [Point]
  }
  struct Entry: Decodable {
    var Event: Event?
    var ParameterCurve: Curve?
  }
  var Version: Double
  var Pattern: [Entry]
}

let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 200 : 200
let bytes = pattern()
let data = Data(bytes)
let clock = ContinuousClock()

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let taken = try clock.measure(body)
  return Double(taken.components.attoseconds) / 1e12 + Double(taken.components.seconds) * 1e6
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

var compiled = HapticPattern(try AHAPDocument.parse(bytes, name: "bench").document)
var (ours, parses, foundations, samplings) = ([Double](), [Double](), [Double](), [Double]())
var felt: Float = 0
var decoded = 0
for _ in 0..<max(rounds, 1) {
  ours.append(
    try microseconds { compiled = HapticPattern(try AHAPDocument.parse(bytes, name: "bench").document) })
  foundations.append(try microseconds { decoded += try JSONDecoder().decode(PlainFile.self, from: data).Pattern.count })
  parses.append(try microseconds { decoded += try AHAPDocument.parse(bytes, name: "bench").document.events.count })
  let milliseconds = compiled.duration.nanoseconds / 1_000_000
  samplings.append(
    microseconds {
      var time = Int64(0)
      while time < milliseconds {
        felt += compiled.level(at: .milliseconds(time)).intensity
        time += 1
      }
    } / Double(milliseconds))
}
precondition(compiled.eventCount == 267 && decoded > 0 && felt > 0, "the pattern was not read")

func line(_ name: String, _ value: Double, _ unit: String) {
  let text = "\((value * 100).rounded() / 100)"
  print("| \(name) | \(text) \(unit) |")
}
print("\(compiled.eventCount) events, \(bytes.count) bytes, \(rounds) rounds\n")
print("| what | median |\n| --- | ---: |")
line("read and compiled", median(ours), "us")
line("of that, read", median(parses), "us")
line("decoded by Foundation's JSONDecoder", median(foundations), "us")
line("read and compiled, in decodes by Foundation", median(ours) / median(foundations), "")
line("one sample of the level, at 1 kHz", median(samplings), "us")
