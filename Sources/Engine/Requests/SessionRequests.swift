// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Wire

/// Names as clients send them: `pack:name`, or bare ones of the pack that the client uses.
extension Engine {
  /// `session.use`.
  public mutating func usePack(_ params: SessionUse.Params, by cause: Cause) throws(RPCError) -> SessionUse.Result {
    if let name = params.pack { _ = try asked { () throws(VerbRefusal) in try catalog.existingPack(name) } }
    usedPacks[cause.client] = params.pack
    let pack = activePack(of: cause.client)
    return SessionUse.Result(pack: pack, generation: pack.flatMap(catalog.pack(named:))?.number)
  }

  /// The pack that bare names of a client are of: the one that it uses, else the daemon's.
  func activePack(of client: ClientID) -> String? { usedPacks[client] ?? catalog.active }

  /// Finds what a client named.
  func asset(
    _ kind: Catalog.Kind, _ name: String, by cause: Cause
  ) throws(RPCError) -> (key: AssetKey, pack: PackGeneration) {
    try asked { () throws(VerbRefusal) in try catalog.resolve(kind, name, active: activePack(of: cause.client)) }
  }

  /// The same of what comes from a file: says so where that could not be loaded.
  func asset<Asset>(
    _ kind: Catalog.Kind, _ name: String, in assets: KeyPath<Catalog.Pack, [String: Asset]>, by cause: Cause
  ) throws(RPCError) -> (key: AssetKey, asset: Asset, pack: PackGeneration) {
    let (key, pack) = try asset(kind, name, by: cause)
    let found = try asked { () throws(VerbRefusal) in try pack.find(kind, key.name, in: assets) }
    return (key, found, pack)
  }
}
