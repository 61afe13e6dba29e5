// SPDX-License-Identifier: Apache-2.0

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
    /// The kernel takes its devices through a suspend and a resume.
    case suspend(forSeconds: Int)
  }

  let name: String
  let device: String
  /// As which the daemon sees the card, where that is not as it is.
  var card: CoarseCard?
  var layout = SampleLayout()
  var performance: Performance
  /// How long it is listened to.
  var lengthUs: Int64
  var disturbances: [(atUs: Int64, Disturbance)] = []
  /// How many of the stops must be long enough to be heard; all when nothing is said.
  var leastGaps: Int?
  /// Whether the recording is held against an offline rendering; else only against what is captured.
  var comparesOffline = true
  /// Whether what is heard is held against what was announced as well, and not only told.
  var checksInstants = true

  /// Frames a period: a game's would be less, but eight channels of another format cost this processor some of it.
  static let period = 512
  /// How far from its announced instant anything may be heard: half a tick of the card, whose position the daemon cannot
  /// know much better just after a start; half of that at the median.
  static let toleranceUs: Int64 = 2_000
  static let medianToleranceUs: Int64 = 1_000
  /// What the card still held when it went away, and what the daemon takes to tell that it is back.
  static let outageMarginUs: Int64 = 150_000
  /// Far less than the first of the intervals at which a daemon that does not notice cards would look for them.
  static let returnLimitUs: Int64 = 100_000

  /// How long before it begins a piece is asked for.
  static let aheadUs: Int64 = 150_000

  func run(_ report: inout Report) throws {
    let capturing = try Capturing(name, layout: layout)
    let recording = Places.results + "/\(name).wav"
    let start = { try Daemon(name, ["--device", device, "--period", "\(Self.period)", "--record", recording]) }
    let daemon = try card.map { try $0.around(start) } ?? start()
    // Until its readings are trusted the timeline is a guess, which matters where instants are judged.
    usleep(comparesOffline ? 700_000 : 300_000)
    let zeroUs = try daemon.now().nowUs + Self.aheadUs
    let announced = try performance.play(on: daemon, zeroUs: zeroUs)
    var outages: [Outage] = []
    var wakeUs: Int64?
    for (atUs, disturbance) in disturbances {
      try daemon.listen(until: zeroUs + atUs)
      if let outage = try disturb(daemon, disturbance) { outages.append(outage) }
      if case .suspend = disturbance { wakeUs = monotonicUs() }
    }
    try daemon.listen(until: zeroUs + lengthUs)
    let status = try daemon.status()
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    let changes = try daemon.all(DevicesChanged.self).count
    report.note("device", "\(status.audio.message), scheduling \(status.audio.scheduling)")
    if !disturbances.isEmpty { try checkRest(daemon, &report) }
    try daemon.finish()
    let renderer = comparesOffline ? try OfflineRenderer() : nil
    let captured = try capturing.finish()

    let comparison = try Comparison(recording: recording, clock: clock, corrections, unheardUs: outages.map(\.unheard))
    if case .stop? = disturbances.first?.1 {
      let xruns = status.audio.xruns
      let least = leastGaps ?? disturbances.count
      report.check(
        "stops are survived", xruns >= least && comparison.reported.count >= least,
        "\(xruns) xruns, \(comparison.reported.count) gaps")
    }
    if !outages.isEmpty {
      report.check(
        "the card came back", captured.breaks.count >= outages.count && changes >= 2 && status.audio.kind.isHeard,
        "\(changes) changes told")
      let slowest = outages.map(\.returnUs).max() ?? 0
      report.check(
        "taken up as soon as it is there", slowest < Self.returnLimitUs, "after \(milliseconds(slowest))")
    }

    let heard = comparison.check(
      captured.sound, layout, isCard: device.hasPrefix("hw:"), sparedLimit: wakeUs == nil ? 0 : Self.period, &report)
    if !outages.isEmpty { checkQueued(comparison, heard, captured, &report) }
    if let wakeUs { checkSleep(wakeUs, comparison, clock, captured, &report) }
    guard let renderer else { return }
    let frames = try comparison.checkOffline(performance, by: renderer, &report)
    checkInstants(frames, announced, heard, captured, &report)
  }

  /// About as long as the buffer lasts, so that periods come just before, just after and while the card runs dry.
  static let hiccups = (0..<16).map { (index: Int64) -> (atUs: Int64, Disturbance) in
    (350_000 + index * 110_000, .stop(forUs: 24_000 + index * 7 % 16 * 1_000))
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
      let unplugging = try LoopbackCard.unplug()
      try daemon.listen(until: from + length)
      try unplugging.finish()
      let back = monotonicUs()
      try LoopbackCard.plug()
      try wait(upTo: 10, for: "the card's return") { try daemon.status().audio.kind.isHeard }
      let taken = monotonicUs()
      return Outage(unheard: (from - Self.outageMarginUs)..<(taken + Self.outageMarginUs), returnUs: taken - back)
    case .suspend(let length):
      try Sleep.now(forSeconds: length)
      return nil
    }
  }

  /// What the card still held when it went away is among what is told as lost.
  private func checkQueued(
    _ comparison: Comparison, _ heard: [Stretch], _ captured: Captured, _ report: inout Report
  ) {
    let before = heard.filter { stretch in captured.breaks.contains { stretch.captured < $0 } }
    let last = before.map(\.recorded.upperBound).max() ?? 0
    // A capture that reads as the card moves, every 4 ms, had not got the last of what was played.
    let margin = 15 * RigPack.rate / 1_000
    let told = comparison.reported.filter { $0.lowerBound <= last + margin && $0.upperBound > last }
    report.check(
      "what the card held is told", told.count == 1 && told[0].count <= 3 * Self.period,
      "captured up to \(last), told \(told.map { "\($0.lowerBound)+\($0.count)" }.joined(separator: " "))")
  }

  /// The card slept, and after it awoke it was not long until it played.
  private func checkSleep(
    _ wakeUs: Int64, _ comparison: Comparison, _ clock: ClockNow.Result, _ captured: Captured, _ report: inout Report
  ) {
    let slept = comparison.reported.filter { $0.count > RigPack.rate / 10 }
    let end = slept.map(\.upperBound).max() ?? 0
    let backUs =
      clock.timeline.instantUs + Int64(Double(end - Int(clock.timeline.frame)) * 1e6 / clock.timeline.framesPerSecond)
    report.check(
      "the card slept", !captured.suspensionsUs.isEmpty, "found asleep \(captured.suspensionsUs.count) times")
    report.check("sleep is one gap", slept.count == 1, "\(slept.map(\.count)) frames")
    report.check(
      "plays soon after", backUs - wakeUs < Self.returnLimitUs, "after \(milliseconds(backUs - wakeUs))")
  }

  /// After its troubles the audio thread works no more than it must.
  private func checkRest(_ daemon: Daemon, _ report: inout Report) throws {
    guard let thread = daemon.process.thread(named: "audio") else { throw RigFailure("no audio thread") }
    let before = daemon.process.processorTime(ofThread: thread)
    let startUs = monotonicUs()
    usleep(250_000)
    let used = daemon.process.processorTime(ofThread: thread) - before
    let share = Int(used / 10 / (monotonicUs() - startUs))
    report.check("no spin afterwards", share < 50, "the audio thread takes \(share) % of a processor")
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
    let told =
      "\(skews.count) of \(announced.count) heard; later than announced by "
      + skews.map(milliseconds).joined(separator: ", ")
    guard checksInstants else { return report.note("heard as announced", told) }
    report.check("heard as announced", skews.count == announced.count && isNear, told)
  }
}
