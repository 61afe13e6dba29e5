// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Times a line's way through the router, from its bytes to the bytes of its reply, beside what it takes Foundation to
/// decode the same line once: the handlers do nothing, so that what is left is reading and writing.
///
///     StarlightWire [ROUNDS]
///
/// All is done in turn, round after round; medians are printed.

struct Envelope<Params: Decodable>: Decodable {
  var id: Int64
  var method: String
  var params: Params
}

let clock = ContinuousClock()
let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 200 : 200
let repeats = 200

/// Nanoseconds a time, of `repeats` in a row.
func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  let taken = try clock.measure { for _ in 0..<repeats { try body() } }
  return (Double(taken.components.attoseconds) / 1e9 + Double(taken.components.seconds) * 1e9) / Double(repeats)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

var router = Router<Int>()
router.on(SoundPlay.self) { _, _ in
  SoundPlay.Result(
    sound: "starlight-sync:sfx_click", id: 4_711, scheduledUs: 123_456_789, lateUs: 0, durationUs: 250_000)
}
router.on(RhythmTap.self) { params, _ in
  RhythmTap.Result(verdict: .ghost, beat: nil, errorUs: nil, tapUs: params.atUs ?? 0, stamp: .at)
}
router.on(HapticsScheduleCurve.self) { _, _ in Scheduled(scheduledUs: 123_456_789, lateUs: 0) }

let points = (0..<256).map { "{\"timeUs\":\($0 * 1_000),\"value\":0.\($0)}" }.joined(separator: ",")
let lines: [(name: String, line: [UInt8], foundation: (Data) throws -> Void)] = [
  (
    "sound.play",
    Array(#"{"id":12,"method":"sound.play","params":{"sound":"sfx_click","gain":0.5,"atUs":123456789}}"#.utf8),
    { _ = try JSONDecoder().decode(Envelope<SoundPlay.Params>.self, from: $0) }
  ),
  (
    "rhythm.tap", Array(#"{"id":13,"method":"rhythm.tap","params":{"atUs":123456789,"lane":"left"}}"#.utf8),
    { _ = try JSONDecoder().decode(Envelope<RhythmTap.Params>.self, from: $0) }
  ),
  (
    "haptics.scheduleCurve, 256 points",
    Array(
      #"{"id":14,"method":"haptics.scheduleCurve","params":{"player":1,"control":"intensity","points":[\#(points)]}}"#
        .utf8),
    { _ = try JSONDecoder().decode(Envelope<HapticsScheduleCurve.Params>.self, from: $0) }
  ),
]

var ours = [[Double]](repeating: [], count: lines.count)
var foundations = ours
var tellings: [Double] = []
var bytesTold = 0
for _ in 0..<max(rounds, 1) {
  for (index, (_, line, foundation)) in lines.enumerated() {
    let data = Data(line)
    ours[index].append(nanoseconds { bytesTold += router.reply(to: line, context: 0)?.count ?? 0 })
    foundations[index].append(try nanoseconds { try foundation(data) })
  }
  tellings.append(
    nanoseconds {
      let told = OutgoingNotification(SoundFinished(id: 4_711, sound: "sfx_click", reason: .ended), tUs: 123_456_789)
      bytesTold += told.line(seq: 12).count
    })
}
for (_, line, _) in lines {
  let text = String(decoding: router.reply(to: line, context: 0) ?? [], as: UTF8.self)
  precondition(text.contains("result"), text)
}
precondition(bytesTold > 0, "nothing was told")

func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
print("\(rounds) rounds of \(repeats)\n")
print(
  "| line | bytes | to its reply, us | Foundation's decode alone, us | ratio |\n| --- | ---: | ---: | ---: | ---: |")
for (index, (name, line, _)) in lines.enumerated() {
  let (a, b) = (median(ours[index]) / 1_000, median(foundations[index]) / 1_000)
  print("| \(name) | \(line.count) | \(text(a)) | \(text(b)) | \(text(a / b)) |")
}
print("| a notification, sound.finished | | \(text(median(tellings) / 1_000)) | | |")
