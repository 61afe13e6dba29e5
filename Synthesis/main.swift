// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

// starlight-synthesis render FOLDER [NAME]: the audio of every pack, or of that name alone, into FOLDER/PACK, where the pack
// is; the same bytes in every run.
// starlight-synthesis inspect FOLDER: how loud each file there is, and what is wrong with any.
let arguments = CommandLine.arguments
guard arguments.count == 3 || arguments.count == 4 && arguments[1] == "render",
  ["render", "inspect"].contains(arguments[1])
else {
  print("usage: starlight-synthesis render FOLDER [NAME]\n       starlight-synthesis inspect FOLDER")
  exit(2)
}
let folder = URL(filePath: arguments[2])

if arguments[1] == "inspect" {
  let faults = try inspect(folder) { print($0) }
  for fault in faults { print("FAULT: \(fault)") }
  exit(faults.isEmpty ? 0 : 1)
}
let name = arguments.count > 3 ? arguments[3] : nil
guard name == nil || packs.contains(where: { $0.recordings.contains { $0.name == name } }) else {
  print("nothing is called \(name ?? "")")
  exit(2)
}
do {
  let took = try await ContinuousClock().measure { try await render(into: folder, only: name) }
  print("rendered in \(tenths(took / .seconds(1))) s")
} catch {
  print("\(error)")
  exit(1)
}
