// SPDX-License-Identifier: Apache-2.0

import CRealTime
import CommandTable
import FoundationEssentials
import Wire

/// Every command, in the order of the help.
let toolCommands: [ToolCommand] = [
  DemoCommand.command, StatusCommand.command, ListCommand.command, MusicCommand.command, SoundCommand.command,
  HapticsCommand.command,
  CueCommand.command, ParameterCommand.command, RhythmCommand.command, PauseCommand.command, ResumeCommand.command,
  SettingsCommand.command, AuditionCommand.command, LintCommand.command, PackCommand.command,
  BeatsCommand.command,
  ConvertCommand.command, DiffCommand.command,
  LatencyCommand.command, CalibrateCommand.command, ExplainCommand.command, TraceCommand.command, ReplayCommand.command,
  TopCommand.command, StatsCommand.command,
  WatchCommand.command, DoctorCommand.command, CallCommand.command, CompletionsCommand.command,
]

/// The program's table: what it parses, what its help says, what shells complete.
let toolProgram = CommandLineProgram(
  root: Command(
    "starlight", summary: "plays, draws, checks and measures music, sounds, haptics and rhythm",
    discussion: [
      "starlightd plays a game's music, sounds, haptics and rhythm chapters on one clock. This is the tool for people: "
        + "start `starlightd` in one terminal and use `starlight` in another, or see it all with `starlight demo`. "
        + "Haptic patterns are AHAP files, the JSON that Apple's Core Haptics plays."
    ],
    subcommands: toolCommands,
    examples: [
      .init("starlight demo", "what it is, in 20 s; needs nothing else to run"),
      .init("starlight list", "what there is to play, by name"),
      .init("starlight music play starlight-sync:audio_bgm_main", "plays a track, cross-fading from what plays"),
      .init("starlight audition thud", "draws a haptic pattern while it plays"),
      .init("starlight doctor", "what is wrong with this machine, and the line that cures it"),
    ]),
  globalOptions: [GlobalOptions.socket.option, GlobalOptions.json.option],
  version: starlightVersion,
  exitCodes: ExitCode.allCases.map { (Int($0.rawValue), $0.meaning) })

/// Runs the program with the words behind its name; gives the code to exit with.
public func runStarlight(arguments: [String]) -> Int32 {
  rt_open_standard_descriptors()
  let environment = ProcessInfo.processInfo.environment
  let out = Terminal(descriptor: 1, environment: environment)
  // A line that cannot be parsed is complained of as it asks for.
  let isJSON = arguments.prefix { $0 != "--" }.contains(GlobalOptions.json.option.dashed)
  let errors = Complaints(terminal: Terminal(descriptor: 2, environment: environment), isJSON: isJSON)
  do throws(UsageError) {
    switch try toolProgram.parse(arguments, environment: environment, width: out.width) {
    case .help(let text): out.write(text)
    case .version:
      out.line(isJSON ? jsonText(ProgramVersion(), indented: false) : "\(toolProgram.root.name) \(toolProgram.version)")
    case .run(let action, let invocation):
      let tool = Tool(
        invocation: invocation, environment: environment, out: out, errors: errors,
        completions: { toolProgram.completions(for: $0) })
      return run(action, tool)
    }
    return ExitCode.success.rawValue
  } catch {
    let failure = ToolFailure(error.message, hint: instead(of: error.unknownPath) ?? error.hint, exit: .usage)
    errors.tell(failure)
    return failure.exit.rawValue
  }
}

/// What `--version --json` prints.
private struct ProgramVersion: Encodable {
  var name = toolProgram.root.name
  var version = toolProgram.version
  /// The version of the socket's protocol that is spoken.
  var `protocol` = protocolVersion
}

private func run(_ action: ToolAction, _ tool: Tool) -> Int32 {
  do throws(ToolFailure) {
    let code = try action.run(tool)
    if let reason = tool.out.writeError {
      throw ToolFailure("the output could not be written: \(reason)", hint: "what is there is not all of it")
    }
    return code.rawValue
  } catch {
    tool.errors.tell(error)
    return error.exit.rawValue
  }
}
