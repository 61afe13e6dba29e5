// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

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

/// The file of the lines. A program that waits for it (`finish`) before it kills itself loses none.
struct PlayerLog {
  /// What stood there before: of programs that were killed.
  let before: [Line]
  private let file: LogFile

  init?(_ path: String) {
    before = (FileManager.default.contents(atPath: path) ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0))
    }
    guard let file = LogFile(adding: path) else { return nil }
    self.file = file
  }

  func write(_ line: Line) {
    guard let data = try? JSONEncoder().encode(line) else { return }
    file.add(Array(data) + [UInt8(ascii: "\n")])
  }

  /// Waits until all of it is written.
  func finish() { file.finish() }
}
