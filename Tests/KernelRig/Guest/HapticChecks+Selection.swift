import StarlightClient
import Wire

/// Which pads a pattern is felt on.
extension HapticChecks {
  /// By a part of a name in any case, by path, by both, and all.
  func selects(_ report: inout Report) throws {
    let choices: [(device: String, pads: [String])] = [
      ("rig twin", [twin.name]), (rumble.node, [rumble.name]),
      ("\(wave.node),PUSH", [wave.name, push.name]), ("all", pads.map(\.name)), ("none", []),
    ]
    let at = monotonicUs() + 200_000
    var instants: [Int64] = []
    for (index, choice) in choices.enumerated() {
      instants.append(try play("pulse", on: choice.device, at: at + Int64(index) * 200_000).scheduledUs)
    }
    try daemon.listen(until: at + Int64(choices.count) * 200_000)
    for pad in pads {
      report.part = pad.name
      let history = pad.takeHistory()
      let felt = zip(choices, instants).filter { isFelt(history, at: $1) }.map(\.0.device)
      let wanted = choices.filter { $0.pads.contains(pad.name) }.map(\.device)
      report.check(
        "felt where it was chosen", felt == wanted, timed: true, "by \(felt.joined(separator: "; "))")
    }
    report.part = ""
    do {
      _ = try play("pulse", on: "Nobody", at: monotonicUs())
      report.check("a pad that is not there is refused", false, "it was taken")
    } catch {
      report.check("a pad that is not there is refused", "\(error)".contains("Nobody"), "\(error)")
    }
  }

  /// By the path at which it is plugged in by now, which is not where it was found.
  func selectsMoved(_ report: inout Report) throws {
    let played = try play("pulse", on: rumble.node, at: monotonicUs() + 100_000)
    try daemon.listen(until: played.scheduledUs + 150_000)
    let felt = pads.filter { isFelt($0.takeHistory(), at: played.scheduledUs) }.map(\.name)
    report.part = rumble.name
    report.check(
      "felt where it is plugged in now", felt == [rumble.name], timed: true,
      "by \(rumble.node): \(felt.joined(separator: ", "))")
  }

  /// Whether the motors turn for a pulse, which lasts 100 ms, or may be that late.
  private func isFelt(_ history: MotorHistory, at instantUs: Int64) -> Bool {
    let fromUs = instantUs - judge.leadUs + 30_000
    return history.strongest(from: fromUs, to: fromUs + 140_000) != SIMD2(0, 0)
  }
}
