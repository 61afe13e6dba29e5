// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallLevels
import FreefallRules

/// The forty levels as they are kept.
enum Forty {
  static let folder = LevelFolder(
    path: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Levels").path)
}
