// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// What the player saw and did, a line of JSON each: a player who waits for it (`finish`) before being killed leaves all of it.
struct PlayLog {
  /// What stood there before: of players who were killed.
  let before: [Line]
  private let file: LogFile?

  /// A line. What is not said of a word is left out.
  struct Line: Codable, Equatable {
    /// The daemon's instant.
    var atUs: Int64
    var what: String
    /// How often it happened at once; once where missing.
    var count: Int?
    /// A level, a word, a button, a daemon.
    var name: String?
    /// Whether a switch is on from here on.
    var isOn: Bool?

    init(_ what: String, atUs: Int64, count: Int? = nil, name: String? = nil, isOn: Bool? = nil) {
      self.atUs = atUs
      self.what = what
      self.count = count
      self.name = name
      self.isOn = isOn
    }
  }

  /// Lines go to the end of the file at `path`, or nowhere.
  init(path: String?) throws(PlayProblem) {
    guard let path else {
      (before, file) = ([], nil)
      return
    }
    before = (FileManager.default.contents(atPath: path) ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0))
    }
    guard let opened = LogFile(adding: path) else { throw PlayProblem("\(path): \(String(cString: strerror(errno)))") }
    file = opened
  }

  func write(_ line: Line) throws {
    guard let file else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    file.add([UInt8](try encoder.encode(line)) + [UInt8(ascii: "\n")])
    guard file.failure == 0 else {
      throw PlayProblem("the log cannot be written: \(String(cString: strerror(file.failure)))")
    }
  }

  /// Waits until all of it is written.
  func finish() { file?.finish() }
}

/// Why it cannot be played on, for people.
struct PlayProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
