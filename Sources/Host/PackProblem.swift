// SPDX-License-Identifier: Apache-2.0

import Files
import GamePacks
import Glibc

/// What of the packs cannot be used, and why.
struct PackProblem: CustomStringConvertible {
  /// What cannot be used.
  enum Subject: Hashable {
    /// A place where packs are looked for, or a whole pack.
    case folder
    case track(String)
    case sound(String)
    case pattern(String)
    case chapter(String)
  }

  let subject: Subject
  /// The reason and the remedy, with the file.
  let reason: String

  /// A thing of a pack, and what is wrong with its file.
  init(_ subject: Subject, _ reason: some CustomStringConvertible) {
    self.subject = subject
    self.reason = reason.description
  }

  /// A folder that cannot be looked into, with the system's error.
  init(folder: String, code: Int32) {
    let remedy =
      switch code {
      case EACCES, EPERM: "let this user read and enter it: chmod a+rx"
      case ELOOP: "it is a link that leads round to itself; mend the link"
      case ENOENT: "it is a link to nothing; mend the link"
      case ENOTDIR: "name a pack's folder, which has a pack.json, or a folder of such"
      default: "check the folder and its disk"
      }
    self.init(
      .folder, "cannot look for game packs in \(printable(folder)) (\(String(cString: strerror(code)))); \(remedy)")
  }

  /// A manifest that cannot be read.
  init(_ refusal: FileRefusal) {
    self.init(.folder, "\(refusal); the pack is left out")
  }

  /// A manifest with a fault.
  init(_ error: PackError) {
    self.init(.folder, "\(error); the pack is left out: mend it (docs/packs.md) and restart starlightd")
  }

  /// One sentence for people. What is of a pack begins with its kind and name.
  var description: String {
    switch subject {
    case .folder: reason
    case .track(let name): "track \(name): \(reason)"
    case .sound(let name): "sound \(name): \(reason)"
    case .pattern(let name): "pattern \(name): \(reason)"
    case .chapter(let name): "chapter \(name): \(reason)"
    }
  }
}
