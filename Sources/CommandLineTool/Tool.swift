// SPDX-License-Identifier: Apache-2.0

import CRealTime
import CommandTable
import StarlightClient
import Wire

/// What a command has to work with: what was asked for, where to write, and the daemon.
struct Tool {
  let invocation: Invocation
  let environment: [String: String]
  /// For what was asked for.
  let out: Terminal
  /// For what went wrong.
  let errors: Complaints
  /// The program's completions: only the table of all commands knows them.
  let completions: @Sendable (Shell) -> String

  /// Whether a machine reads the output.
  var wantsJSON: Bool { invocation[GlobalOptions.json] }

  /// A connection to the daemon that `--socket` or the environment names. What `needsTime` to happen is told where
  /// time stands still.
  func connect(needsTime: Bool = false) throws(ToolFailure) -> StarlightConnection {
    do throws(ClientError) {
      let connection = try StarlightConnection(path: invocation[GlobalOptions.socket])
      let hello = try connection.call(
        SessionHello.self, SessionHello.Params(protocol: protocolVersion, client: "starlight"))
      if needsTime, hello.clock == .stepped {
        errors.note(
          "the daemon's clock is stepped: nothing happens until it is moved on",
          hint: "move it on with `starlight call clock.step '{\"toUs\": N}'`")
      }
      return connection
    } catch {
      throw ToolFailure(error)
    }
  }

  /// The same; nil where none answers.
  func connectIfAny(needsTime: Bool = false) throws(ToolFailure) -> StarlightConnection? {
    do throws(ToolFailure) {
      return try connect(needsTime: needsTime)
    } catch {
      if error.exit == .noDaemon { return nil }
      throw error
    }
  }

  /// The packs of the daemon that answers, where nothing but a name is looked for; nil where none answers, or one that cannot be
  /// asked: what lies on the disk is found without it. That is noted, unless no daemon is there and none was named.
  func packsOfDaemon() -> PackList.Result? {
    do throws(ToolFailure) {
      return try connect().askForPacks()
    } catch {
      if error.exit == .noDaemon, !isSocketNamed { return nil }
      errors.note("the daemon's packs are not looked through: \(error.message)", hint: error.hint)
      return nil
    }
  }

  /// Whether `--socket` says which daemon is meant, and not the environment alone.
  private var isSocketNamed: Bool {
    guard let socket = invocation[GlobalOptions.socket] else { return false }
    return socket != environment[SocketPath.variable]
  }

  /// Asks the daemon one thing, and shows what it answers.
  func ask<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, needsTime: Bool = false, _ lines: (Method.Result) -> [String]
  ) throws(ToolFailure) {
    let result = try connect(needsTime: needsTime).ask(method, params)
    show(result, lines(result))
  }

  /// Prints `result` as JSON when a machine reads, else the lines for people.
  func show(_ result: some Encodable, _ lines: @autoclosure () -> [String]) {
    if wantsJSON {
      out.line(jsonText(result, indented: out.isInteractive))
    } else {
      for line in lines() { out.line(line) }
    }
  }

  /// Says in a line that something was done of which nothing else is seen, on the error output where that is a terminal: a script
  /// is told by the exit code.
  func tellDone(_ line: String) {
    if errors.terminal.isInteractive, !wantsJSON { errors.terminal.line(line) }
  }

  /// Writes what was made into a file, and says so, or to the standard output for `-`.
  func put(_ text: String, to path: String) throws(ToolFailure) {
    if path == "-" { out.write(text) } else { try replaceFile(path, with: Array(text.utf8)) }
    tellWritten(path)
  }

  func tellWritten(_ path: String) { if path != "-" { tellDone("\(path): written") } }
}

enum GlobalOptions {
  static let socket = OptionKey.path(
    "socket", environment: SocketPath.variable,
    help: "the daemon's socket; without it the user's daemon, then the system's")
  static let json = OptionKey.flag("json", help: "print JSON for machines, on the error output too")
}

/// What a command does, with what was asked of it.
struct ToolAction: Sendable {
  let run: @Sendable (Tool) throws(ToolFailure) -> ExitCode

  private init(run: @escaping @Sendable (Tool) throws(ToolFailure) -> ExitCode) { self.run = run }

  /// One that is done well unless it throws.
  init(_ run: @escaping @Sendable (Tool) throws(ToolFailure) -> Void) {
    self.run = { tool throws(ToolFailure) in
      try run(tool)
      return .success
    }
  }

  /// One that tells by its code how it went, also where it does not throw.
  static func exiting(with run: @escaping @Sendable (Tool) throws(ToolFailure) -> ExitCode) -> ToolAction {
    ToolAction(run: run)
  }
}

/// A command of the program: its place in the table, and what it does.
typealias ToolCommand = Command<ToolAction>

extension StarlightConnection {
  /// Calls a method; a refusal becomes this program's own error.
  func ask<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, timeoutUs: Int64 = 10_000_000
  ) throws(ToolFailure) -> Method.Result {
    do throws(ClientError) {
      return try call(method, params, timeoutUs: timeoutUs)
    } catch {
      throw ToolFailure(error)
    }
  }

  func askForPacks() throws(ToolFailure) -> PackList.Result {
    do throws(ClientError) {
      return try listPacks()
    } catch {
      throw ToolFailure(error)
    }
  }

  func askForParameters() throws(ToolFailure) -> ParameterList.Result {
    do throws(ClientError) {
      return try listParameters()
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Has the daemon tell of `topics`, of all without them; how things stand as it begins.
  @discardableResult
  func subscribe(to topics: [Topic]?) throws(ToolFailure) -> EngineStatus.Result {
    try ask(EventsSubscribe.self, EventsSubscribe.Params(topics: topics)).snapshot
  }

  /// The next notification within the time, if one comes.
  func next(withinUs timeoutUs: Int64) throws(ToolFailure) -> ReceivedNotification? {
    do throws(ClientError) {
      return try nextNotification(timeoutUs: timeoutUs)
    } catch {
      throw ToolFailure(error)
    }
  }
}

extension ReceivedNotification {
  /// The payload, when this is a notification of that kind and can be read.
  func payload<Payload: WireNotification>(_ type: Payload.Type) -> Payload? {
    (try? decode(as: type)) ?? nil
  }
}

extension ToolFailure {
  /// The client's error, the daemon's words as this program's.
  init(_ error: ClientError) {
    switch error.kind {
    case .rpc(let refusal):
      self.init(
        forPeople(refusal.message, refusal.data.messageTerms),
        hint: refusal.data.hint.map { forPeople($0, refusal.data.hintTerms) })
      kind = refusal.data.kind
      candidates = refusal.data.candidates ?? []
    case .notFound, .refused: self.init(error.reason, hint: error.remedy, exit: .noDaemon)
    case .closed, .unanswered, .notConnected: self.init(daemonHasEnded, kind: .daemonEnded)
    case .timedOut, .protocolViolation, .outboxFull, .cancelled, .reserved, .noResources:
      self.init(error.reason, hint: error.remedy, kind: .noAnswer)
    }
  }
}

/// What a closed connection means to whoever uses this program.
let daemonHasEnded = "starlightd has ended"

/// CLOCK_MONOTONIC in microseconds: the clock that the daemon's instants are on.
func nowUs() -> Int64 { rt_now_ns() / 1_000 }

/// Seconds as people write them in the wire's unit.
func microseconds(_ seconds: Double) -> Int64 { Int64(min(seconds * 1e6, 1e18).rounded()) }
