// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallRules

/// The folder of level files, `world1-level1.json` and so on.
public struct LevelFolder: Sendable {
  public let path: String

  /// The folder at `path`; nothing is read yet.
  public init(path: String) { self.path = path }

  /// The file name of a level.
  public static func fileName(_ name: LevelName) -> String { "world\(name.world)-level\(name.number).json" }

  /// The file name of a level's kept solutions.
  public static func solutionName(_ name: LevelName) -> String {
    "world\(name.world)-level\(name.number).solution.json"
  }

  /// One level as its file has it.
  public func file(_ name: LevelName) throws(LevelProblem) -> LevelFile {
    let fileName = Self.fileName(name)
    let file = try LevelFile(bytes: read(fileName), file: fileName)
    guard file.worldId == name.world, file.levelId == name.number else {
      let message = "worldId and levelId are \(file.worldId) and \(file.levelId); write what its name says"
      throw LevelProblem(file: fileName, message: message)
    }
    return file
  }

  /// Every level that the rules name, in points of their screen.
  public func levels(_ rules: Rules) throws(LevelProblem) -> [LevelName: Level] {
    var levels: [LevelName: Level] = [:]
    for name in rules.worlds.levels {
      levels[name] = try file(name).level(on: rules.ball, file: Self.fileName(name))
    }
    return levels
  }

  /// The solutions kept beside a level.
  public func solutions(_ name: LevelName) throws(LevelProblem) -> KeptSolutions {
    let fileName = Self.solutionName(name)
    let bytes = try read(fileName)
    do {
      return try JSONDecoder().decode(KeptSolutions.self, from: bytes)
    } catch {
      throw LevelProblem(file: fileName, message: "these are no solutions: \(error.reason)")
    }
  }

  private func read(_ fileName: String) throws(LevelProblem) -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path).appending(path: fileName))
    } catch {
      throw LevelProblem(file: fileName, message: "it cannot be read in \(path); put it there")
    }
  }
}
