// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// The demo's twenty seconds: a loop that taps, listens and draws until its plan is done.
struct DemoRun {
  private let control: StarlightConnection
  /// A connection that is only told things, so that an answer being waited for never delays a stamp.
  private let events: StarlightConnection
  private let show: DemoShow
  private let plan: DemoPlan
  private var player: ScriptedPlayer
  private var board: ChapterBoard
  private var log: ChapterLog
  private var taps: [ScriptedPlayer.Tap] = []
  /// The cues by which a game leaves the music of its chapters and comes to its finale; none where the pack has no finale.
  private let cues: [String]
  private var isLeft = false
  /// Of the chapter, once it was left for the finale.
  private var score: Score?
  private var felt = FeltPeak()
  private(set) var report: DemoReport

  /// Says what was found and starts the chapter.
  init(
    control: StarlightConnection, socket: String, lengthUs: Int64, seed: UInt64, show: DemoShow, report: DemoReport
  ) throws(ToolFailure) {
    self.control = control
    self.show = show
    self.report = report
    do throws(ClientError) {
      events = try StarlightConnection(path: socket)
    } catch {
      throw ToolFailure(error)
    }
    let status = try events.subscribe(to: [.rhythm, .music, .haptics, .timeline])
    let packs = try control.askForPacks()
    guard let active = packs.packs.first(where: { $0.name == packs.active }) ?? packs.packs.first else {
      throw ToolFailure("starlightd found no pack", hint: status.problems.first?.description)
    }
    let pack = active.chapters.isEmpty ? packs.packs.first { !$0.chapters.isEmpty } ?? active : active
    guard let chosen = pack.chapters.first(where: { $0.name.hasSuffix(":firewall") }) ?? pack.chapters.first else {
      throw ToolFailure("the pack \(pack.name) has no chapter", hint: pack.problems.first?.description)
    }
    let ending = ["blueprint-left", "finale"].compactMap { name in pack.cues.first { $0.hasSuffix(":" + name) } }
    cues = ending.count == 2 ? ending : []
    player = ScriptedPlayer(seed: seed)
    let header = demoHeader(status, pack, chosen, player, readyUs: report.readyUs)
    for line in columns(header, indent: 2, width: show.out.width) + [""] { show.line(line) }
    let started = try control.ask(RhythmStart.self, RhythmStart.Params(chapter: chosen.name))
    self.report.chapter = started.chapter
    self.report.assistDue = player.assistedFrom
    plan = DemoPlan(startUs: nowUs(), lengthUs: lengthUs)
    board = ChapterBoard(started)
    log = ChapterLog(startUs: started.startUs, windowUs: started.windowUs, style: show.style, columns: show.out.width)
  }

  /// Plays to the end of the plan; true when a signal ended it before.
  mutating func play(_ daemon: inout DaemonProcess, _ signals: borrowing SignalWatch) throws(ToolFailure) -> Bool {
    let frameUs: Int64 = show.drawsBoard ? 33_000 : 500_000
    var nextFrame = nowUs()
    while true {
      try listen()
      let now = nowUs()
      if signals.take() != nil || show.out.isBroken { return try end(interrupted: true) }
      if daemon.check() != nil { throw ToolFailure("starlightd ended") }
      if now >= plan.endUs || (board.end != nil && score == nil) { return try end(interrupted: false) }
      try tapWhatIsDue(now)
      if now >= plan.leaveUs, !isLeft { try leave() }
      if now >= nextFrame {
        draw(now)
        nextFrame = max(nextFrame + frameUs, now)
      }
      let due = min(nextFrame, taps.first?.atUs ?? .max, isLeft ? plan.endUs : plan.leaveUs)
      _ = waitReadable([events.descriptor, signals.descriptor], microseconds: due - nowUs())
    }
  }

  private mutating func listen() throws(ToolFailure) {
    while let notification = try events.next(withinUs: 0) {
      let arrival = nowUs()
      guard let told = Event.Notification(notification) else { continue }
      board.take(told, tUs: notification.tUs)
      if let line = log.line(told, tUs: notification.tUs, arrivalUs: arrival) { show.line(line) }
      switch told {
      case .rhythmSpawn(let spawn):
        report.spawns += 1
        taps += player.taps(beat: spawn.beat, lane: spawn.lane, beatUs: spawn.beatUs)
        taps.sort { $0.atUs < $1.atUs }
      case .rhythmBeat:
        report.beatsTold += 1
        report.beatLatenessUs.append(arrival - notification.tUs)
      case .rhythmAssist: report.assisted = true
      case .musicChanged(let changed) where changed.change == .rejoined: report.silences += 1
      case .hapticsLevel(let level):
        report.levels += 1
        if let peak = felt.take(level, tUs: notification.tUs) { tell(peak) }
      default: break
      }
    }
  }

  private mutating func tapWhatIsDue(_ now: Int64) throws(ToolFailure) {
    while let tap = taps.first, tap.atUs <= now {
      taps.removeFirst()
      let result = try control.ask(RhythmTap.self, RhythmTap.Params(atUs: tap.atUs, lane: tap.lane))
      if let error = result.errorUs {
        if tap.intent == .wide { report.wideErrorsUs.append(error) } else { report.tapErrorsUs.append(error) }
      }
      show.line(log.line(tap: result, lane: tap.lane))
    }
  }

  /// Leaves the chapter as a game would: its music fades out, and out of silence comes the finale, at its full level and with
  /// what is felt of it.
  private mutating func leave() throws(ToolFailure) {
    isLeft = true
    guard cues.count == 2 else { return }
    // A chapter and its music are one: the one ends before the other changes.
    score = try control.ask(RhythmStop.self, Empty()).score
    taps = []
    for fired in [
      try control.ask(CueFire.self, CueFire.Params(cue: cues[0])),
      try control.ask(CueFire.self, CueFire.Params(cue: cues[1], atUs: plan.finaleUs)),
    ] {
      report.skipped += fired.skipped.map { "\(fired.cue): \(skipText($0))" }
    }
  }

  private mutating func draw(_ now: Int64) {
    if show.drawsBoard { show.draw(board.frame(atUs: now, width: show.out.width, style: show.style)) }
  }

  /// A line for what was felt, at the instant at which it was strongest; the board draws it where there is one.
  private func tell(_ peak: FeltPeak.Peak) {
    if show.drawsBoard { return }
    let bar = levelBar(intensity: peak.intensity, sharpness: peak.sharpness, width: 30, style: show.style)
    show.line(log.entry(peak.tUs, "felt", "", "\(bar) \(fixed(peak.intensity, 2))", .normal))
  }

  /// Stops the chapter and takes the daemon's figures.
  private mutating func end(interrupted: Bool) throws(ToolFailure) -> Bool {
    let score: Score = if let kept = score { kept } else { try control.ask(RhythmStop.self, Empty()).score }
    try listen()
    if let peak = felt.end() { tell(peak) }
    let status = try control.ask(EngineStatus.self, Empty())
    show.finish()
    if interrupted { show.line("interrupted") }
    report.hits = score.hits
    report.misses = score.misses
    report.ghosts = score.ghosts
    report.assisted = report.assisted || score.assisted
    report.xruns = status.audio.xruns
    report.peak = status.audio.peak
    report.peakResidentBytes = status.resources.peakResidentBytes
    report.cpuUs = status.resources.cpuUs
    report.uptimeUs = status.uptimeUs
    return interrupted
  }
}

/// What the demo does besides tapping, and when.
struct DemoPlan: Equatable {
  /// When the chapter is left, so that its music has faded out by the finale, also where it hears of that a little later.
  let leaveUs: Int64
  /// Instants of the finale, and of the end.
  let finaleUs: Int64
  let endUs: Int64

  /// A run of `lengthUs` from `startUs`: the finale comes for the last fifth, four seconds at most.
  init(startUs: Int64, lengthUs: Int64) {
    endUs = startUs + lengthUs
    finaleUs = endUs - min(lengthUs / 5, 4_000_000)
    leaveUs = finaleUs - 600_000
  }
}

/// "Firewall: 47 beats, music starlight-sync:main, lanes left, right, top".
func demoChapter(_ chapter: PackList.Chapter) -> String {
  "\(chapter.title): \(count(chapter.beats, "beat")), music \(chapter.track), \(lanesText(chapter.lanes))"
}

/// What was found, before anything plays.
func demoHeader(
  _ status: EngineStatus.Result, _ pack: PackList.Pack, _ chapter: PackList.Chapter, _ player: ScriptedPlayer,
  readyUs: Int64
) -> [[String]] {
  var rows = [
    ["daemon", "starlightd \(status.version), ready in \(milliseconds(readyUs, places: 0))"],
    ["audio", status.audio.message],
    ["", audioFormat(status.audio)],
    ["haptics", hapticsTexts(status.haptics).joined(separator: "; ")],
    [
      "pack",
      "\(pack.title): \(count(pack.tracks.count, "track")), \(count(pack.sounds.count, "sound")), "
        + "\(count(pack.patterns.count, "pattern")), \(count(pack.cues.count, "cue"))",
    ],
    ["chapter", demoChapter(chapter)],
    [
      "player",
      "a script: taps with small errors, lets \(player.missed.count) beats pass until the window is widened, then taps 200 ms off",
    ],
  ]
  // What is wrong with packs is among the daemon's problems.
  for problem in status.problems { rows.append(["problem", problem.description]) }
  return rows
}
