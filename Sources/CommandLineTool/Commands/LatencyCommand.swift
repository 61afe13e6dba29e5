// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

enum LatencyCommand {
  static let rounds = OptionKey.integer(
    "count", short: "n", in: 10...100_000, default: 1_000, help: "how many requests")
  static let seconds = OptionKey.duration(
    "seconds", default: 10,
    help: "how long to play the longest chapter from its first beat on, at most to its end; 0 leaves beats and taps out"
  )

  static let command = ToolCommand(
    "latency", summary: "measures command to sound, beat to event and tap to verdict",
    discussion: [
      "Sounds are played at gain 0. For beats and taps a chapter is played, and heard, unless music or a chapter already "
        + "plays. All stamps are CLOCK_MONOTONIC; the sound's are the daemon's own, from ALSA.",
      "With `--closed-loop` nothing is taken on trust: chirps are played, captured and found again to the sample. The daemon is "
        + "given a pack of its own for that, and forgets it at the end; only its own user may.",
    ],
    options: [rounds.option, seconds.option] + ProofCommand.options,
    examples: [
      .init("starlight latency --count 2000 --seconds 0", "requests only, in silence"),
      .init(
        "starlight latency --closed-loop --capture hw:1 --html proof.html",
        "by a cable from the output to the input of card 1"),
      .init(
        "starlight latency --closed-loop --capture hw:1 --pad virtual",
        "with touch: a pad of this program's own is plugged in meanwhile"),
    ],
    action: ToolAction { tool throws(ToolFailure) in
      if tool.invocation[ProofCommand.closedLoop] { return try ProofCommand.run(tool) }
      if tool.invocation[ProofCommand.page] != nil || tool.invocation[ProofCommand.felt] != nil
        || tool.invocation[ProofCommand.pad] != nil
      {
        throw .usage(
          "`--html`, `--felt-by` and `--pad` are of what is captured",
          hint: "add `--closed-loop` and `--capture DEVICE`")
      }
      return try run(tool)
    })

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    var measured = LatencyMeasurement()
    let rounds = tool.invocation[rounds] ?? 1_000
    let listed = try connection.askForPacks()
    // What the active pack does not have another may.
    let packs = listed.packs.filter { $0.name == listed.active } + listed.packs.filter { $0.name != listed.active }
    let status = try connection.ask(EngineStatus.self, Empty())
    try status.refuseSteppedClock()
    if !status.audio.kind.isHeard {
      measured.notes.append("no sound device plays: command to sound is to the instant planned, and nothing is heard")
    }
    try measured.measureRoundTrips(connection, rounds)
    if let sound = packs.lazy.compactMap({ $0.sounds.first(where: \.available) }).first {
      try measured.measureSounds(connection, sound.name, rounds)
    } else {
      measured.notes.append("command to sound was not measured: no sound is loaded, see `starlight list sounds`")
    }
    let length = microseconds(tool.invocation[seconds] ?? 10)
    if length > 0 {
      if status.rhythm.running || status.music.state != .stopped {
        measured.notes.append("beats and taps were not measured: music plays; `starlight music stop`, then again")
      } else if let chapter = packs.lazy.compactMap({ $0.chapters.max { $0.lengthUs < $1.lengthUs } }).first {
        try measured.measureChapter(connection, chapter, lengthUs: length)
      } else {
        measured.notes.append("beats and taps were not measured: no pack has a chapter")
      }
    }
    // With --json the results stand alone; what they leave out is said beside them.
    if tool.wantsJSON { for note in measured.notes { tool.errors.note(note) } }
    tool.show(measured.results, latencyLines(measured, status.audio, width: tool.out.readableWidth))
  }
}

extension EngineStatus.Result {
  /// Refuses a daemon of which nothing can be measured.
  func refuseSteppedClock() throws(ToolFailure) {
    guard clock == .stepped else { return }
    throw ToolFailure(
      "this starlightd runs on a stepped clock: its time stands still, and so nothing can be measured",
      hint: "start one without `--clock stepped`")
  }
}

/// What was measured, in microseconds.
struct LatencyMeasurement {
  private(set) var results: [Row] = []
  var notes: [String] = []

  struct Row: Codable, Equatable {
    var what: String
    var from: String
    var count: Int
    /// Of fewer samples than say something it is left out.
    var medianUs: Int64?
    /// Likewise.
    var p99Us: Int64?
    var maxUs: Int64

    init?(_ what: String, _ from: String, _ values: [Int64]) {
      guard let statistics = Statistics(values) else { return nil }
      self.what = what
      self.from = from
      count = statistics.count
      if statistics.count >= Statistics.leastForMedian { medianUs = statistics.median }
      if statistics.count >= Statistics.leastForP99 { p99Us = statistics.p99 }
      maxUs = statistics.most
    }
  }

  mutating func add(_ what: String, _ from: String, _ values: [Int64]) {
    if let row = Row(what, from, values) { results.append(row) }
  }

  /// Says which quantiles a row leaves out, and what it takes to have them: `enough` answers that for a number of samples.
  mutating func noteFewSamples(of what: String, enough: (Int) -> String) {
    guard let row = results.first(where: { $0.what == what }), row.p99Us == nil else { return }
    let samples = count(row.count, "sample")
    let p99 = Statistics.leastForP99
    if row.medianUs == nil {
      notes.append(
        "\(what): \(samples); a median takes \(Statistics.leastForMedian), \(enough(Statistics.leastForMedian)), "
          + "and p99 \(p99), \(enough(p99))")
    } else {
      notes.append("\(what): \(samples); p99 takes \(p99), \(enough(p99))")
    }
  }

  mutating func measureRoundTrips(_ connection: StarlightConnection, _ rounds: Int) throws(ToolFailure) {
    var times: [Int64] = []
    for _ in 0..<rounds {
      let sent = nowUs()
      _ = try connection.ask(ClockNow.self, Empty())
      times.append(nowUs() - sent)
    }
    add("round trip", "clock.now, from asking to the answer", times)
    noteFewSamples(of: "round trip") { "`--count \($0)`" }
  }

  mutating func measureSounds(_ connection: StarlightConnection, _ sound: String, _ rounds: Int) throws(ToolFailure) {
    var times: [Int64] = []
    for _ in 0..<rounds {
      let sent = nowUs()
      let reply = try connection.ask(SoundPlay.self, SoundPlay.Params(sound: sound, gain: 0))
      times.append(reply.scheduledUs - sent)
      do throws(ToolFailure) {
        _ = try connection.ask(SoundStop.self, SoundStop.Params(id: reply.id))
      } catch {
        // A short one may have ended by itself, where the machine is busy.
        if error.kind != RPCError.Kind.notRunning.rawValue { throw error }
      }
      // A period is some milliseconds: an odd wait spreads the requests over all its phases.
      _ = waitReadable([], microseconds: 3_000)
    }
    add("command to sound", "sound.play, from asking to the first frame at the DAC", times)
    noteFewSamples(of: "command to sound") { "`--count \($0)`" }
  }
}

/// The figures as a table, and what they leave out.
func latencyLines(_ measured: LatencyMeasurement, _ audio: EngineStatus.Audio, width: Int = .max) -> [String] {
  var rows =
    width < 80
    ? []
    : [
      ["", "median".rightAligned(9), "p99".rightAligned(9), "max".rightAligned(9), "count".rightAligned(6), ""]
    ]
  for row in measured.results {
    let figures = [row.medianUs, row.p99Us, row.maxUs].map { $0.map { milliseconds($0, places: 2) } ?? "-" }
    if width < 80 {
      // Too narrow for a table: each figure with its name.
      let named = zip(["median", "p99", "max"], figures).map { "\($0) \($1)" }
      rows.append([row.what, named.joined(separator: ", ") + " of \(row.count); \(row.from)"])
    } else {
      rows.append([row.what] + figures.map { $0.rightAligned(9) } + [String(row.count).rightAligned(6), row.from])
    }
  }
  let said =
    ["Sound device: \(audio.device); \(audioFormat(audio)); lead \(milliseconds(audio.leadUs))."]
    + measured.notes.map { "Note: \($0)." }
    + [
      "Not seen from here: what the sound card adds after the delay that ALSA reports (DAC, Bluetooth, HDMI), the way "
        + "from speaker to ear (3 ms a metre), a controller's and actuator's own delay, and the display of the game."
    ]
  return columns(rows, width: width) + [""] + said.flatMap { hanging($0, indent: 0, width: width) }
}
