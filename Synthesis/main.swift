// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

// starlight-synthesis render FOLDER: the audio of every pack into FOLDER/PACK, the same bytes in every run.
// starlight-synthesis inspect FOLDER: how loud each file there is, and what is wrong with any.
let arguments = CommandLine.arguments
guard arguments.count == 3, ["render", "inspect"].contains(arguments[1]) else {
  print("usage: starlight-synthesis render FOLDER\n       starlight-synthesis inspect FOLDER")
  exit(2)
}
let folder = URL(filePath: arguments[2])

if arguments[1] == "inspect" {
  let faults = try inspect(folder) { print($0) }
  for fault in faults { print("FAULT: \(fault)") }
  exit(faults.isEmpty ? 0 : 1)
}

try await withThrowingTaskGroup(of: Void.self) { group in
  for pack in packs {
    let place = folder.appending(path: pack.name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for recording in pack.recordings {
      group.addTask {
        try wave(recording.make()).write(to: place.appending(path: recording.name + ".wav"))
      }
    }
  }
  try await group.waitForAll()
}
