// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a haptic output cannot be had, for people.
public struct HapticDeviceError: Error, CustomStringConvertible, Sendable {
  /// The path or device.
  public let name: String
  /// Reason and remedy.
  public let description: String

  /// `errno` as left by the call that failed.
  init(opening name: String, errno code: Int32) {
    self.name = name
    let reason = String(cString: strerror(code))
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
    description = "cannot open the haptic log \(name): \(reason); \(remedy)"
  }
  /// `errno` as left by the call that failed.
  init(opening pad: HapticPad, errno code: Int32) {
    name = pad.path
    let reason = String(cString: strerror(code))
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
    description = "cannot open the pad \(pad.name) at \(pad.path): \(reason); \(remedy)"
  }
}
