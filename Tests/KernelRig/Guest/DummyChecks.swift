// SPDX-License-Identifier: Apache-2.0

import CKernelRig
import Glibc
import Wire

/// The daemon on a card whose timer is exact: what the audio thread asks of the kernel and of the C library, period by
/// period, while everything happens that a client can ask for.
enum DummyChecks {
  /// Of a period: wait for room, read the position, and, where there is something to tell, wake the control thread.
  /// Frames go into memory that the card shares.
  static let callsPerPeriod = 3
  /// Calls that an xrun may cost: status, drop, prepare, start, and eight times poll, status and sleep to listen to it.
  static let callsPerXrun = 30

  static func run(_ report: inout Report) throws {
    let daemon = try Daemon("dummy", ["--device", "hw:Dummy,0,0", "--period", "\(LoopbackChecks.period)"])
    usleep(700_000)
    guard let thread = daemon.process.thread(named: "audio") else { throw RigFailure("no audio thread") }
    report.note("device", try daemon.status().audio.message)
    let calls = try SystemCalls(ofThread: thread)
    let library = try LibraryCalls(["malloc", "calloc", "realloc", "free", "pthread_mutex_lock", "pthread_cond_wait"])
    let own = try library.count(thread: thread)
    let all = try library.count(process: daemon.process)

    // What a thread does for the first time is translated by the emulator first, and its pages are new: that is over
    // before anything counts.
    var everything = Everything()
    try play(&everything, on: daemon, turns: 0..<Everything.turns)
    // The time in which periods are counted encloses that of the calls.
    let before = try daemon.status().audio
    let (ownBefore, allBefore) = (own.counts, all.counts)
    let (callsBefore, faultsBefore) = (calls.counts, pageFaults(daemon.process, thread))
    try play(&everything, on: daemon, turns: Everything.turns..<2 * Everything.turns)
    let faults = pageFaults(daemon.process, thread) - faultsBefore
    let counts = calls.counts.since(callsBefore)
    let (ownCounts, allCounts) = (own.counts.since(ownBefore), all.counts.since(allBefore))
    let after = try daemon.status().audio

    let xruns = after.xruns - before.xruns
    let periods = Int(after.framesRendered - before.framesRendered) / after.periodFrames
    let expected: Set = ["sys_poll", "sys_ppoll", "sys_ioctl", "sys_write", "sys_clock_nanosleep"]
    let excused = xruns * callsPerXrun
    let total = counts.values.reduce(0, +)
    report.check(
      "system calls a period",
      periods > 0 && total <= (periods + 1) * callsPerPeriod + excused && expected.isSuperset(of: counts.keys),
      "\(periods) periods of \(after.periodFrames) frames, \(xruns) xruns: " + told(counts, per: periods))
    report.check(
      "none but a period's own",
      counts["sys_clock_nanosleep", default: 0] <= excused
        && counts.allSatisfy { $0.value <= periods + 1 + excused }, told(counts, per: 1))
    report.check("page faults", faults == 0, "\(faults) in \(periods) periods")
    report.check(
      "sounds of patterns are among it", everything.sounds.mostVoices > PatternSounds.voices,
      "\(everything.sounds.mostVoices) voices with the music")
    // The other threads allocate as they like: so it is known that the counters count.
    report.check(
      "allocations and locks", ownCounts.isEmpty && allCounts["malloc", default: 0] > 0,
      "audio thread: \(ownCounts.isEmpty ? "none" : told(ownCounts, per: 1)); whole daemon: \(told(allCounts, per: 1))")
    try own.finish()
    try all.finish()
    try calls.finish()
    try daemon.finish()
  }

  private static let turnUs: Int64 = 250_000

  /// Plays one part after another, and listens until the last is over.
  private static func play(_ everything: inout Everything, on daemon: Daemon, turns: Range<Int>) throws {
    let parts = [Part.music("night"), .sound("tick"), .music("day", crossfadeUs: 200_000), .sound("tock")]
    let zeroUs = try daemon.now().nowUs + 100_000
    for turn in turns {
      let atUs = zeroUs + Int64(turn - turns.lowerBound) * turnUs
      _ = try parts[turn % parts.count].play(on: daemon.connection, at: atUs)
      try everything.play(turn: turn, on: daemon.connection, at: atUs + 50_000)
      try daemon.listen(until: atUs)
    }
    try daemon.listen(until: zeroUs + Int64(turns.count) * turnUs)
  }

  private static func told(_ counts: [String: Int], per periods: Int) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { name, count in
        periods == 1 ? "\(name) \(count)" : "\(name) \(Double(Int(Double(count) / Double(periods) * 100)) / 100)"
      }
      .joined(separator: ", ")
  }

  private static func pageFaults(_ process: ChildProcess, _ thread: Int) -> Int {
    // Fields 10 and 12, counted behind the name in parentheses.
    let text = readText("/proc/\(process.pid)/task/\(thread)/stat")
    let fields = text.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
    return fields.count > 8 ? fields[6] + fields[8] : -1
  }
}
