// SPDX-License-Identifier: Apache-2.0

import Haptics

/// A change of a file as git tells it to a diff driver (see GIT_EXTERNAL_DIFF in git(1)): the path, then file, object and mode
/// of the old and of the new one, and for a renamed file two words more.
struct GitChange {
  let path: String
  let old: Side
  let new: Side

  /// One of the two: a copy of git's own, or the file of the working tree.
  struct Side {
    let file: String
    let title: String

    /// No pattern on the side on which the file is not there.
    func pattern(_ tool: Tool) throws(ToolFailure) -> (title: String, document: AHAPDocument) {
      if file == "/dev/null" { return (file, AHAPDocument()) }
      // By its path, or it could be the name of a pattern.
      let (_, document) = try loadPattern(ConvertInput(file.contains("/") ? file : "./" + file, tool), tool)
      return (title, document)
    }
  }

  /// Throws where these are not the words that git adds.
  init(_ words: [String]) throws(ToolFailure) {
    guard words.count == 7 || words.count == 9 else {
      throw .usage(
        "unexpected `\(words[2])`: starlight diff takes OLD NEW, or the seven words of git",
        hint: "see `starlight diff --help`")
    }
    path = words[0]
    old = Side(file: words[1], title: "a/" + words[0])
    new = Side(file: words[4], title: "b/" + (words.count == 9 ? words[7] : words[0]))
  }
}
