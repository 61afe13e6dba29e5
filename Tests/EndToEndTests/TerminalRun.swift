// SPDX-License-Identifier: Apache-2.0

import Glibc
import Moments

/// The tool at a terminal of its own, as a person has it.
enum TerminalRun {
  /// All that it shows until it ends, and how it ends. `keys` are struck once what is shown is `cue`; `struck` is called just before.
  static func shown(
    _ words: [String], striking keys: String = "", at cue: (String) -> Bool = { $0.contains("q ends") },
    struck: () -> Void = {}
  ) throws -> (text: String, code: Int32) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(master) }
    var (locked, number) = (Int32(0), UInt32(0))
    // TIOCSPTLCK and TIOCGPTN (asm-generic/ioctls.h): Glibc's unlockpt and ptsname are not to be had in Swift.
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw ProcessFailure("no terminal: \(String(cString: strerror(errno)))")
    }
    let name = "/dev/pts/\(number)"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR | O_NOCTTY, 0)
    for descriptor in Int32(1)...2 { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
    for descriptor in Int32(3)..<512 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    let environment: [String] = ["TERM=xterm", "PATH=/usr/bin:/bin"]
    var argv = ([DaemonProcess.program("starlight")] + words).map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, DaemonProcess.program("starlight"), &actions, nil, &argv, &envp)
    guard result == 0 else { throw ProcessFailure("cannot start starlight: \(String(cString: strerror(result)))") }
    var text: [UInt8] = []
    var hasStruck = false
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // The read fails once the tool, the only one at the other end, has gone.
    while case let count = read(master, &buffer, buffer.count), count > 0 {
      text += buffer[..<count]
      if !hasStruck, cue(String(decoding: text, as: UTF8.self)) {
        hasStruck = true
        struck()
        write(master, keys, keys.utf8.count)
      }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return (String(decoding: text, as: UTF8.self), status)
  }
}
