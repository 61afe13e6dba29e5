// SPDX-License-Identifier: Apache-2.0

import Engine
import Problems

/// What was found in a folder that was read as a pack while the engine runs: a value, made on whatever thread.
struct FolderReading: Sendable {
  var path: String
  /// The name that its manifest gives the pack, as far as it could be read.
  var name: String?
  /// Where it does.
  var placeOfName: Problem.Place?
  /// The pack, as far as its manifest stands.
  var loaded: LoadedPack?
  var problems: [Problem]
  var warnings: [Problem]
  /// The same problems, as they are told of a pack that is left out as a whole.
  var toldLeftOut: [Problem] = []

  /// The same, with what its files come to where that `isPrinted`, as far as it `isWanted`.
  func printed(_ isPrinted: Bool, while isWanted: () -> Bool) -> FolderReading {
    guard isPrinted, let loaded else { return self }
    var printed = self
    printed.loaded?.print = PackPrint.print(of: loaded.pack, while: isWanted)
    return printed
  }

  /// Of a folder that could not be read.
  static func failed(_ path: String, _ problem: Problem) -> FolderReading {
    FolderReading(
      path: path, problems: [problem], warnings: [],
      toldLeftOut: [problem.leavingOutThePack(until: PackCommands.reading(folder: path))])
  }
}
