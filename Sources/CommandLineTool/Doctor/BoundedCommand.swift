// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a program prints to its standard output; nil when it is not there, fails, or takes longer than `seconds`.
///
/// It is found by $PATH, reads nothing, and what it complains of is dropped.
func output(of words: [String], seconds: Int64) -> String? {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  defer { close(ends[0]) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  posix_spawn_file_actions_addclose(&actions, ends[0])
  var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  var child: pid_t = 0
  let started = posix_spawnp(&child, words[0], &actions, nil, &pointers, environ)
  close(ends[1])
  guard started == 0 else { return nil }

  let deadline = nowUs() + seconds * 1_000_000
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4_096)
  var isWhole = false
  while !isWhole, bytes.count < 1 << 20, nowUs() < deadline {
    guard waitReadable([ends[0]], microseconds: deadline - nowUs())[0] else { continue }
    let count = read(ends[0], &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    isWhole = count <= 0
    bytes += buffer[..<max(0, count)]
  }
  // It has said all it will, or is too late.
  if !isWhole { kill(child, SIGKILL) }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  return isWhole && status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}
