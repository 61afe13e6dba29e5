// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Wire

extension Catalog {
  /// Where the next page of a list of things of packs begins, each named `pack:name`: the packs that it goes through, and the last of the page before, which may be
  /// gone. `kind` is what such a thing is called where its pack is none.
  func page(behind after: String?, of kind: String) throws(RPCError) -> (
    packs: ArraySlice<PackGeneration>, last: AssetKey?
  ) {
    guard let after else { return (generations[...], nil) }
    guard let last = AssetKey(after, active: active),
      let place = generations.firstIndex(where: { $0.name == last.pack })
    else {
      throw RPCError(.unknownName, "no \(kind) \(excerpt(after))", hint: "begin with the first, without \"after\"")
    }
    return (generations[place...], last)
  }
}
