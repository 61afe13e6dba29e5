// SPDX-License-Identifier: Apache-2.0

import CRealTime
import CommandTable
import GamePacks
import Glibc
import Host
import RealTime
import Timing
import Wire

/// Runs `starlightd` with the words behind its name; gives the code to exit with.
public func runStarlightd(arguments: [String]) -> Int32 {
  rt_open_standard_descriptors()
  let environment = processEnvironment()
  let invocation: Invocation
  do throws(UsageError) {
    switch try daemonProgram.parse(arguments, environment: environment, width: 80) {
    case .help(let text):
      print(text, terminator: "")
      return 0
    case .version:
      print("\(daemonProgram.root.name) \(daemonProgram.version)")
      return 0
    case .run(_, let parsed): invocation = parsed
    }
  } catch {
    complain(error.message, error.hint)
    return 2
  }
  if let shell = invocation[DaemonOptions.completions].flatMap(Shell.init) {
    print(daemonProgram.completions(for: shell), terminator: "")
    return 0
  }
  do throws(UsageError) {
    try checkPacks(invocation, place: NamedPlace.init(at:))
    try checkPeriod(invocation)
  } catch {
    complain(error.message, error.hint)
    return 2
  }
  Server.holdSignals()
  do throws(ServerError) {
    let configuration = ServerConfiguration(socketPath: invocation[DaemonOptions.socket])
    // The socket first: a second daemon must be refused before it opens a device or empties a recording.
    let socket = try ListeningSocket(configuration)
    let hosting = hostConfiguration(invocation, environment: environment)
    if hosting.clock == .live { goBeforeOthers() }
    guard let host = openHost(hosting) else { return 1 }
    let log = StandardErrorLog(environment: environment)
    let code = serve(configuration, socket, host, log)
    // Neither the handlers of exit(3) nor whoever lets go of the last of it wait for what hangs.
    if host.hasLeftBehind { _exit(code) }
    return code
  } catch {
    complain(error.message, error.remedy)
    return 1
  }
}

/// What plays already ends in order where it cannot be served.
private func serve(
  _ configuration: ServerConfiguration, _ socket: consuming ListeningSocket, _ host: Host, _ log: StandardErrorLog
) -> Int32 {
  do throws(ServerError) {
    let code = try Server(configuration, socket: socket, host: host, log: log.write).run()
    log.end()
    return code
  } catch {
    host.stop()
    log.end()
    complain(error.message, error.remedy)
    return 1
  }
}

private func openHost(_ configuration: HostConfiguration) -> Host? {
  do throws(HostError) {
    return try Host(configuration)
  } catch {
    complain(error.message, error.details)
    return nil
  }
}

private func hostConfiguration(_ invocation: Invocation, environment: [String: String]) -> HostConfiguration {
  var configuration = HostConfiguration()
  configuration.clock = invocation[DaemonOptions.clock].flatMap(ClockKind.init) ?? .live
  let folders = PackFolders(
    chosen: invocation[DaemonOptions.packs], namedAlone: invocation[DaemonOptions.noBuiltInPacks],
    environment: environment, executable: executablePath(),
    workingFolder: workingFolder())
  (configuration.packFolders, configuration.usualPackFolders) = (folders.named, folders.usual)
  configuration.activePack = invocation[DaemonOptions.pack]
  configuration.watchesPacks = invocation[DaemonOptions.watch]
  configuration.rate = invocation[DaemonOptions.rate] ?? configuration.rate
  configuration.audioDevice = invocation[DaemonOptions.device]
  configuration.period = invocation[DaemonOptions.period]
  configuration.idle = invocation[DaemonOptions.idle].flatMap { $0 > 0 ? .milliseconds(Int64($0) * 1_000) : nil }
  configuration.journalPath = invocation[DaemonOptions.journal]
  configuration.recordPath = invocation[DaemonOptions.record]
  configuration.haptics = invocation[DaemonOptions.haptics]
  configuration.allowsKeyboards = invocation[DaemonOptions.allowKeyboards]
  configuration.stateFolder = StateFolder.path(environment: environment)
  configuration.hapticLogPath = invocation[DaemonOptions.hapticLog]
  return configuration
}

private func complain(_ message: String, _ hint: String?) { complain(message, hint.map { [$0] } ?? []) }

/// Says why it does not start, and on lines of their own what belongs to that.
private func complain(_ message: String, _ details: [String]) {
  var text = "starlightd: \(visibleText(message))\n"
  for detail in details { text += "  \(visibleText(detail))\n" }
  _ = LogOutput(STDERR_FILENO).takes(Array(text.utf8))
}
