// SPDX-License-Identifier: Apache-2.0

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
    (0, .music("night")), (300_000, .sound("tick")), (1_900_000, .sound("tock")),
    (2_100_000, .music("day", crossfadeUs: 200_000)),
    (2_400_000, .sound("tick")),
  ])
  private static let lengthUs: Int64 = 2_700_000

  func run(_ report: inout Report) throws {
    let device = "hw:Loopback,0,0"
    let before = try Capturing("replaced-before")
    let recording = Places.results + "/replaced.wav"
    let daemon = try Daemon(
      "replaced", ["--device", device, "--period", "\(LoopbackChecks.period)", "--record", recording])
    usleep(700_000)
    let zeroUs = try daemon.now().nowUs + LoopbackChecks.aheadUs
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
    try wait(upTo: 10, for: "the card's return") { try daemon.status().audio.kind.isHeard }
    let takenUs = monotonicUs()
    try daemon.listen(until: zeroUs + Self.lengthUs)
    let audio = try daemon.status().audio
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    let changes = try daemon.all(DevicesChanged.self).map(\.payload)
    report.note("device", audio.message)
    try daemon.finish()
    let renderer = try OfflineRenderer()
    let second = try after.finish()

    let unheardUs = 0..<(takenUs + LoopbackChecks.outageMarginUs)
    let comparison = try Comparison(recording: recording, clock: clock, corrections, unheardUs: [unheardUs])
    checkLosses(comparison, first, takenAt: clock.frameHeard(at: takenUs), &report)
    report.check(
      "each change is told once",
      changes.count == 2 && changes.last?.audio == audio.message
        && audio.message.contains("\(layout.channels) channels"),
      changes.map(\.audio).joined(separator: "; then "))
    let captured =
      layout.rate == 2 * RigPack.rate
      ? checkDoubled(second, comparison, &report)
      : checkResampled(second, comparison, clock, fromUs: unheardUs.upperBound, &report)
    let frames = try comparison.checkOffline(Self.piece, by: renderer, &report)
    var skews: [Int64] = []
    for (frame, instantUs) in zip(frames, announced) where instantUs > unheardUs.upperBound {
      guard let heardUs = captured(frame).flatMap(second.instantUs) else { continue }
      skews.append(heardUs - instantUs)
    }
    report.check(
      "heard as announced",
      skews.count == 3 && abs(Distribution(skews).worst) < LoopbackChecks.toleranceUs,
      "\(skews.count) of 3 heard; later than announced by " + skews.map(milliseconds).joined(separator: ", "))
  }

  /// What is told as lost is what the card held when it went, and what the plan passed over, frame for frame; what is passed
  /// over is told, but for the beginning of the new card, until which nobody could hear anything.
  private func checkLosses(
    _ comparison: Comparison, _ before: Captured, takenAt taken: Int, _ report: inout Report
  ) {
    let last = align(comparison.live, comparison.range, in: before.sound).map(\.recorded.upperBound).max() ?? 0
    // A capture that reads every 10 ms, and may be late, on a card that moves every 4 ms, had not got the last of what was
    // played.
    let margin = 30 * RigPack.rate / 1_000
    let held = comparison.reported.filter { $0.lowerBound <= last + margin && $0.upperBound > last }
    report.check(
      "what the card held is told", last > 0 && held.count == 1 && held[0].count <= 3 * LoopbackChecks.period,
      "captured up to \(last), told \(Comparison.told(held))")
    // The first frame of a fade in is silent too.
    let told = comparison.reported.filter { !held.contains($0) }.map { $0.lowerBound..<($0.upperBound + 1) }
    let untold = comparison.silent.filter { !told.contains($0) }
    let gone = (held.first?.upperBound ?? 0)..<(taken + Int(LoopbackChecks.outageMarginUs) * RigPack.rate / 1_000_000)
    report.check(
      "what is told is passed over",
      told.allSatisfy(comparison.silent.contains) && untold.count <= 1
        && untold.allSatisfy { gone.contains($0.lowerBound) && gone.contains($0.upperBound) },
      "told \(Comparison.told(told)); passed over untold \(Comparison.told(untold)), without a card \(Comparison.told([gone]))"
    )
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
      "captured is on the recording's lines", resampled.strays == 0 && range.count > layout.rate,
      "\(range.count) frames, \(resampled.strays) on no line, \(gaps.count) gaps")
    return resampled.captured
  }
}
