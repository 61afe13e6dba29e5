// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import Glibc
import Host
import Wire

/// Searches for the dearest line of each method: lines are changed by chance, and what takes the control thread longer is
/// kept and changed on.
///
///     DearestLines [ROUNDS] [SEED]
///
/// Time is the processor's for this thread, the least of five runs, so that other programs count little; a stepped host
/// stands behind the lines. Prints a table.

/// A generator of the same numbers for a seed (SplitMix64).
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 60 : 60
var random = Numbers(state: CommandLine.arguments.count > 2 ? UInt64(CommandLine.arguments[2]) ?? 1 : 1)

/// A daemon in which nothing plays yet.
final class Daemon {
  let host: Host
  var router = Router<Host.RequestContext>()

  init() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = ProcessInfo.processInfo.environment["STARLIGHT_FUZZ_PACKS"].map { [$0] } ?? []
    host = try Host(configuration)
    host.register(on: &router)
    for line in [#"{"id":1,"method":"haptics.play","params":{"pattern":"thud","loop":true}}"#] { _ = ask(line) }
  }

  func ask(_ line: String) -> [UInt8]? {
    router.reply(
      to: Array(line.utf8), context: Host.RequestContext(cause: Cause(client: ClientID(rawValue: 1)), arrival: host.now)
    )
  }

  /// Microseconds of the processor for one line.
  func cost(of line: [UInt8]) -> Double {
    let context = Host.RequestContext(cause: Cause(client: ClientID(rawValue: 1)), arrival: host.now)
    var before = timespec()
    var after = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
    let reply = router.reply(to: line, context: context)
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
    withExtendedLifetime(reply) {}
    return Double(after.tv_sec - before.tv_sec) * 1e6 + Double(after.tv_nsec - before.tv_nsec) / 1e3
  }
}

/// The least of five runs, each on a daemon of its own where it would be another behind its like.
func cost(of line: [UInt8]) -> Double {
  var least = Double.infinity
  for _ in 0..<5 {
    guard let daemon = try? Daemon() else { return 0 }
    least = min(least, daemon.cost(of: line))
  }
  return least
}

let marks = "a" + String(repeating: "\u{301}", count: 63)
let limits = Limits()

/// `count` entries, as many as a line of the longest holds.
func list(_ count: Int, _ entry: (Int) -> String) -> String {
  "[" + (0..<count).map(entry).joined(separator: ",") + "]"
}

func pattern(_ events: Int) -> String {
  let event = { (n: Int) in
    #"{"Event":{"Time":\#(Double(n) / 100),"EventType":"HapticContinuous","EventDuration":0.5}}"#
  }
  return #"{"Pattern":\#(list(events, event))}"#
}

/// What params may become: whole ones, and members put into others.
let seeds: [String: [String]] = [
  "haptics.play": [#""pattern":"thud""#, #""ahap":\#(pattern(10))"#, #""ahap":\#(pattern(1_500))"#],
  "haptics.scheduleCurve": [
    #""player":1,"control":"intensity","points":\#(list(256) { #"{"timeUs":\#($0),"value":0.\#($0)}"# })"#
  ],
  "sound.play": [#""sound":"sfx_click""#], "music.play": [#""track":"main""#], "cue.fire": [#""cue":"alarm""#],
  "rhythm.start": [#""chapter":"firewall""#], "haptics.continuous": [#""durationUs":1000000"#],
  "devices.set": [#""device":"none","gain":1"#], "music.seek": [#""positionUs":1000"#],
]
let additions: [() -> String] = [
  { "\"\(marks)\":1" }, { "\"atUs\":1e-400" }, { "\"atUs\":1" + String(repeating: "0", count: 900) },
  { "\"sound\":\"\(marks)\"" }, { "\"track\":\"\(marks)\"" }, { "\"pattern\":\"\(marks)\"" },
  { "\"cue\":\"\(marks):\(marks)\"" }, { "\"topics\":" + list(400) { _ in "\"\(marks.prefix(1))\"" } },
  { "\"device\":\"" + String(repeating: "a,", count: 500) + "\"" }, { "\"x\":" + list(3_000) { _ in "[{}]" } },
  { "\"ahap\":" + pattern(2_000) }, { "\"points\":" + list(20_000) { _ in "{}" } },
  { "\"ahap\":{" + (0..<2_000).map { "\"\(marks.utf8.count + $0)\":[]" }.joined(separator: ",") + "}" },
  { (0..<100).map { "\"\($0)\(marks.prefix(1))\":1" }.joined(separator: ",") }, { "\"gain\":0.5" },
]

print("| method | dearest line, us | bytes | what it is |\n| --- | ---: | ---: | --- |")
for method in allMethods.map({ $0.name }).sorted() where method != "clock.step" {
  var dearest: (cost: Double, params: String) = (0, "")
  var known = seeds[method] ?? [""]
  for round in 0..<rounds {
    var params = round < known.count ? known[round] : (known.randomElement(using: &random) ?? "")
    if round >= known.count {
      for _ in 0...Int(random.next() % 3) {
        let addition = additions[Int(random.next() % UInt64(additions.count))]()
        params += (params.isEmpty ? "" : ",") + addition
      }
    }
    let line = Array("{\"id\":1,\"method\":\"\(method)\",\"params\":{\(params)}}".utf8)
    guard line.count <= limits.lineBytes else { continue }
    let taken = cost(of: line)
    if taken > dearest.cost {
      dearest = (taken, params)
      known.append(params)
    }
  }
  let shown = dearest.params.utf8.prefix(60).map { $0 == 0x7C ? 0x2F : $0 }
  let bytes = dearest.params.utf8.count + 30 + method.utf8.count
  print("| \(method) | \(Int(dearest.cost)) | \(bytes) | `\(String(decoding: shown, as: UTF8.self))` |")
}
