import Glibc
import Wire

/// The daemon plays through a sound server on this machine, whose monitor somebody captures to a file.
struct ServerChecks {
  let device: String
  /// Where the captured stereo floats go.
  let capture: String

  func run(_ report: inout Report) throws {
    let recording = Places.results + "/server.wav"
    let daemon = try Daemon("server", ["--device", device, "--record", recording])
    try wait(upTo: 10, for: "the sound server") { try daemon.status().audio.kind == "alsa" }
    usleep(700_000)
    let zeroUs = try daemon.now().nowUs + 500_000
    _ = try Performance.piece.play(on: daemon, zeroUs: zeroUs)
    try daemon.listen(until: zeroUs + 2_200_000)
    let audio = try daemon.status().audio
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    report.note("device", "\(audio.message), \(audio.xruns) xruns, scheduling \(audio.scheduling)")
    try daemon.finish()
    let comparison = try Comparison(recording: recording, clock: clock, corrections)

    // What was heard last is on its way to the file still.
    var captured = Sound(raw: readFile(capture), layout: SampleLayout())
    try? wait(upTo: 5, for: "the capture") {
      usleep(200_000)
      captured = Sound(raw: readFile(capture), layout: SampleLayout())
      return captured.frames.suffix(4_800).allSatisfy { $0 == 0 }
    }
    _ = comparison.check(captured, SampleLayout(), isCard: false, &report)
    _ = try comparison.checkOffline(Performance.piece, &report)
  }
}
