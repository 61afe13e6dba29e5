// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Problems

extension Problem {
  /// A haptic log that cannot be opened, with `errno` as the call left it.
  static func opening(log name: String, errno code: Int32) -> Problem {
    let remedy =
      switch code {
      case EACCES, EPERM, EROFS: "choose a path that this user may write to"
      case ENOENT, ENOTDIR: "make its directory first"
      case ENXIO: "start the reader of that pipe first"
      case EISDIR: "name a file in it"
      case EMFILE, ENFILE: "raise the limit on open files (ulimit -n)"
      case ENOSPC, EDQUOT: "free space on that disk"
      default: "choose another path"
      }
    return Problem(
      .logFailed, file: name, "cannot open the haptic log \(name): \(reasonNotOpened(code))", remedy: remedy)
  }

  /// The same of one that may be no file at all: a pipe, a device or a folder.
  static func opening(log name: String, _ reason: FileRefusal.Reason) -> Problem {
    if case .system(let code) = reason { return opening(log: name, errno: code) }
    let isFolder = reason == .isFolder
    return Problem(
      .logFailed, file: name,
      "cannot open the haptic log \(name): it is \(isFolder ? "a folder" : "no regular file")",
      remedy: isFolder ? "name a file in it" : "choose another path")
  }

  /// A pad that cannot be opened, with `errno` as the call left it.
  static func opening(_ pad: HapticPad, errno code: Int32) -> Problem {
    openingPad(pad.name, at: pad.path, errno: code)
  }

  /// A pad that is plugged in and cannot be used, as a thread hangs in what was there before it.
  public static func heldUp(_ pad: HapticPad) -> Problem {
    Problem(
      .deviceHangs,
      "the pad \(pad.name) at \(pad.path) is not used: its driver still hangs in a pad that was unplugged",
      remedy: "it is used once the driver lets go; restart starlightd if it does not",
      where: Place(device: pad.name, file: pad.path))
  }

  /// The same of one that is to be felt or to be listened to, by its name and its event node.
  public static func openingPad(_ name: String, at path: String, errno code: Int32) -> Problem {
    let remedy =
      switch code {
      case EACCES, EPERM:
        "install the udev rule 70-starlight.rules (make install does), join the group starlight "
          + "(sudo usermod -aG starlight $USER, then log in again), and plug the pad in again; "
          + "starlight doctor tells which of these is missing"
      case ENODEV, ENOENT, ENXIO: "plug the pad in again"
      case EOPNOTSUPP: "it has no force feedback that can be used; choose another pad"
      case EMFILE, ENFILE: "raise the limit on open files (ulimit -n)"
      default: "plug the pad in again, or choose another"
      }
    return Problem(
      code == EACCES || code == EPERM ? .padDenied : .padFailed,
      "cannot open the pad \(name) at \(path): \(String(cString: strerror(code)))", remedy: remedy,
      where: Place(device: name, file: path))
  }
}
