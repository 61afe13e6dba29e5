// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A minute of play on the loopback, with what a game asks for: nothing runs dry, and every frame comes out.
enum SoakChecks {
  private static let seconds: Int64 = 60

  static func run(_ report: inout Report) throws {
    let capturing = try Capturing("soak")
    let recording = Places.results + "/soak.wav"
    let daemon = try Daemon(
      "soak", ["--device", "hw:Loopback,0,0", "--period", "\(LoopbackChecks.period)", "--record", recording])
    usleep(700_000)
    let zeroUs = try daemon.now().nowUs + 300_000
    _ = try Part.music("night").play(on: daemon.connection, at: zeroUs)
    for second in 1...seconds {
      let atUs = zeroUs + second * 1_000_000
      let part = second % 5 == 0 ? Part.music(second % 2 == 0 ? "night" : "day", crossfadeUs: 500_000) : .sound("tick")
      _ = try part.play(on: daemon.connection, at: atUs)
      try daemon.listen(until: atUs)
    }
    let audio = try daemon.status().audio
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    try daemon.finish()
    let captured = try capturing.finish()
    report.check(
      "nothing runs dry", audio.xruns == 0 && corrections.isEmpty,
      "\(audio.xruns) xruns and \(corrections.count) corrections in \(seconds) s")
    _ = try Comparison(recording: recording, clock: clock, corrections)
      .check(captured.sound, SampleLayout(), isCard: true, &report)
  }
}
