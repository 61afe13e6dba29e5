// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import StarlightClient
import Wire

/// A real `starlightd`, started for one test and ended with it.
package final class DaemonProcess {
  package let directory: String
  package let socketPath: String
  private var pid: pid_t = 0
  private var exitStatus: Int32?

  /// Starts the daemon of this build and waits until it says READY through its notify socket. `limits` is a command
  /// of the shell before it, such as `ulimit -n 20`; `socket` is a path that another daemon may have had before.
  package init(
    _ arguments: [String], packs: String? = nil, limits: String? = nil, socket: String? = nil,
    environment: [String] = []
  ) throws {
    directory = try makeTemporaryDirectory()
    socketPath = socket ?? directory + "/starlightd.sock"
    let notify = try NotifySocket(path: directory + "/notify.sock")
    var all = [Self.program("starlightd"), "--socket", socketPath] + arguments
    if let packs { all += ["--packs", packs, "--no-built-in-packs"] }
    if let limits { all = ["/bin/sh", "-c", limits + "; exec \"$@\"", "sh"] + all }
    // Of two of a name the first counts.
    pid = try spawn(
      all, environment: environment + ["NOTIFY_SOCKET=" + notify.path, "STATE_DIRECTORY=" + directory],
      errorsTo: directory + "/log")
    guard try notify.waitForReady(timeoutMilliseconds: 20_000) else {
      let log = (try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? ""
      throw ProcessFailure("starlightd did not become ready: \(log)")
    }
  }

  deinit {
    if exitStatus == nil {
      kill(pid, SIGKILL)
      _ = wait()
    }
    try? FileManager.default.removeItem(atPath: directory)
  }

  package func connect() throws -> StarlightConnection { try StarlightConnection(path: socketPath) }

  /// Everything the daemon wrote to its standard error.
  package var log: String { (try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? "" }

  package func signal(_ number: Int32) { kill(pid, number) }

  /// The processor time that it has used so far, in microseconds.
  package var processorUs: Int64 {
    var clock: clockid_t = 0
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Waits for the end; the exit code, or minus the signal that ended it.
  package func wait() -> Int32 {
    if let exitStatus { return exitStatus }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let code = status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    exitStatus = code
    return code
  }

  /// A program built beside the tests.
  package static func program(_ name: String) -> String {
    // .build/<triple>/<configuration>/starlightPackageTests.xctest
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer[..<max(0, length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
  }
}

package struct ProcessFailure: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

package func makeTemporaryDirectory() throws -> String {
  var template = Array("/tmp/starlight-test-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else {
    throw ProcessFailure("no temporary directory: \(String(cString: strerror(errno)))")
  }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Starts a program with this process's environment and more; standard output and error go to a file.
package func spawn(_ arguments: [String], environment: [String], errorsTo path: String) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  posix_spawn_file_actions_adddup2(&actions, 1, 2)
  // A daemon that inherited another test's sockets would keep them open.
  for descriptor in Int32(3)..<512 { posix_spawn_file_actions_addclose(&actions, descriptor) }
  var argv = arguments.map { strdup($0) } + [nil]
  let given = Set(environment.map { $0.prefix { $0 != "=" } })
  let inherited = ProcessInfo.processInfo.environment
    .filter {
      !given.contains($0.key[...])
        && !["NOTIFY_SOCKET", "STARLIGHT_PACKS", "STARLIGHT_NO_BUILT_IN_PACKS"].contains($0.key)
    }
    .map { $0.key + "=" + $0.value }
  var envp = (inherited + environment).map { strdup($0) } + [nil]
  defer { for pointer in argv + envp { free(pointer) } }
  var pid: pid_t = 0
  let result = posix_spawn(&pid, arguments[0], &actions, nil, &argv, &envp)
  guard result == 0 else { throw ProcessFailure("cannot start \(arguments[0]): \(String(cString: strerror(result)))") }
  return pid
}

/// The other end of systemd's notify protocol: says exactly when the daemon is ready, without guessing.
package final class NotifySocket {
  package let path: String
  private let descriptor: Int32

  package init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw ProcessFailure("cannot bind \(path)") }
  }

  deinit { close(descriptor) }

  package func waitForReady(timeoutMilliseconds: Int32) throws -> Bool {
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, timeoutMilliseconds) == 1 else { return false }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      if String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").contains("READY=1") { return true }
    }
  }
}
