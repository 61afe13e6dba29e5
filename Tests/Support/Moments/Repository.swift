// SPDX-License-Identifier: Apache-2.0

/// Where the sources are that this was built from.
package enum Repository {
  package static let path = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
}
