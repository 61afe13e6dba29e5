// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What is in a folder; nil with `errno` where it cannot be read.
public func folderNames(_ path: String) -> [String]? {
  guard let directory = opendir(path) else { return nil }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// The same of a folder that lies inside `root`, or is it, wherever links lead; nil of one that does not.
public func folderNames(_ path: String, inside root: String) -> [String]? {
  guard let place = try? Place(path), (try? place.lies(inside: root)) == true else { return nil }
  // Through what was looked at, whoever changes links meanwhile.
  return folderNames(place.link)
}
