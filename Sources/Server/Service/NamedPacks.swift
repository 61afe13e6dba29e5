// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks

/// Refuses a folder of packs that was named by hand and is not there, where those looked in by habit may be missing, and a pack's
/// name that can be none. What was most likely meant is told: `--pack` and `--packs` are easily taken for one another.
func checkPacks(_ invocation: Invocation, isThere: (String) -> Bool) throws(UsageError) {
  if let name = invocation[DaemonOptions.pack], name.contains("/") || refusalOfPackName(name) != nil && isThere(name) {
    throw UsageError(
      "--pack takes the name of a pack, and \(name) is \(isThere(name) ? "a path" : "none")",
      hint: "--packs \(quotedForShell(name)) has packs looked for there; --pack NAME then chooses the active one")
  }
  let folders = (invocation[DaemonOptions.packs] ?? "").split(separator: ":").map(String.init)
  guard let missing = folders.first(where: { !isThere($0) }) else { return }
  let isName = refusalOfPackName(missing) == nil && invocation[DaemonOptions.pack] == nil
  throw UsageError(
    "there is no folder \(missing), named by --packs or $STARLIGHT_PACKS",
    hint: isName
      ? "name a pack's folder, or a folder of such; where \(missing) is the name of a pack, --pack \(missing) makes it active"
      : "name a pack's folder, which has a pack.json (docs/packs.md), or a folder of such")
}
