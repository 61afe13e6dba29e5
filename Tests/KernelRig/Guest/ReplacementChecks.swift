import Glibc
import Wire

/// The card goes away in mid-play, and one of another rate, format and channel count returns under its name: playback is
/// on the plan again, and what the new card gives back is what was rendered.
///
/// The other end of the loopback is held open as the new card is to be, and the kernel refuses anything else.
struct ReplacementChecks {
  /// What returns, with samples of 16 bits.
  let layout: SampleLayout

  private static let piece = Performance(parts: [
    (0, .music("night")), (300_000, .sound("tick")), (2_300_000, .sound("tock")),
    (2_500_000, .music("day", crossfadeUs: 200_000)),
    (2_800_000, .sound("tick")),
  ])
  private static let lengthUs: Int64 = 3_100_000

  func run(_ report: inout Report) throws {
    let device = "hw:Loopback,0,0"
    let before = try Capturing("replaced-before")
    let recording = Places.results + "/replaced.wav"
    let daemon = try Daemon(
      "replaced", ["--device", device, "--period", "\(LoopbackChecks.period)", "--record", recording])
    usleep(700_000)
    let zeroUs = try daemon.now().nowUs + 300_000
    let announced = try Self.piece.play(on: daemon, zeroUs: zeroUs)
    try daemon.listen(until: zeroUs + 500_000)

    let unplugging = try LoopbackCard.unplug()
    try daemon.listen(until: monotonicUs() + 300_000)
    try unplugging.finish()
    let first = try before.finish()
    let after = try Capturing("replaced-after", layout: layout, waits: false)
    // The capture is to have the card first.
    daemon.process.signal(SIGSTOP)
    defer { daemon.process.signal(SIGCONT) }
    try LoopbackCard.plug()
    try wait(upTo: 10, for: "the new card") { after.isReady }
    daemon.process.signal(SIGCONT)
    try wait(upTo: 10, for: "the card's return") { try daemon.status().audio.kind == "alsa" }
    let takenUs = monotonicUs()
    try daemon.listen(until: zeroUs + Self.lengthUs)
    let audio = try daemon.status().audio
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    report.note("device", audio.message)
    try daemon.finish()
    let second = try after.finish()

    let unheardUs = 0..<(takenUs + LoopbackChecks.outageMarginUs)
    let comparison = try Comparison(recording: recording, clock: clock, corrections, unheardUs: [unheardUs])
    report.check("sounded before", first.sound.frames.contains { $0 != 0 })
    let captured =
      layout.rate == 2 * RigPack.rate
      ? checkDoubled(second, comparison, &report)
      : checkResampled(second, comparison, clock, fromUs: unheardUs.upperBound, &report)
    let frames = try comparison.checkOffline(Self.piece, &report)
    var skews: [Int64] = []
    for (frame, instantUs) in zip(frames, announced) where instantUs > unheardUs.upperBound {
      guard let heardUs = captured(frame).flatMap(second.instantUs) else { continue }
      skews.append(heardUs - instantUs)
    }
    report.check(
      "heard as announced",
      skews.count == 3 && abs(Distribution(skews).worst) < LoopbackChecks.toleranceUs, timed: true,
      "\(skews.count) of 3 heard; later than announced by " + skews.map(milliseconds).joined(separator: ", "))
  }

  /// Every other frame is one of the recording's; answers where each was captured.
  private func checkDoubled(
    _ captured: Captured, _ comparison: Comparison, _ report: inout Report
  ) -> (Int) -> Int? {
    let doubled = DoubledSound(captured.sound)
    report.check("nothing but the rate is converted", doubled.strays == 0, "\(doubled.strays) frames off the line")
    let heard = comparison.check(doubled.frames, layout, isCard: false, &report)
    return { heard.captured($0).map(doubled.captured) }
  }

  /// Every frame is on a line of the recording's; answers where each of those was captured.
  private func checkResampled(
    _ captured: Captured, _ comparison: Comparison, _ clock: ClockNow.Result, fromUs: Int64, _ report: inout Report
  ) -> (Int) -> Int? {
    let step = Double(RigPack.rate) / Double(layout.rate)
    let guess = clock.frameHeard(at: fromUs)
    let start = captured.stamps.first { $0.ns / 1_000 >= fromUs }?.index ?? 0
    let length = Int(Double(comparison.range.upperBound - guess) / step) - layout.rate / 10
    let range = start..<max(start, min(start + length, captured.sound.frames.count - 16))
    let resampled = ResampledSound(
      captured.sound, range, of: comparison.live.played(on: layout), guess: guess, step: step)
    // Gaps are in no line.
    let gaps = comparison.reported.filter { $0.upperBound > guess }
    report.check(
      "captured is on the recording's lines", resampled.strays == 0 && range.count > layout.rate, timed: !gaps.isEmpty,
      "\(range.count) frames, \(resampled.strays) on no line, \(gaps.count) gaps")
    return resampled.captured
  }
}
