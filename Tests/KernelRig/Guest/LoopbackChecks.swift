import Glibc
import Wire

/// The daemon plays into one end of the loopback card; what comes out of the other is compared with its own recording of
/// the run, and that with an offline rendering of the same commands.
struct LoopbackChecks {
  /// What happens to a daemon while it plays.
  enum Disturbance {
    /// All its threads stand still.
    case stop(forUs: Int64)
    /// The card is gone.
    case unplug(forUs: Int64)
  }

  let name: String
  let device: String
  var format = "float"
  var performance: Performance
  /// How long it is listened to.
  var lengthUs: Int64
  var disturbances: [(atUs: Int64, Disturbance)] = []
  /// How many of the stops must be long enough to be heard; all when nothing is said.
  var leastGaps: Int?
  /// Whether the recording is held against an offline rendering; else only against what is captured.
  var comparesOffline = true

  /// Frames a period: a game's would be less, but an emulated processor on a busy machine is slow.
  static let period = 512
  /// Frames of the fade in after a gap: 5 ms.
  static let fadeIn = 240
  /// How far from its announced instant anything may be heard: half a tick of the card, whose position the daemon cannot
  /// know much better just after a start; half of that at the median.
  static let toleranceUs: Int64 = 2_000
  static let medianToleranceUs: Int64 = 1_000
  /// What the card still held when it went away, and what the daemon takes to tell that it is back.
  static let outageMarginUs: Int64 = 150_000
  /// Less than the first of the intervals at which a daemon that does not notice cards would look for them.
  static let returnLimitUs: Int64 = 450_000

  func run(_ report: inout Report) throws {
    let capturing = try Capturing(name, format: format)
    let recording = "/tmp/results/\(name).wav"
    let daemon = try Daemon(name, ["--device", device, "--period", "\(Self.period)", "--record", recording])
    // Until its readings are trusted the timeline is a guess.
    usleep(700_000)
    let zeroUs = try daemon.now().nowUs + 300_000
    let announced = try performance.play(on: daemon, zeroUs: zeroUs)
    var outages: [Outage] = []
    for (atUs, disturbance) in disturbances {
      try daemon.listen(until: zeroUs + atUs)
      if let outage = try disturb(daemon, disturbance) { outages.append(outage) }
    }
    try daemon.listen(until: zeroUs + lengthUs)
    let status = try daemon.status()
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    let changes = try daemon.all(DevicesChanged.self).count
    report.note("device", status.audio.message + ", scheduling " + status.audio.scheduling)
    if !disturbances.isEmpty { try checkRest(daemon, &report) }
    try daemon.finish()
    let captured = try capturing.finish()

    let live = try Sound(wave: recording)
    guard let first = live.frames.firstIndex(where: { $0 != 0 }) else { throw RigFailure("the recording is silent") }
    let range = first..<max(first, min(clock.frameHeard(at: clock.nowUs), live.frames.count))
    let reported = corrections.filter { $0.lostFrames > 0 }
      .map { Int($0.frame)..<Int($0.frame + $0.lostFrames) }
      .filter { $0.overlaps(range) }
    let unheard = outages.map {
      clock.frameHeard(at: $0.unheard.lowerBound)..<clock.frameHeard(at: $0.unheard.upperBound)
    }
    if case .stop? = disturbances.first?.1 {
      let xruns = status.audio.xruns
      let least = leastGaps ?? disturbances.count
      report.check(
        "stops are survived", xruns >= least && reported.count >= least,
        "\(xruns) xruns, \(reported.count) gaps")
    }
    if !outages.isEmpty {
      report.check(
        "the card came back", captured.breaks.count >= outages.count && changes >= 2 && status.audio.kind == "alsa",
        "\(changes) changes told")
      let slowest = outages.map(\.returnUs).max() ?? 0
      report.check(
        "taken up as soon as it is there", slowest < Self.returnLimitUs, timed: true, "after \(milliseconds(slowest))")
    }

    // A gap is silent in the recording from where the plan passed frames over; its fade in begins with nothing too.
    let silent = silences(in: live, range, least: 16)
    let untold = silent.filter { gap in
      !(reported + unheard).contains { $0.lowerBound <= gap.lowerBound && gap.upperBound <= $0.upperBound + 1 }
    }
    report.check(
      "silences are reported gaps", untold.isEmpty, "silent \(silent), reported \(reported), not told \(untold)")
    let heard = align(format == "s16" ? live.as16Bit : live, range, in: captured.sound)
    let gaps = reported.map { $0.lowerBound..<($0.upperBound + 1) }
    let missing = heard.missing(in: range, outside: gaps + unheard)
    report.check(
      "captured equals recorded", missing.isEmpty && !heard.isEmpty,
      "\(range.count) frames, \(gaps.count) gaps, \(missing.reduce(0) { $0 + $1.count }) frames differ \(missing.prefix(8))"
    )
    // And what is reported as lost is lost: the gaps are no longer than that.
    let sounding = reported.filter { gap in !unheard.contains { $0.overlaps(gap) } }
    let spared = sounding.map { gap in gap.count { live.frames[$0] != 0 && heard.captured($0) != nil } }
    report.check("what is reported as lost is lost", spared.allSatisfy { $0 == 0 }, "frames heard after all: \(spared)")

    guard comparesOffline else { return }
    // The same commands offline; the first sound is at frame 4800 there.
    let start = first - 4_800
    let length = range.upperBound - start
    let lost = (gaps + silent).map { ($0.lowerBound - start)..<($0.upperBound - start + Self.fadeIn) }
    let isCompared = { (frame: Int) in !lost.contains { $0.contains(frame) } }
    let frames = try performance.frames(in: live, from: start, length: length, isCompared: isCompared)
    let rendered = try performance.render(frames, length: length)
    let compared = min(length, rendered.frames.count)
    let different = (0..<compared).count { isCompared($0) && live.frames[start + $0] != rendered.frames[$0] }
    report.check(
      "recorded equals offline", different == 0 && compared >= length - 480 && frames.count == performance.parts.count,
      "\(compared) frames, \(frames.count) of \(performance.parts.count) parts found, \(different) frames differ")
    checkInstants(frames.map { $0 + start }, announced, heard, captured, &report)
  }

  /// A time without a card.
  struct Outage {
    /// From when to when nothing can be heard, which is not for the daemon to tell.
    let unheard: Range<Int64>
    /// From the card's return to the daemon playing on it.
    let returnUs: Int64
  }

  /// Does it; answers how long there was no card, where it took it.
  private func disturb(_ daemon: Daemon, _ disturbance: Disturbance) throws -> Outage? {
    switch disturbance {
    case .stop(let length):
      daemon.process.signal(SIGSTOP)
      usleep(UInt32(length))
      daemon.process.signal(SIGCONT)
      return nil
    case .unplug(let length):
      let from = monotonicUs()
      let driver = "/sys/bus/platform/drivers/snd_aloop"
      // Returns when everybody has let go of the card.
      let unbinding = try ChildProcess(["sh", "-c", "echo snd_aloop.0 >\(driver)/unbind"], log: "/dev/null")
      try daemon.listen(until: from + length)
      guard unbinding.wait() == 0 else { throw RigFailure("the card cannot be unplugged") }
      let back = monotonicUs()
      try writeFile(driver + "/bind", "snd_aloop.0")
      try wait(upTo: 10, for: "the card's return") { try daemon.status().audio.kind == "alsa" }
      let taken = monotonicUs()
      return Outage(unheard: (from - Self.outageMarginUs)..<(taken + Self.outageMarginUs), returnUs: taken - back)
    }
  }

  /// After its troubles the audio thread works no more than it must.
  private func checkRest(_ daemon: Daemon, _ report: inout Report) throws {
    guard let thread = daemon.process.thread(named: "audio") else { throw RigFailure("no audio thread") }
    let before = daemon.process.processorTime(ofThread: thread)
    let startUs = monotonicUs()
    usleep(500_000)
    let used = daemon.process.processorTime(ofThread: thread) - before
    let share = Int(used / 10 / (monotonicUs() - startUs))
    report.check("no spin afterwards", share < 50, timed: true, "the audio thread takes \(share) % of a processor")
  }

  /// Each part was heard when it had been announced.
  private func checkInstants(
    _ frames: [Int], _ announced: [Int64], _ heard: [Stretch], _ captured: Captured, _ report: inout Report
  ) {
    var skews: [Int64] = []
    for (frame, instantUs) in zip(frames, announced) {
      guard let place = heard.captured(frame), let heardUs = captured.instantUs(of: place) else { continue }
      skews.append(heardUs - instantUs)
    }
    let distribution = Distribution(skews)
    let isNear = abs(distribution.worst) < Self.toleranceUs && abs(distribution.median) < Self.medianToleranceUs
    report.check(
      "heard as announced", skews.count == announced.count && isNear, timed: true,
      "\(skews.count) of \(announced.count) heard; later than announced by "
        + skews.map(milliseconds).joined(separator: ", "))
  }
}
