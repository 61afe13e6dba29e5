// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the system tells of a file, links followed; nil where that cannot be had, and errno says why.
func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return stat(path, &status) == 0 ? status : nil
}

extension stat {
  /// What it is: S_IFREG, S_IFDIR or another.
  var kind: mode_t { st_mode & S_IFMT }
}

func isFolder(_ path: String) -> Bool { fileStatus(path)?.kind == S_IFDIR }

/// A path without links; nil where nothing is there.
func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// What the system says of an error, that of the last call where no other is named.
func errnoText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
