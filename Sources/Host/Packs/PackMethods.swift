// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import JSON
import Wire

/// Packs that come, change and go by a client's word.
extension Host {
  func registerPacks(on router: inout Router<RequestContext>) {
    router.on(PackLoad.self) { [unowned self] params, context throws(RPCError) in
      try checkOwner(context, PackLoad.name)
      guard !params.path.utf8.contains(0) else {
        throw RPCError(
          .invalidParams, "path \(printable(excerpt(params.path))) holds a byte of zero, which no path has",
          hint: "name the pack's folder as the system does")
      }
      guard params.path.first == "/" else {
        throw RPCError(
          .invalidParams, "path \(printable(excerpt(params.path))) does not begin at /",
          hint: "name the pack's folder from / on: the daemon has a working folder of its own")
      }
      let readings = try read([params.path], areNamed: true, context)
      guard let reading = readings.first else { throw RPCError(.internal, "nothing was read") }
      return reading
    }
    router.on(PackReload.self) { [unowned self] params, context throws(RPCError) in
      try checkOwner(context, PackReload.name)
      if let name = params.pack {
        return PackReload.Result(packs: try read([try engine.folder(ofPackToRead: name)], context))
      }
      return PackReload.Result(packs: try read(engine.catalog.folders, context))
    }
    router.on(PackUnload.self) { [unowned self] params, context throws(RPCError) in
      try checkOwner(context, PackUnload.name)
      let path = try engine.folder(ofPack: params.pack)
      beginTurn()
      guard makeRoom(forEarlier: [params.pack]) else {
        throw RPCError(.busy, Self.noRoomForEarlier.reason, hint: Self.noRoomForEarlier.remedy)
      }
      drop(pack: params.pack)
      tell(PackLoading(change: .unloaded, pack: params.pack, path: path))
      carryOutActions()
      watchOtherPacks()
      return Empty()
    }
  }

  /// Only who could read a folder as well may have the daemon read it.
  private func checkOwner(_ context: RequestContext, _ method: String) throws(RPCError) {
    guard context.cause.user == configuration.owner else {
      throw RPCError(
        .notPermitted, "\(method) is for clients of the daemon's own user alone",
        hint: "ask as that user, or have the daemon's packs read again with SIGHUP")
    }
  }

  /// What comes of reading folders: at once where nothing else waits for control, else when the loader has read them.
  private func read(
    _ folders: [String], areNamed: Bool = false, _ context: RequestContext
  ) throws(RPCError) -> [PackReading] {
    guard let errand = context.errand, loader != nil, !folders.isEmpty else {
      return readHere(folders, areNamed: areNamed)
    }
    return try errand.awaited { ask(for: folders, by: .client(context.cause.client), areNamed: areNamed, errand) }
  }
}
