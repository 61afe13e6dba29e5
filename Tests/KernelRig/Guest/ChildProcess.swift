// SPDX-License-Identifier: Apache-2.0

import CKernelRig
import Glibc

/// A process of the guest, killed when let go of.
final class ChildProcess {
  let pid: pid_t
  private var status: Int32?

  /// Starts a program found by $PATH; what it writes goes to `log`.
  init(_ arguments: [String], log: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var argv = arguments.map { strdup($0) } + [nil]
    defer { for pointer in argv { free(pointer) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, arguments[0], &actions, nil, &argv, environ)
    guard code == 0 else { throw RigFailure("cannot start \(arguments[0]): \(String(cString: strerror(code)))") }
    self.pid = pid
  }

  /// Goes on in a process of its own, which ends with what `body` answers; what it writes goes to `log`. On an emulated
  /// processor that is far quicker than to start a program.
  init(log: String, body: () -> Int32) throws {
    let pid = fork_process()
    guard pid >= 0 else { throw RigFailure("cannot fork: \(String(cString: strerror(errno)))") }
    if pid == 0 {
      let log = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
      dup2(open("/dev/null", O_RDONLY), 0)
      dup2(log, 1)
      dup2(log, 2)
      _exit(body())
    }
    self.pid = pid
  }

  deinit {
    if status == nil {
      kill(pid, SIGKILL)
      _ = wait()
    }
  }

  func signal(_ number: Int32) { kill(pid, number) }

  var isRunning: Bool {
    if status != nil { return false }
    var raw: Int32 = 0
    guard waitpid(pid, &raw, WNOHANG) == pid else { return true }
    status = raw
    return false
  }

  /// Waits for the end; the exit code, or minus the signal that ended it.
  func wait() -> Int32 {
    while status == nil {
      var raw: Int32 = 0
      if waitpid(pid, &raw, 0) == pid { status = raw } else if errno != EINTR { return -1 }
    }
    let raw = status ?? 0
    return raw & 0x7f == 0 ? (raw >> 8) & 0xff : -(raw & 0x7f)
  }

  /// A thread of this process by its name.
  func thread(named name: String) -> Int? {
    list("/proc/\(pid)/task").first { readText("/proc/\(pid)/task/\($0)/comm") == name + "\n" }.flatMap { Int($0) }
  }

  /// Nanoseconds of processor time that a thread has used.
  func processorTime(ofThread thread: Int) -> Int64 {
    readText("/proc/\(pid)/task/\(thread)/schedstat").split(separator: " ").first.flatMap { Int64($0) } ?? 0
  }

  /// How often a thread has gone to sleep so far, and so was woken.
  func wakes(ofThread thread: Int) -> Int {
    let line = readText("/proc/\(pid)/task/\(thread)/status").split(separator: "\n")
      .first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
  }
}
