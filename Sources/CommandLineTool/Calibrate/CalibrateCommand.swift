// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc

enum CalibrateCommand {
  static let tap = OptionKey.flag(
    "tap", help: "finds how late you tap to clicks (the judging offset), not how late the device is heard (its lead)")
  static let trials = OptionKey.integer(
    "trials", value: "N", in: 30...500, default: 60, help: "how many chirps, or how many clicks to tap to")
  static let profile = OptionKey.text("profile", value: "NAME", help: "with --tap: who taps, and by what")
  static let save = OptionKey.flag("save", help: "has the daemon keep what is found, without asking")

  static let command = ToolCommand(
    "calibrate", summary: "finds how late the sound device is heard, or how late you tap",
    discussion: [
      "Without --tap nobody is needed: chirps are played, captured by a cable, a microphone or a sound server's monitor, and "
        + "found again to the sample. This finds the device's lead: all sound is then handed to the device that much earlier, so "
        + "that spawns, beats and all that is reported of what is heard are as they are heard. It is positive where the device "
        + "is heard later than it reports: a headset that is 200 ms late has a lead of +200 ms.",
      "With --tap you tap any key with the clicks as you hear them; in a pipe each line is a tap. This finds a judging offset: "
        + "how much later than a beat is heard a tap counts as exact. It comes on top of the lead and changes judging alone. It "
        + "is positive where you tap late: with +83 ms a tap that comes 83 ms after its beat is exact.",
      "No delay belongs to both: a headset's belongs to its lead, which a microphone at it finds; your own, and your display's, "
        + "belongs to the offset. So calibrate the device first where you can. Both are kept until they are calibrated anew.",
    ],
    options: [
      tap.option, ProofCommand.capture.option, ProofCommand.channel.option, trials.option, profile.option, save.option,
    ],
    examples: [
      .init("starlight calibrate --capture hw:1", "by a cable or a microphone at the input of card 1"),
      .init("starlight calibrate --tap --profile television", "about a minute of clicks"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let signals = SignalWatch()
    if tool.invocation[tap] { return try TapCalibration.run(tool, signals) }
    if tool.invocation[profile] != nil {
      throw .usage("a profile is of who taps", hint: "add `--tap`")
    }
    return try LeadCalibration.run(tool, signals)
  }

  /// Tells what was found; whether it is to be kept: by `--save`, or by whoever sits at the terminal and has read it.
  static func isToBeKept(_ lines: [String], _ tool: Tool, _ question: String) -> Bool {
    if !tool.wantsJSON { for line in lines { tool.out.line(line) } }
    if tool.invocation[save] { return true }
    guard !tool.wantsJSON, tool.out.isInteractive, isatty(0) == 1 else { return false }
    tool.out.write(tool.out.style.visible("\(question) [y/N] "))
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }

  static func tell(_ report: some Encodable, isKept: Bool, _ tool: Tool) {
    tool.show(report, [isKept ? "Kept." : "Nothing was changed; `--save` keeps it."])
  }
}
