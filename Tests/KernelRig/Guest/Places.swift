// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where everything is: at the top of the guest, or in a folder of its own on a machine that is not ours alone.
enum Places {
  static let work = getenv("RIG_FOLDER").map { String(cString: $0) } ?? "/tmp"
  /// The pack the checks play.
  static let packs = getenv("RIG_FOLDER") == nil ? "/packs" : work + "/packs"
  /// What of the sources is needed to play the games.
  static let sources = "/sources"
  static let levels = sources + "/Examples/freefall/Levels"
  static var results: String { work + "/results" }
}
