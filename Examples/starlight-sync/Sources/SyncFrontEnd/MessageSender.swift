// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc
import SyncMessage
import Synchronization

/// Sends the message in the background, by a program of its own: the address is never in this one's memory. Nothing waits for it;
/// what came of an attempt is asked for once a frame.
public final class MessageSender: Sendable {
  private let program: String?
  private let content: [UInt8]
  private let variable: String?
  private let state = Mutex(State())

  private struct State {
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
  init(by program: String?, content: String, variable: String?) {
    self.content = Array(content.utf8)
    self.program = self.content.count <= MessageText.mostBytes ? program : nil
    self.variable = variable
  }

  /// Where the program that sends is installed: beside the one that runs. Nil where that cannot be told.
  public static var besideThisProgram: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let path = bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: path[...slash], as: UTF8.self) + "starlight-sync-message"
  }

  /// Begins an attempt that may take so long, and returns at once.
  public func send(attempt: Int, withinUs: Int64) {
    let process = program.flatMap { begin($0, withinUs: withinUs) }
    state.withLock { state in
      if let process { state.running.append((attempt, process)) } else { state.results.append((attempt, false)) }
    }
  }

  private func begin(_ program: String, withinUs: Int64) -> pid_t? {
    var process: pid_t = 0
    return sync_begin_program(program, "\(withinUs)", content, content.count, variable, &process) == 0 ? process : nil
  }

  /// Whether an attempt is under way. One goes on to its end without this program, too.
  public var isSending: Bool {
    state.withLock { state in
      state.look()
      return !state.running.isEmpty
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
