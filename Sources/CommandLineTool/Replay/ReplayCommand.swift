// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Files
import Host

enum ReplayCommand {
  static let file = Argument("FILE", help: "what `starlightd --journal` wrote", completion: .files)
  static let packs = OptionKey.path(
    "packs", short: "p", value: "FOLDERS",
    help: "folders of game packs, separated by colons, in place of those where the packs were")
  static let record = OptionKey.path("record", value: "FILE", help: "writes what is heard again to a WAV file")
  static let hapticLog = OptionKey.path(
    "haptic-log", value: "FILE", help: "writes what is felt again, where the run had a haptic log")

  static let offset = OptionKey.duration(
    "offset", in: -0.5...0.5,
    help: "also judges the taps of chapters by this offset: how much later than a beat is heard a tap is exact")
  static let window = OptionKey.duration(
    "window", in: 0.001...10, help: "also judges them with windows of this much on either side of a beat")

  static let command = ToolCommand(
    "replay", summary: "repeats a run of the daemon from its journal, and says whether it comes out the same",
    discussion: [
      "Gives the engine everything again that it was given, at the same instants, on a stepped clock, and compares what comes of "
        + "it with what came then: samples as the mixer put them out, second by second, lines of the haptic log, and verdicts. "
        + "Exits 0 where all is the same, 1 where something is not, and names the first of each kind.",
      "--offset and --window change nothing that is compared: verdicts alone are made anew, of the same taps. Players who had "
        + "heard other verdicts would have tapped otherwise.",
      "Needs no daemon, no device and no time: but the version that wrote it, and the packs as they were.",
    ],
    arguments: [file], options: [packs.option, record.option, hapticLog.option, offset.option, window.option],
    examples: [
      .init("starlight replay bug.journal", "whether the run is the same again"),
      .init("starlight replay bug.journal --record heard.wav", "and what was heard in it"),
      .init("starlight replay bug.journal --offset 12ms", "what its taps had come to with an offset of 12 ms"),
    ], action: .exiting(with: run))

  /// What a journal may have, in bytes.
  private static let mostBytes = 1 << 31

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let path = tool.invocation.all(file).first ?? ""
    var wanted = JournalReplay.Configuration()
    wanted.packFolders = tool.invocation[packs].map { $0.split(separator: ":").map(String.init) }
    wanted.recordPath = tool.invocation[record]
    wanted.hapticLogPath = tool.invocation[hapticLog]
    let bytes: [UInt8]
    do throws(FileRefusal) {
      bytes = try RegularFile.open(path).contents(atMost: mostBytes)
    } catch {
      throw ToolFailure(error.problem, kind: .unreadable)
    }
    let (offset, window) = (tool.invocation[offset].map(microseconds), tool.invocation[window].map(microseconds))
    if offset != nil || window != nil { wanted.rejudging = Rejudging(offsetUs: offset, windowUs: window) }
    let outcome: ReplayOutcome
    do throws(HostError) {
      outcome = try JournalReplay(bytes, wanted).run()
    } catch {
      throw ToolFailure(
        error.message, hint: error.details.isEmpty ? nil : error.details.joined(separator: "\n"), kind: .badFile)
    }
    let told = ReplayText(outcome)
    tool.show(told.report, told.lines)
    return outcome.isSame && outcome.unwritten.isEmpty ? .success : .failure
  }
}
