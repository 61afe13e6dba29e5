// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Problems

extension Problem {
  /// What is wrong, wherever in its text that has moved.
  struct Matter: Hashable {
    let kind: Kind
    let reason: String
    let file: String?
    let asset: Place.Asset?
  }

  /// What of it stays the same as the text around it changes.
  var matter: Matter { Matter(kind: kind, reason: reason, file: `where`.file, asset: `where`.asset) }

  /// Whether it is at the same place of the same text as another.
  func isAt(_ other: Problem) -> Bool {
    `where`.line != nil && `where`.file == other.where.file && `where`.line == other.where.line
      && `where`.column == other.where.column
  }

  /// Of two packs of one name the one in `folder` does not count, `place` being its name; the one in `other` does.
  static func nameTaken(_ name: String, in folder: String, by other: String, at place: Place) -> Problem {
    nameTaken(
      name, in: printable(folder), by: printable(other), at: place, until: PackCommands.reading(folder: folder))
  }

  /// A folder that cannot be looked into for packs, with the system's error.
  static func looking(into folder: String, code: Int32) -> Problem {
    let (kind, remedy): (Kind, String) =
      switch code {
      case EACCES, EPERM: (.unreadable, "let this user read and enter it: chmod a+rx")
      case ELOOP: (.unreadable, "it is a link that leads round to itself; mend the link")
      case ENOENT: (.missing, "it is a link to nothing; mend the link")
      case ENOTDIR: (.notAFile, "name a pack's folder, which has a pack.json, or a folder of such")
      default: (.unreadable, "check the folder and its disk")
      }
    return Problem(
      kind, file: folder,
      "cannot look for game packs in \(printable(folder)) (\(String(cString: strerror(code))))", remedy: remedy)
  }

  /// A pack's folder of which nothing more could be read for that long.
  static func unanswered(_ folder: String, seconds: Int) -> Problem {
    unanswered(folder, "nothing more of it could be read for \(seconds) s")
  }

  /// The same of one that was given up before.
  static func stillUnanswered(_ folder: String) -> Problem {
    unanswered(folder, "what was to be read of it before is still waited for")
  }

  private static func unanswered(_ folder: String, _ why: String) -> Problem {
    Problem(
      .unreadable, file: folder + "/", "\(printable(folder)) does not answer: \(why)",
      remedy: "check its disk, or the network that it comes by, and have the pack read again")
  }
}
