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

  /// The same, with what its files come to where that `isWanted`.
  func printed(_ isWanted: Bool) -> FolderReading {
    guard isWanted, let loaded else { return self }
    var printed = self
    printed.loaded?.print = PackPrint.print(of: loaded.pack)
    return printed
  }
}
