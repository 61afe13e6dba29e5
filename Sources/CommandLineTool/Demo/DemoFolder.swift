// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Where the demo's files are, and its socket, which is in a private folder of its own.
struct DemoFolder {
  let directory: String
  let socketDirectory: String
  private var hasBegun = false

  var socket: String { socketDirectory + "/s" }
  var recording: String { directory + "/demo.wav" }
  var hapticLog: String { directory + "/haptics.ndjson" }
  var log: String { directory + "/starlightd.log" }

  init(_ directory: String) throws(ToolFailure) {
    self.directory = directory
    func refusal(_ what: String) -> ToolFailure {
      ToolFailure(.unwritable, file: directory, what, hint: "choose another with --directory DIR")
    }
    guard mkdir(directory, 0o755) == 0 || errno == EEXIST else {
      throw refusal("cannot make \(directory): \(errnoText())")
    }
    guard isFolder(directory) else { throw refusal("\(directory) is a file, not a folder") }
    guard access(directory, W_OK) == 0 else { throw refusal("cannot write to \(directory): \(errnoText())") }
    Self.removeAbandoned()
    var template = Array("\(Self.parent)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ToolFailure("cannot make a folder in /tmp: \(errnoText())") }
    socketDirectory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    for path in [recording, hapticLog] { Self.setAside(path) }
  }

  /// What the daemon is started with.
  func arguments(device: String?) -> [String] {
    ["--socket", socket, "--record", recording, "--haptic-log", hapticLog]
      + (device.map { ["--device", $0] } ?? [])
  }

  /// Notes that the run has begun: from here on its files count, and those of an earlier run do not.
  mutating func begin() {
    hasBegun = true
    for path in [recording, hapticLog] { unlink(Self.earlier(path)) }
  }

  /// Removes the socket. Where the run has not begun, an earlier run's files are what they were.
  func leave() {
    for path in [recording, hapticLog] where !hasBegun {
      unlink(path)
      rename(Self.earlier(path), path)
    }
    Self.remove(socketDirectory)
  }

  /// Keeps an earlier run's file until it is known that this run has begun. Where one is kept already, by a run that was
  /// killed before it had begun, what that run left is nothing.
  private static func setAside(_ path: String) {
    if access(earlier(path), F_OK) == 0 { unlink(path) } else { rename(path, earlier(path)) }
  }

  private static func earlier(_ path: String) -> String { path + ".old" }

  private static let parent = "/tmp"
  private static let prefix = "starlight-demo-"

  /// Removes what demos that were killed have left: folders named after a process that is no more.
  private static func removeAbandoned() {
    for name in names(in: parent) where name.hasPrefix(prefix) {
      guard let owner = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), owner > 0, owner != getpid() else {
        continue
      }
      var status = stat()
      guard lstat("\(parent)/\(name)", &status) == 0, status.kind == S_IFDIR, status.st_uid == getuid(),
        kill(owner, 0) != 0, errno == ESRCH
      else { continue }
      remove("\(parent)/\(name)")
    }
  }

  /// Removes a folder and the files in it.
  private static func remove(_ folder: String) {
    for name in names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
  }

  /// The files with their sizes; 0 for one that is not there.
  func written() -> [DemoReport.File] {
    [
      (recording, "all that was played"), (hapticLog, "what was felt, one change a line"),
      (log, "what starlightd said"),
    ].map { path, holds in
      DemoReport.File(path: path, bytes: Int64(fileStatus(path)?.st_size ?? 0), holds: holds)
    }
  }

  /// The end of what the daemon said.
  func lastOfLog(lines: Int) -> [String] {
    guard let bytes = try? readWhole(log, limit: .max) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(lines).map(String.init)
  }
}
