// SPDX-License-Identifier: Apache-2.0

/// Constants of 100 ms, one after another, each on other pads.
struct Pulses {
  /// How they are asked for: nil is nothing said, which means all.
  typealias Choice = (device: String?, pads: [PluggedPad])

  /// From one to the next.
  static let spacingUs: Int64 = 160_000
  static let lengthUs: Int64 = 100_000

  private(set) var pulses: [(choice: Choice, atUs: Int64)] = []

  /// Asks for them, the first at `instantUs`.
  init(_ choices: [Choice], on daemon: Daemon, at instantUs: Int64) throws {
    for (index, choice) in choices.enumerated() {
      let played = try daemon.play("pulse", on: choice.device, at: instantUs + Int64(index) * Self.spacingUs)
      pulses.append((choice, played.scheduledUs))
    }
  }

  /// When the last of them is over.
  var endUs: Int64 { (pulses.last?.atUs ?? 0) + Self.spacingUs }

  /// Those that were meant for a pad.
  func instants(on pad: PluggedPad) -> [Int64] { pulses.filter { $0.choice.pads.contains { $0 === pad } }.map(\.atUs) }

  /// Whether a pad felt those that were meant for it, and no other.
  func checkChoices(_ history: MotorHistory, of pad: PluggedPad, _ judge: PadJudge, _ report: inout Report) {
    func told(_ pulses: [(choice: Choice, atUs: Int64)]) -> String {
      pulses.map { $0.choice.device ?? "nothing said" }.joined(separator: "; ")
    }
    let felt = pulses.filter { pulse in
      // A pulse may be that late.
      let fromUs = pulse.atUs - judge.leadUs + 30_000
      return history.strongest(from: fromUs, to: fromUs + Self.lengthUs) != SIMD2(0, 0)
    }
    report.check(
      "felt where it was chosen", felt.map(\.atUs) == instants(on: pad), "by \(told(felt))")
  }

  /// When they begin and end on a pad, and how strong they are.
  func checkTimes(_ history: MotorHistory, of pad: PluggedPad, _ judge: PadJudge, _ report: inout Report) {
    let (turning, announced) = (history.turning, instants(on: pad))
    guard turning.count == announced.count, let span = history.spans.first else {
      return report.check("pulses", false, "\(turning.count) of \(announced.count) reached the pad")
    }
    let begins = Distribution(zip(turning, announced).map { $0.lowerBound + judge.leadUs - $1 })
    let ends = Distribution(zip(turning, announced).map { $0.upperBound + judge.leadUs - $1 - Self.lengthUs })
    report.check(
      "pulses in time",
      abs(begins.median) < PadJudge.jitterUs && abs(ends.median) < PadJudge.jitterUs + PadJudge.intervalUs,
      "\(turning.count) after their instants, lead counted: they begin \(begins), they end \(ends)")
    judge.checkLaw("pulses by the law", span, of: pad, intensity: 0.8, sharpness: 0.5, &report)
  }
}
