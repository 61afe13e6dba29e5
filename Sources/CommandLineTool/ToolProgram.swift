import CommandTable
import Glibc
import Wire

/// Every command, in the order of the help.
let toolCommands: [any ToolCommand.Type] = [
  DemoCommand.self, StatusCommand.self, ListCommand.self, MusicCommand.self, SoundCommand.self, HapticsCommand.self,
  CueCommand.self, RhythmCommand.self, SettingsCommand.self, AuditionCommand.self, LintCommand.self,
  ConvertCommand.self, DiffCommand.self,
  LatencyCommand.self, WatchCommand.self, DoctorCommand.self, CallCommand.self, CompletionsCommand.self,
]

/// The program's table: what it parses, what its help says, what shells complete.
let toolProgram = CommandLineProgram(
  root: Command(
    "starlight", summary: "plays, watches and measures with a running starlightd",
    discussion: [
      "starlightd plays a game's music, sounds, haptics and rhythm chapters on one clock. This is the tool for people: "
        + "start `starlightd` in one terminal and use `starlight` in another, or see it all with `starlight demo`."
    ],
    subcommands: toolCommands.map { $0.command },
    examples: [
      .init("starlight demo", "starts a daemon of its own, plays a chapter and shows what happens"),
      .init("starlight list", "what there is to play"),
      .init("starlight music play main", "plays a track, cross-fading from what plays"),
      .init("starlight audition thud", "draws a haptic pattern while it plays"),
      .init("starlight doctor", "what is wrong with this machine, and the line that cures it"),
    ]),
  globalOptions: [GlobalOptions.socket.option, GlobalOptions.json.option],
  version: starlightVersion,
  exitCodes: ExitCode.allCases.map { (Int($0.rawValue), $0.meaning) })

/// Runs the program with the words behind its name; gives the code to exit with.
public func runStarlight(arguments: [String]) -> Int32 {
  let environment = currentEnvironment()
  let out = Terminal(descriptor: 1, environment: environment)
  let errors = Terminal(descriptor: 2, environment: environment)
  let invocation: Invocation
  do throws(UsageError) {
    switch try toolProgram.parse(arguments, environment: environment, width: out.width) {
    case .show(let text):
      out.write(text)
      return ExitCode.success.rawValue
    case .run(let parsed): invocation = parsed
    }
  } catch {
    return report(ToolFailure(error.message, hint: error.hint, exit: .usage), to: errors)
  }
  let tool = Tool(invocation: invocation, environment: environment, out: out, errors: errors)
  guard let command = toolCommands.first(where: { $0.command.name == invocation.path.first }) else { return 2 }
  do throws(ToolFailure) {
    let code = try command.run(tool)
    if let reason = out.writeError {
      throw ToolFailure("the output could not be written: \(reason)", hint: "what is there is not all of it")
    }
    return code.rawValue
  } catch {
    return report(error, to: errors)
  }
}

private func report(_ failure: ToolFailure, to errors: Terminal) -> Int32 {
  for line in failure.lines(width: errors.isInteractive ? errors.width : .max) { errors.line(line) }
  return failure.exit.rawValue
}

private func currentEnvironment() -> [String: String] {
  var found: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
    entry += 1
  }
  return found
}
