// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What came of a program that was run to its end.
struct ChildResult {
  /// Its exit code, or 128 and the signal that ended it.
  let code: Int32
  /// Its standard output.
  let output: [UInt8]
  /// The beginning of its error output.
  let complaints: String
}

/// Why a program was not run to its end.
enum ChildFailure: Error, Equatable {
  /// $PATH has none of that name.
  case notInstalled
  /// The system did not start it, with this errno.
  case notStarted(Int32)
  /// It took longer, or said more, than it may.
  case tooLong
  /// A signal asked this program to end.
  case interrupted
}

/// Runs a program that is found by $PATH, reads nothing, and has so many seconds and bytes of output. Where the descriptor
/// `interrupt` becomes readable, or time is up, it is killed.
func runChild(
  _ words: [String], seconds: Int64, atMost limit: Int = 1 << 20, interrupt: Int32 = -1
) throws(ChildFailure) -> ChildResult {
  var said = Pipe()
  var complained = Pipe()
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, said.writing, 1)
  posix_spawn_file_actions_adddup2(&actions, complained.writing, 2)
  var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  var child: pid_t = 0
  let started = posix_spawnp(&child, words[0], &actions, nil, &pointers, environ)
  said.closeWriting()
  complained.closeWriting()
  guard started == 0 else { throw started == ENOENT ? .notInstalled : .notStarted(started) }

  let deadline = nowUs() + seconds * 1_000_000
  var (output, complaints): ([UInt8], [UInt8]) = ([], [])
  var failure: ChildFailure?
  while failure == nil, !(said.isAtEnd && complained.isAtEnd) {
    let readable = waitReadable(
      [said.reading, complained.reading, interrupt], microseconds: deadline - nowUs())
    if readable[0] { output += said.take() }
    if readable[1] { complaints += complained.take().prefix(max(0, 65_536 - complaints.count)) }
    if readable[2] { failure = .interrupted }
    if output.count > limit || nowUs() >= deadline { failure = .tooLong }
  }
  if failure != nil { kill(child, SIGKILL) }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  if let failure { throw failure }
  let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  return ChildResult(code: code, output: output, complaints: String(decoding: complaints, as: UTF8.self))
}

/// What a program prints to its standard output; nil when it is not there, fails, or takes longer than `seconds`. What it
/// complains of is dropped.
func output(of words: [String], seconds: Int64) -> String? {
  guard let result = try? runChild(words, seconds: seconds), result.code == 0 else { return nil }
  return String(decoding: result.output, as: UTF8.self)
}

/// One of a program's outputs as it is read here.
private struct Pipe: ~Copyable {
  /// -1 once all is read, which poll(2) passes over.
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1

  var isAtEnd: Bool { reading < 0 }

  init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }

  mutating func closeWriting() {
    close(writing)
    writing = -1
  }

  mutating func take() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(reading, &buffer, buffer.count)
    if count < 0, errno == EINTR { return [] }
    if count <= 0 {
      close(reading)
      reading = -1
    }
    return Array(buffer[..<max(0, count)])
  }
}
