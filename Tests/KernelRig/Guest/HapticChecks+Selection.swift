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
      // In the middle of each pulse, which lasts 100 ms.
      let felt = zip(choices, instants).filter { _, instant in
        let middle = instant - leadUs + 50_000
        return history.strongest(from: middle, to: middle + 1) != SIMD2(0, 0)
      }.map(\.0.device)
      let wanted = choices.filter { $0.pads.contains(pad.name) }.map(\.device)
      report.check(
        "felt where it was chosen", felt == wanted && history.turning.count == wanted.count,
        "by \(felt.joined(separator: "; "))")
    }
    report.part = ""
    do {
      _ = try play("pulse", on: "Nobody", at: monotonicUs())
      report.check("a pad that is not there is refused", false, "it was taken")
    } catch {
      report.check("a pad that is not there is refused", "\(error)".contains("Nobody"), "\(error)")
    }
  }
}
