import CKernelRig
import Glibc
import Wire

/// The daemon on a card whose timer is exact: what the audio thread asks of the kernel, period by period.
enum DummyChecks {
  static let maximumSeconds = 8

  static func run(_ report: inout Report) throws {
    let daemon = try Daemon("dummy", ["--device", "hw:Dummy,0,0", "--period", "256"])
    usleep(700_000)
    // What a thread does for the first time is translated by the emulator first: that is over before anything counts.
    let parts = [Part.music("night"), .sound("tick"), .music("day", crossfadeUs: 200_000), .sound("tock")]
    let zeroUs = try daemon.now().nowUs + 200_000
    for turn in 0..<8 {
      let part = parts[turn % parts.count]
      _ = try part.play(on: daemon.connection, at: zeroUs + Int64(turn) * 300_000)
    }
    guard let thread = daemon.process.thread(named: "audio") else { throw RigFailure("no audio thread") }
    report.note("device", try daemon.status().audio.message)

    // The machine that emulates may stall for longer than the buffer lasts: the first second without an xrun counts. A
    // thread that only watches the clock, on the same processor, tells how late the machine was.
    pin_thread(Int32(thread), 1)
    pin_thread(0, 1)
    var priority = sched_param(sched_priority: 90)
    sched_setscheduler(0, SCHED_FIFO, &priority)
    defer {
      priority.sched_priority = 0
      sched_setscheduler(0, SCHED_OTHER, &priority)
    }
    let calls = try SystemCalls(ofThread: thread)
    try daemon.listen(until: zeroUs + 3_000_000)
    var seconds: [(xruns: Int, stallUs: Int64, faults: Int)] = []
    var isMeasured = false
    while seconds.count < maximumSeconds && !isMeasured {
      let before = try daemon.status().audio
      let faults = pageFaults(daemon.process, thread)
      let callsBefore = calls.counts
      let stallUs = worstStall(forUs: 1_000_000)
      let counts = calls.counts.merging(callsBefore) { $0 - $1 }.filter { $0.value > 0 }
      let newFaults = pageFaults(daemon.process, thread) - faults
      let after = try daemon.status().audio
      seconds.append((after.xruns - before.xruns, stallUs, newFaults))
      guard after.xruns == before.xruns else { continue }
      isMeasured = true
      let periods = Double(after.framesRendered - before.framesRendered) / Double(after.periodFrames)
      let told = counts.sorted { $0.value > $1.value }.map { name, count in
        "\(name) \(Double(Int(Double(count) / periods * 100)) / 100)"
      }
      let expected: Set = ["sys_poll", "sys_ppoll", "sys_ioctl", "sys_write", "sys_clock_nanosleep"]
      let total = Double(counts.values.reduce(0, +)) / periods
      report.check(
        "system calls a period", total > 0 && total <= 4.5 && expected.isSuperset(of: counts.keys),
        "\(Int(periods)) periods of \(after.periodFrames) frames: " + told.joined(separator: ", "))
      report.check("page faults", newFaults == 0, "\(newFaults) in \(Int(periods)) periods")
    }
    let text = seconds.map { "\($0.xruns) (machine late by \(milliseconds($0.stallUs)), page faults \($0.faults))" }
    report.check(
      "a second without xruns", isMeasured, timed: true, "xruns each second: " + text.joined(separator: ", "))
    try calls.finish()
    try daemon.finish()
  }

  /// By how much a sleep of a millisecond was too long, at worst.
  private static func worstStall(forUs length: Int64) -> Int64 {
    let end = monotonicUs() + length
    var worst: Int64 = 0
    var last = monotonicUs()
    while last < end {
      usleep(1_000)
      let now = monotonicUs()
      worst = max(worst, now - last - 1_000)
      last = now
    }
    return worst
  }

  private static func pageFaults(_ process: ChildProcess, _ thread: Int) -> Int {
    // Fields 10 and 12, counted behind the name in parentheses.
    let text = readText("/proc/\(process.pid)/task/\(thread)/stat")
    let fields = text.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
    return fields.count > 8 ? fields[6] + fields[8] : -1
  }
}

/// Counts a thread's system calls with the kernel's own histogram, which costs the thread next to nothing.
struct SystemCalls {
  private static let event = "/sys/kernel/tracing/events/raw_syscalls/sys_enter"
  private let trigger: String

  init(ofThread thread: Int) throws {
    trigger = "hist:keys=id.syscall if common_pid==\(thread)"
    try writeFile(Self.event + "/trigger", trigger)
  }

  /// Ends the counting.
  func finish() throws { try writeFile(Self.event + "/trigger", "!" + trigger) }

  /// How often each call was made so far.
  var counts: [String: Int] {
    var counts: [String: Int] = [:]
    // "{ id: sys_ioctl                     [ 16] } hitcount:        375"
    for line in readText(Self.event + "/hist").split(separator: "\n") where line.hasPrefix("{ id:") {
      let words = line.split(whereSeparator: { " :[]{}".contains($0) })
      guard words.count >= 4, let count = words.last.flatMap({ Int($0) }) else { continue }
      counts[String(words[1]), default: 0] += count
    }
    return counts
  }
}
