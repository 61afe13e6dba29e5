// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import StarlightClient
import Wire

enum DemoCommand {
  static let seconds = OptionKey.duration(
    "seconds", short: "n", in: leastSeconds...Double.infinity, default: 20, help: "how long to play")
  static let directory = OptionKey.path(
    "directory", short: "d", value: "DIR", default: "starlight-demo", help: "where the files go")
  static let device = OptionKey.text(
    "device", value: "PCM", help: "the sound device, as `starlightd --device` takes it")
  static let seed = OptionKey.integer("seed", default: 7, help: "the number that the script draws its errors from")
  static let plain = OptionKey.flag("plain", help: "lines only, no redrawing and no colour")

  static let command = ToolCommand(
    "demo", summary: "shows it all in 20 s: a chapter played by a script, on a daemon of its own",
    discussion: [
      "Plays about 20 s of the Firewall chapter: a scripted player taps with small errors and lets five beats pass on "
        + "purpose, until the game helps by widening the hit window. At the end a summary, a recording of all that was "
        + "played, and the log of what was felt. A daemon that already runs is left alone."
    ],
    options: [seconds.option, directory.option, device.option, seed.option, plain.option],
    examples: [
      .init("starlight demo", "with a sound card it is heard; without one it is recorded all the same"),
      .init("starlight demo --seconds 45 --plain > demo.txt", "longer, as plain text"),
    ], action: .exiting(with: run))

  /// The shortest run that shows anything, in seconds.
  static let leastSeconds = 5.0

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let wanted = tool.invocation[seconds] ?? 20
    // A reader that goes away must not kill this program before it has ended its daemon.
    signal(SIGPIPE, SIG_IGN)
    let out = Terminal(descriptor: 1, environment: tool.environment, plain: tool.invocation[plain])
    let signals = SignalWatch()
    let directory = tool.invocation[directory] ?? "starlight-demo"
    var folder = try DemoFolder(directory)
    defer { folder.leave() }
    let show = DemoShow(out: out, isSilent: tool.wantsJSON)
    show.line(out.style.paint("Starlight demo", .bold))

    var report = DemoReport()
    var daemon = try DaemonProcess(
      executable: siblingExecutable("starlightd"),
      arguments: folder.arguments(device: tool.invocation[device]), log: folder.log)
    let interrupted: Bool
    do throws(ToolFailure) {
      let startedUs = nowUs()
      let connection = try ready(&daemon, folder, signals)
      report.readyUs = nowUs() - startedUs
      var run = try DemoRun(
        control: connection, socket: folder.socket, lengthUs: microseconds(wanted),
        seed: UInt64(tool.invocation[seed] ?? 7),
        show: show, report: report)
      folder.begin()
      interrupted = try run.play(&daemon, signals)
      report = run.report
    } catch {
      show.finish()
      let died = daemon.endWithin(milliseconds: 300) != nil
      throw explained(error, end: daemon.stop(), died: died, folder)
    }
    report.daemonEnd = daemon.stop().text
    report.files = folder.written()
    report.judge(interrupted: interrupted)
    if tool.wantsJSON { tool.out.line(jsonText(report, indented: tool.out.isInteractive)) }
    for line in report.lines(style: out.style, width: out.readableWidth) { show.line(line) }
    if interrupted { return .interrupted }
    if report.failures.isEmpty {
      show.line("")
      show.line(out.style.paint("Try next", .bold))
      let next = DemoReport.next(
        daemon: typedName("starlightd", environment: tool.environment),
        tool: typedName("starlight", environment: tool.environment), recording: folder.recording)
      // Beside a long path there is no room for what it does.
      let isStacked = next.contains { $0[0].count > 44 || out.readableWidth - $0[0].count < 44 }
      let lines =
        isStacked
        ? next.flatMap { ["  " + $0[0]] + wrapped($0[1], width: max(20, out.readableWidth - 6)).map { "      " + $0 } }
        : columns(next, indent: 2)
      for line in lines { show.line(line) }
    } else {
      show.line("  what starlightd said is in \(folder.log)")
    }
    return report.failures.isEmpty ? .success : .failure
  }

  /// Connects as soon as the daemon listens, for at most ten seconds.
  private static func ready(
    _ daemon: inout DaemonProcess, _ folder: DemoFolder, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> StarlightConnection {
    let deadline = nowUs() + 10_000_000
    while true {
      do throws(ClientError) {
        let connection = try StarlightConnection(path: folder.socket)
        _ = try connection.call(
          SessionHello.self, SessionHello.Params(protocol: protocolVersion, client: "starlight demo"))
        return connection
      } catch {
        if case .rpc = error.kind { throw ToolFailure(error) }
        if daemon.check() != nil { throw ToolFailure("starlightd ended") }
        if nowUs() > deadline { throw ToolFailure("starlightd was not ready within 10 s: \(error.message)") }
      }
      if waitReadable([signals.descriptor], microseconds: 5_000)[0] {
        throw ToolFailure("interrupted", exit: .interrupted)
      }
    }
  }

  /// The failure with what the daemon said last. A daemon that died by itself is the reason, whatever failed first.
  private static func explained(
    _ failure: ToolFailure, end: DaemonProcess.End, died: Bool, _ folder: DemoFolder
  ) -> ToolFailure {
    if failure.exit == .interrupted { return failure }
    var said = died ? ToolFailure("starlightd ended before the demo did: \(end.text)") : failure
    let last = folder.lastOfLog(lines: 5)
    if !last.isEmpty {
      said.hint = (["starlightd said, in \(folder.log):"] + last).joined(separator: "\n  ")
    }
    return said
  }
}
