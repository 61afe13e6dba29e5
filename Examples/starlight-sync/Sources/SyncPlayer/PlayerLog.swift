// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A line of the log: what was seen or done, at an instant of the daemon's.
struct Line: Codable, Equatable {
  var atUs: Int64
  var what: String
  var count: Int?
  var number: Int?
  var name: String?
  var value: Double?
  var isOn: Bool?
}

/// The file of the lines. Each is with the kernel when it is written: a program that kills itself loses none.
struct PlayerLog {
  /// What stood there before: of programs that were killed.
  let before: [Line]
  private let descriptor: Int32

  init?(_ path: String) {
    before = (FileManager.default.contents(atPath: path) ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0))
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }

  func write(_ line: Line) {
    guard let data = try? JSONEncoder().encode(line) else { return }
    let bytes = Array(data) + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
