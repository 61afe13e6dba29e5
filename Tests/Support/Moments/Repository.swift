// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Where the sources are that this was built from, or a part of them that was brought along to another machine.
package enum Repository {
  package static let path =
    ProcessInfo.processInfo.environment["STARLIGHT_SOURCES"]
    ?? #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
}
