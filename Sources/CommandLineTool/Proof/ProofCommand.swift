// SPDX-License-Identifier: Apache-2.0

import AudioInput
import CommandTable
import Glibc
import Problems
import StarlightClient
import Wire

/// `starlight latency --closed-loop`: what is heard is captured again, and held against what was asked for and told.
enum ProofCommand {
  static let closedLoop = OptionKey.flag(
    "closed-loop", help: "captures what is played and finds it again, instead of trusting what is reported")
  static let capture = OptionKey.text(
    "capture", value: "DEVICE", default: "default",
    help: "the ALSA device to capture from: a cable, a microphone, a sound server's monitor, the other end of snd-aloop"
  )
  static let channel = OptionKey.integer(
    "heard-by", value: "CHANNEL", in: 1...8, default: 1, help: "the captured channel that hears")
  static let felt = OptionKey.integer(
    "felt-by", value: "CHANNEL", in: 1...8,
    help: "the captured channel that an accelerometer or a contact microphone on the pad is plugged into")
  static let pad = OptionKey.text(
    "pad", value: "virtual|NAME",
    help:
      "the pad that taps are to be felt on: virtual is one of this program's own, which tells what reaches it; a real "
      + "one is felt by `--felt-by`, and may be named")
  static let trials = OptionKey.integer(
    "trials", value: "N", in: 10...1_000, default: 200, help: "how many chirps, and how many beats")
  static let page = OptionKey.path(
    "html", value: "FILE", help: "writes a page with all of it, which needs nothing else")

  static let options = [
    closedLoop.option, capture.option, channel.option, felt.option, pad.option, trials.option, page.option,
  ]

  /// Chirps and beats, a gap each, and some seconds beside.
  private static func longestSeconds(_ trials: Int) -> Double {
    2 * Double(trials) * (Double(ProofTrials.gapsUs.upperBound) / 1e6 + 0.1) + 30
  }

  static func run(_ tool: Tool) throws(ToolFailure) {
    // From the beginning, so that whoever ends it early finds nothing left behind.
    let signals = SignalWatch()
    let felt = tool.invocation[felt]
    let wanted = try ProofPad(pad: tool.invocation[pad], feltBy: felt)
    let channel = tool.invocation[channel] ?? 1
    if felt == channel {
      throw .usage("one channel cannot both hear and feel", hint: "give `--heard-by` another than `--felt-by`")
    }
    let connection = try tool.connect(needsTime: true)
    let status = try connection.ask(EngineStatus.self, Empty())
    try refuse(status)
    try wanted.check(status.haptics, areHapticsOn: status.settings.haptics)
    let taken = wanted == .virtual ? try TakenPad(connection, signals) : nil
    let count = tool.invocation[trials] ?? 200
    var numbers = SystemRandomNumberGenerator()
    let pack = ProofPack(
      name: "latency-proof-\(getpid())", rate: status.audio.rate, beats: count, using: &numbers)
    let folder = try TemporaryFolder(named: "latency")
    try pack.write(to: folder.path)
    let capture = try begin(
      tool.invocation[capture] ?? "default", status, ([channel] + (felt.map { [$0] } ?? [])).map { $0 - 1 },
      atMost: longestSeconds(count), signals)
    let (trials, reported) = try play(tool, pack, folder.path, connection, count, touches: wanted.isFelt, signals)
    let sound = try finish(capture)
    let touch = felt.map { ProofTouch.captured(number: $0) } ?? taken?.touch ?? .nothing
    let proof = Proof(trials, heardIn: sound, felt: touch)
    try refuse(proof, of: sound)
    let report = ProofReport(
      proof, reported: reported,
      facts: ProofReport.Fact.gather(
        status, capture: "\(sound.device): channel \(channel), \(sound.rate) Hz"))
    if let file = tool.invocation[page] { try tool.put(report.html, to: file) }
    tool.show(report, proofLines(report, width: tool.out.readableWidth))
  }

  /// Refuses a daemon that plays nothing that could be captured, or something else already.
  static func refuse(_ status: EngineStatus.Result) throws(ToolFailure) {
    try status.refuseSteppedClock()
    if !status.audio.kind.isHeard {
      throw ToolFailure(
        "no sound device plays, so nothing of it can be heard or captured: \(status.audio.message)",
        hint: "start starlightd with a `--device` that plays; `starlight latency` alone measures without one")
    }
    if status.rhythm.running || status.music.state != .stopped {
      throw ToolFailure("music plays, which would be in the way", hint: "`starlight music stop`, then again")
    }
    if !status.settings.sound || !status.settings.music {
      throw ToolFailure(
        "sounds or music are switched off", hint: "`starlight settings sound on` and `starlight settings music on`")
    }
  }

  /// Begins to capture, for `seconds` at most, and waits until the device's clock is known.
  static func begin(
    _ device: String, _ status: EngineStatus.Result, _ channels: [Int], atMost seconds: Double,
    _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> Capture {
    let capture: Capture
    do throws(Problem) {
      capture = try Capture(device, rate: status.audio.rate, keeping: channels, atMost: seconds)
    } catch {
      throw ToolFailure(error, kind: .failed)
    }
    let until = nowUs() + 5_000_000
    while capture.frames < 2 * status.audio.rate, capture.isRunning, nowUs() < until {
      try signals.endIfAsked()
      _ = waitReadable([signals.descriptor], microseconds: 50_000)
    }
    if capture.frames == 0 {
      throw ToolFailure(
        "nothing comes from the capture device \(device)",
        hint: "see that it is not muted or suspended, or name another with `--capture`")
    }
    return capture
  }

  /// Ends a capture; one that had ended before its time, as where its device was unplugged, is none.
  static func finish(_ capture: Capture) throws(ToolFailure) -> CapturedSound {
    let sound = capture.finish()
    guard let ending = sound.ending else { return sound }
    throw ToolFailure(
      "the capture from \(sound.device) ended before its time: \(ending)", hint: "check its cable, and try again")
  }

  /// Plays all of it in the daemon, which forgets the pack again.
  private static func play(
    _ tool: Tool, _ pack: ProofPack, _ folder: String, _ connection: StarlightConnection, _ count: Int,
    touches: Bool, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> (ProofTrials, [ProofReport.Fact]) {
    let played = try PlayedPack(pack.name, in: folder, connection)
    defer { played.takeOut() }
    var numbers = SystemRandomNumberGenerator()
    var run = ProofRun(connection: connection, pack: pack)
    let seconds = Int((longestSeconds(count) - 30) * 0.75)
    tool.errors.note("plays and captures \(count) chirps and \(count) beats, for about \(seconds) s")
    try run.playSounds(count, touches: touches, using: &numbers, signals)
    try run.playChapter(touches: touches, signals)
    let music = try connection.ask(MusicStatus.self, Empty())
    return (run.trials, try ProofReport.Fact.reported(connection, music.timeline.errorUs))
  }

  private static func refuse(_ proof: Proof, of sound: CapturedSound) throws(ToolFailure) {
    guard proof.heard == 0 else { return }
    let channel = sound.kept[0] + 1
    let loudest = sound.channels[0].reduce(0) { max($0, abs($1)) }
    let level =
      loudest == 0
      ? "channel \(channel) of \(sound.device) is silent"
      : "channel \(channel) of \(sound.device) has other sound, \(fixed(20 * log10(Double(loudest)), 0)) dB at the most"
    throw ToolFailure(
      "none of \(proof.tried) chirps was heard: \(level)",
      hint: "capture what plays: a cable or a microphone, or a sound server's monitor; `arecord -L` lists devices")
  }
}
