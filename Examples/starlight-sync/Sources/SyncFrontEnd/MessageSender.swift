// SPDX-License-Identifier: Apache-2.0

import CProcess
import Dispatch
import Glibc
import SyncMessage
import Synchronization

/// Sends the message in the background, by a program of its own: the address is never in this one's memory. Nothing waits for it, not
/// even for the program to begin, which a busy disk has to be read for; what came of an attempt is asked for once a frame.
public final class MessageSender: Sendable {
  private let begin: @Sendable (_ withinUs: Int64) -> pid_t?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "message")
  private let beginning = DispatchGroup()

  private struct State {
    /// How many attempts have no program yet.
    var beginning = 0
    var running: [(attempt: Int, process: pid_t)] = []
    var results: [(attempt: Int, isDelivered: Bool)] = []

    /// Looks which programs have ended.
    mutating func look() {
      running.removeAll { attempt, process in
        var status: Int32 = 0
        let ended = waitpid(process, &status, WNOHANG)
        if ended != 0 { results.append((attempt, ended == process && status == 0)) }
        return ended != 0
      }
    }
  }

  /// Sends by `program`, of which `besideThisProgram` is the usual place; with none every attempt fails, as with a text that is
  /// longer than `MessageText.mostBytes`.
  public convenience init(by program: String?, content: String) {
    self.init(by: program, content: content, variable: nil)
  }

  /// With a variable of the program's environment, "NAME=value", besides what it is given of this one's.
  convenience init(by program: String?, content: String, variable: String?) {
    let content = Array(content.utf8)
    let program = content.count <= MessageText.mostBytes ? program : nil
    self.init { withinUs in program.flatMap { Self.begin($0, withinUs: withinUs, content, variable) } }
  }

  static func begin(_ program: String, withinUs: Int64, _ content: [UInt8], _ variable: String?) -> pid_t? {
    var process: pid_t = 0
    return sync_begin_program(program, "\(withinUs)", content, content.count, variable, &process) == 0 ? process : nil
  }

  /// Sends by a process that `begin` begins, which is told how long it may take; nil where it cannot.
  init(beginning begin: @escaping @Sendable (_ withinUs: Int64) -> pid_t?) { self.begin = begin }

  /// Where the program that sends is installed: beside the one that runs. Nil where that cannot be told.
  public static var besideThisProgram: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let path = bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: path[...slash], as: UTF8.self) + "starlight-sync-message"
  }

  /// Has an attempt begun that may take so long, and returns at once.
  public func send(attempt: Int, withinUs: Int64) {
    state.withLock { $0.beginning += 1 }
    queue.async(group: beginning) { [self] in
      let process = begin(withinUs)
      state.withLock { state in
        state.beginning -= 1
        if let process { state.running.append((attempt, process)) } else { state.results.append((attempt, false)) }
      }
    }
  }

  /// Waits until each attempt has its program, so long at most: for the end of a program.
  func finish(within limit: Duration) {
    _ = beginning.wait(timeout: .after(limit))
  }

  /// Whether an attempt is under way. One whose program has begun goes on to its end without this one, too.
  public var isSending: Bool {
    state.withLock { state in
      state.look()
      return state.beginning > 0 || !state.running.isEmpty
    }
  }

  /// What came of attempts since this was asked last.
  public func takeResults() -> [(attempt: Int, isDelivered: Bool)] {
    state.withLock { state in
      state.look()
      defer { state.results = [] }
      return state.results
    }
  }
}
