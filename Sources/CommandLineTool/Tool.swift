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
  let errors: Terminal

  /// Whether a machine reads the output.
  var wantsJSON: Bool { invocation[GlobalOptions.json] }

  /// The subcommand's name: "play" of `starlight music play`.
  var verb: String { invocation.path.last ?? "" }

  /// A connection to the daemon that `--socket` or the environment names. What `needsTime` to happen is told where
  /// time stands still.
  func connect(needsTime: Bool = false) throws(ToolFailure) -> StarlightConnection {
    do throws(ClientError) {
      let connection = try StarlightConnection(path: invocation[GlobalOptions.socket])
      let hello = try connection.call(
        SessionHello.self, SessionHello.Params(protocol: protocolVersion, client: "starlight"))
      if needsTime, hello.clock == .stepped {
        errors.line(
          "starlight: the daemon's clock is stepped: nothing happens until it is moved on: `starlight call clock.step '{\"toUs\": N}'`"
        )
      }
      return connection
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Prints `result` as JSON when a machine reads, else the lines for people.
  func show(_ result: some Encodable, _ lines: @autoclosure () -> [String]) {
    if wantsJSON {
      out.line(jsonText(result, indented: out.isInteractive))
    } else {
      for line in lines() { out.line(line) }
    }
  }
}

/// The options that every command takes.
enum GlobalOptions {
  static let socket = OptionKey.path(
    "socket", environment: SocketPath.variable,
    help: "the daemon's socket; without it the user's daemon, then the system's")
  static let json = OptionKey.flag("json", help: "print JSON for machines")
}

/// A command of the program: its place in the table and what it does.
protocol ToolCommand: SendableMetatype {
  static var command: Command { get }
  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode
}

extension StarlightConnection {
  /// Calls a method; a refusal becomes this program's own error.
  func ask<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params
  ) throws(ToolFailure) -> Method.Result {
    do throws(ClientError) {
      return try call(method, params)
    } catch {
      throw ToolFailure(error)
    }
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
  /// The client's error, split into what happened and what to do.
  init(_ error: ClientError) {
    switch error.kind {
    case .rpc(let refusal):
      self.init(forPeople(refusal.message), hint: refusal.data.hint.map(forPeople))
    case .notFound, .refused:
      let parts = error.message.split(separator: ";", maxSplits: 1)
      let hint = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : nil
      self.init(String(parts[0]), hint: hint, exit: .noDaemon)
    case .closed: self.init(daemonHasEnded)
    case .timedOut, .protocolViolation:
      self.init(error.message)
    }
  }
}

/// What a closed connection means to whoever uses this program.
let daemonHasEnded = "starlightd has ended"

/// CLOCK_MONOTONIC in microseconds: the clock that the daemon's instants are on.
func nowUs() -> Int64 { rt_now_ns() / 1_000 }

/// Seconds as people write them in the wire's unit.
func microseconds(_ seconds: Double) -> Int64 { Int64(min(seconds * 1e6, 1e18).rounded()) }
