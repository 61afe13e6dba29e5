// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// A daemon of the demo's own: started, watched and ended here. It is never left behind.
struct DaemonProcess: ~Copyable {
  let pid: pid_t
  /// How it ended, once it has.
  private(set) var end: End?

  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)

    /// "exit code 0".
    var text: String {
      switch self {
      case .exited(let code): "exit code \(code)"
      case .signalled(let signal): "killed by signal \(signal)"
      }
    }
  }

  /// Starts `executable`; all it says goes to the file `log`. In a process group of its own, so that Ctrl-C on the
  /// terminal reaches only the demo, which then ends it in order; it ends by itself when the demo is killed.
  init(executable: String, arguments: [String], log: String) throws(ToolFailure) {
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    let child = rt_spawn_bound(executable, words, environ, log)
    guard child > 0 else {
      let code = errno
      throw ToolFailure(
        "cannot start \(executable): \(errnoText(code))",
        hint: "build it with `swift build -c release --product starlightd`, or see `make demo`")
    }
    pid = child
  }

  deinit {
    if end == nil {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  /// Looks whether it has ended.
  mutating func check() -> End? {
    var status: Int32 = 0
    if end == nil, waitpid(pid, &status, WNOHANG) == pid {
      end = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }
    return end
  }

  /// How it ended, waiting that long: its socket closes a moment before.
  mutating func endWithin(milliseconds: Int) -> End? {
    for _ in 0..<milliseconds / 10 where check() == nil { usleep(10_000) }
    return check()
  }

  /// Asks it to end and waits; after five seconds it is made to.
  mutating func stop() -> End {
    if check() == nil { kill(pid, SIGTERM) }
    if let end = endWithin(milliseconds: 5_000) { return end }
    kill(pid, SIGKILL)
    while true {
      if let end = check() { return end }
      usleep(1_000)
    }
  }
}
