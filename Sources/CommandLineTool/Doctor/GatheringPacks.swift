// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Wire

extension PackFacts {
  /// Reads every pack that a daemon started here would load.
  init(_ environment: [String: String]) {
    self.init(
      PackList.Result(onDisk: environment),
      folders: PackFolders(onDisk: environment).all)
  }

  /// What a daemon, or this program, has read.
  init(_ list: PackList.Result, folders: [String] = []) {
    self.folders = folders
    packs = list.packs.map { Pack(path: $0.path, name: $0.name, faults: $0.problems, hides: $0.hides ?? []) }
    leftOut = list.problems
  }
}
