// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems

extension Problem {
  /// A device that cannot be listened to.
  public static func listening(to source: ControlSource, _ error: ControlErrno) -> Problem {
    if error.isGrab, error.code == EBUSY {
      return Problem(
        .padFailed, "\(source.name) at \(source.path) is taken by another program for itself alone",
        remedy: "end that program, or bind without grab", where: Place(device: source.name, file: source.path))
    }
    return openingPad(source.name, at: source.path, errno: error.code)
  }
}
