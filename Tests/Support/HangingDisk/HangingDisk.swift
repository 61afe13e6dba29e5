// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A disk that stops answering when a test says so, as one on a network does whose server has gone: a program of its own behind
/// FUSE, which may be mounted where the tests may mount at all.
public final class HangingDisk {
  /// Its folder.
  public let path: String
  private let pid: pid_t
  /// A socket whose other end is the program's standard input and output.
  private let program: Int32

  /// Whether there can be one here.
  public static let isPossible = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 && (try? HangingDisk()) != nil

  /// Mounts it; it answers, for now.
  public init() throws {
    var template = Array("/tmp/starlight-disk-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Refused("no folder: \(String(cString: strerror(errno)))") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Refused("no socket") }
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    program = ends[0]
    defer { close(ends[1]) }
    pid = try Self.spawn(["python3", folder + "/disk.py", path], with: ends[1])
    guard answer() == "ready" else { throw Refused("no disk could be mounted") }
    // Once it was asked to flush a file that is closed the kernel knows that it need not be. Else it would be asked of a process that
    // ends, and that would not come to its end while the disk hangs.
    close(open(path + "/asked", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
  }

  deinit {
    // What is in the kernel still is refused as the program ends.
    close(program)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    rmdir(path)
  }

  /// From here on nothing is answered, what is asked before is.
  public func hang() { tell("hang") }

  /// Answers again, what was asked meanwhile, too.
  public func answerAgain() { tell("answer") }

  private func tell(_ word: String) {
    let line = Array((word + "\n").utf8)
    guard write(program, line, line.count) == line.count, answer() == "ok" else { fatalError("the disk has ended") }
  }

  private func answer() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(program, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].prefix { $0 > 0x20 }, as: UTF8.self)
  }

  private static func spawn(_ words: [String], with socket: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, 0)
    posix_spawn_file_actions_adddup2(&actions, socket, 1)
    // What other tests have open is not to be kept open by it.
    for descriptor in Int32(3)..<512 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, words[0], &actions, nil, &argv, environ) == 0 else { throw Refused("no \(words[0])") }
    return pid
  }

  /// Why there is none.
  public struct Refused: Error, CustomStringConvertible {
    /// In words.
    public let description: String

    init(_ description: String) { self.description = description }
  }
}
