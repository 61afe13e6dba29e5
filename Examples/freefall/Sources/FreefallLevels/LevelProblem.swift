// SPDX-License-Identifier: Apache-2.0

/// Why a level file, or a folder of them, cannot be played, and what to do.
public struct LevelProblem: Error, Equatable, CustomStringConvertible {
  /// The file's name.
  public let file: String
  /// One sentence: what is wrong and what to write instead.
  public let message: String

  /// `world1-level1.json: goalRadius is -3; …`
  public var description: String { "\(file): \(message)" }

  /// What is wrong in the file of that name.
  public init(file: String, message: String) {
    self.file = file
    self.message = message
  }
}
