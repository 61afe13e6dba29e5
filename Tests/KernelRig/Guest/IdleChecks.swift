// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// A card on which nothing is to be heard is closed, and what is asked for then, now or by an instant, is heard as told.
struct IdleChecks {
  private static let device = "hw:Loopback,0,0"
  private static let state = Places.work + "/idle"
  /// Rests that are ended by a sound that is asked for now, and by one that is planned.
  private static let rounds = 4
  /// For how long its wake-ups are counted.
  private static let calmSeconds = 8
  /// From when a plan is asked for to its instant: longer than the shortest rest, so that the card is closed meanwhile.
  private static let aheadUs: Int64 = 4_000_000

  private let daemon: Daemon
  /// What was played, and the instant announced.
  private var played: [(sound: String, atUs: Int64)] = []
  /// How long after it was asked for each sound that was asked for now was told to be heard, and how long that may take.
  private var waits: [(tookUs: Int64, leadUs: Int64)] = []
  private var opensEarly = 0
  /// When music that had been paused was told to go on.
  private var goesOnUs: Int64 = 0

  static func run(_ report: inout Report) throws {
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    unlink(state + "/wakes")
    let capturing = try Capturing("idle")
    let started = try Daemon("idle", ["--device", device, "--period", "\(LoopbackChecks.period)", "--idle", "1"])
    var checks = IdleChecks(daemon: started)
    try checks.run(&report)
    let kept = readText(state + "/wakes")
    try checks.checkHeard(try capturing.finish(), &report)
    try atDefaults(&report)
    report.check("how long it takes to wake is kept", kept.hasSuffix("\t\(device)\tLoopback\tLoopback\n"), kept)
  }

  /// How soon after a rest a sound is heard at the defaults, on a card whose timer is exact.
  private static func atDefaults(_ report: inout Report) throws {
    let daemon = try Daemon.atDefaults("idle-defaults", ["--idle", "1"])
    try wait(upTo: 10, for: "the card's rest") { try daemon.status().audio.resting }
    usleep(50_000)
    let sentUs = monotonicUs()
    let tookUs = try Part.sound("tick").play(on: daemon.connection, at: nil) - sentUs
    try daemon.listen(until: monotonicUs() + 200_000)
    let audio = try daemon.status().audio
    let account = try LossAccount(of: daemon, xruns: audio.xruns)
    report.check(
      "plays again at the defaults", !audio.resting && audio.xruns == 0 && audio.lateStarts == 0,
      "heard \(milliseconds(tookUs)) after a line at rest, lead \(milliseconds(audio.leadUs)) while it plays; "
        + "\(audio.resting ? "at rest" : "playing"), \(audio.xruns) xruns, \(audio.lateStarts) late starts \(account)")
    try daemon.finish()
  }

  private init(daemon: Daemon) { self.daemon = daemon }

  private mutating func run(_ report: inout Report) throws {
    usleep(700_000)
    report.check("an idle card is open at first", Self.card != "closed", Self.card)
    try play("tick", at: monotonicUs() + 200_000)
    let before = try daemon.status().audio.leadUs
    for round in 0..<Self.rounds {
      try awaitRest()
      let leadUs = try daemon.status().audio.leadUs
      // At all phases of a tick and a period.
      usleep(UInt32(round * 7_919 % 5_003))
      let sentUs = monotonicUs()
      try play("tick", at: nil)
      try play("tock", at: (played.last?.atUs ?? 0) + 100_000)
      waits.append((played[played.count - 2].atUs - sentUs, leadUs))
      try awaitRest()
      try play("tock", at: monotonicUs() + Self.aheadUs)
      try daemon.listen(until: (played.last?.atUs ?? 0) - 1_000_000)
      if Self.card != "closed" { opensEarly += 1 }
      try daemon.listen(until: (played.last?.atUs ?? 0) + 200_000)
    }
    try awaitRest()
    let wakesBefore = wakes
    usleep(UInt32(Self.calmSeconds) * 1_000_000)
    let wakesAtRest = wakes - wakesBefore
    report.check(
      "hardly wakes at rest", wakesAtRest <= 2 * Self.calmSeconds,
      "\(wakesAtRest) times in \(Self.calmSeconds) s, all threads")
    // The engine may stand meanwhile, and go on.
    _ = try daemon.connection.call(EnginePause.self, Empty())
    try awaitRest()
    _ = try daemon.connection.call(EngineResume.self, Empty())
    try play("tick", at: nil)
    try daemon.listen(until: monotonicUs() + 300_000)
    try pauseMusic()
    // Nor is it let go while a chapter runs.
    _ = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "drill"))
    try daemon.listen(until: monotonicUs() + 4_800_000)
    report.check("a chapter keeps it awake", Self.card != "closed", Self.card)
    let audio = try daemon.status().audio
    let losses = try daemon.all(TimelineCorrected.self).map { loss in
      let afterUs = played.map { loss.tUs - $0.atUs }.min { abs($0) < abs($1) } ?? 0
      return "\(loss.payload.lostFrames) frames \(milliseconds(afterUs)) after the nearest sound"
    }
    let account = try LossAccount(of: daemon, xruns: audio.xruns)
    report.note("lead", "\(milliseconds(before)) while it plays; \(audio.message)")
    try daemon.finish()
    report.check(
      "closed until it is needed", opensEarly == 0, "\(opensEarly) of \(Self.rounds) plans opened it 1 s before")
    report.check(
      "heard no later than it takes to wake", waits.allSatisfy { $0.tookUs <= $0.leadUs + 2_000 },
      waits.map { "\(milliseconds($0.tookUs)) of \(milliseconds($0.leadUs))" }.joined(separator: ", "))
    report.check(
      "nothing is lost by resting", audio.xruns == 0 && losses.isEmpty && audio.lateStarts == 0,
      "\(audio.xruns) xruns, \(audio.lateStarts) late starts, \(losses.count) corrections \(losses) \(account)")
  }

  /// Music that is paused lets the card go, and goes on.
  private mutating func pauseMusic() throws {
    let connection = daemon.connection
    _ = try connection.call(MusicPlay.self, MusicPlay.Params(track: "night"))
    try daemon.listen(until: monotonicUs() + 500_000)
    _ = try connection.call(MusicPause.self, FadeParams())
    try awaitRest()
    goesOnUs = try connection.call(MusicResume.self, FadeParams()).scheduledUs
    try daemon.listen(until: goesOnUs + 300_000)
    _ = try connection.call(MusicStop.self, FadeParams())
    try daemon.listen(until: monotonicUs() + 1_000_000)
  }

  /// What the kernel says of the card: its state, or `closed`.
  private static var card: String {
    let text = readText("/proc/asound/Loopback/pcm0p/sub0/status")
    return String(text.split(separator: "\n").first ?? "")
  }

  /// How often the daemon's threads slept and woke so far.
  private var wakes: Int {
    let tasks = "/proc/\(daemon.process.pid)/task"
    return list(tasks).reduce(0) { sum, task in
      let lines = readText("\(tasks)/\(task)/status").split(separator: "\n")
      let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  private mutating func play(_ sound: String, at instantUs: Int64?) throws {
    played.append((sound, try Part.sound(sound).play(on: daemon.connection, at: instantUs)))
  }

  private func awaitRest() throws {
    try daemon.listen(until: (played.last?.atUs ?? 0) + 200_000)
    try wait(upTo: 10, for: "the card's rest") {
      usleep(100_000)
      return try daemon.status().audio.resting && Self.card == "closed"
    }
  }

  /// Those that were captured from a little before an instant to an eighth of a second behind it.
  private static func frames(around instantUs: Int64, of captured: Captured) -> Range<Int> {
    let near = captured.stamps.last { $0.ns / 1_000 <= instantUs }?.index ?? 0
    let from = max(0, near - RigPack.rate / 50)
    return from..<max(from, min(captured.sound.frames.count, near + RigPack.rate / 8))
  }

  /// Each sound comes out whole and to the bit, when it was announced.
  private func checkHeard(_ captured: Captured, _ report: inout Report) throws {
    let renderer = try OfflineRenderer()
    var alone: [String: Sound] = [:]
    for name in ["tick", "tock"] {
      let (first, end) = (480, 480 + RigPack.effectFrames)
      let rendered = try renderer.render(Performance(parts: [(0, .sound(name))]), [first], length: end + 480)
      alone[name] = Sound(frames: Array(rendered.frames[first..<end]))
    }
    var skews: [Int64] = []
    var whole = 0
    for (name, atUs) in played {
      guard let sound = alone[name] else { continue }
      let range = Self.frames(around: atUs, of: captured)
      let found = align(
        sound, 0..<RigPack.effectFrames, in: Sound(frames: Array(captured.sound.frames[range])))
      if found.map(\.recorded) == [0..<RigPack.effectFrames] { whole += 1 }
      guard let place = found.captured(0), let heardUs = captured.instantUs(of: range.lowerBound + place) else {
        continue
      }
      skews.append(heardUs - atUs)
    }
    let first = Self.frames(around: goesOnUs, of: captured).first {
      abs(Sound.left(captured.sound.frames[$0])) > 0.0005
    }
    let musicUs = first.flatMap(captured.instantUs)
    report.check(
      "music that is paused lets it go, and goes on as announced",
      musicUs.map { abs($0 - goesOnUs) < 1_000 + LoopbackChecks.toleranceUs } ?? false,
      "\(musicUs.map { milliseconds($0 - goesOnUs) } ?? "not heard") later than announced")
    report.check("heard whole", whole == played.count, "\(whole) of \(played.count), frame for frame")
    report.check(
      "heard as announced",
      skews.count == played.count && abs(Distribution(skews).worst) < LoopbackChecks.toleranceUs,
      "\(skews.count) of \(played.count) heard; later than announced by "
        + skews.map(milliseconds).joined(separator: ", "))
  }
}
