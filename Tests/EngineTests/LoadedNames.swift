// SPDX-License-Identifier: Apache-2.0

import GamePacks

@testable import Engine

extension LoadedKey {
  /// Something of one and the same reading of a pack that has nothing.
  static func of(_ name: String) -> LoadedKey { LoadedKey(empty, name) }

  private static let empty: PackGeneration = {
    let text = #"{"name": "p", "title": "P", "version": "1"}"#
    guard let manifest = try? PackManifest.parse(Array(text.utf8), path: "pack.json") else {
      preconditionFailure("the manifest of the empty pack does not stand")
    }
    return PackGeneration(Catalog.Pack(manifest: manifest, path: "/p"), number: 1)
  }()
}

extension EngineFixture {
  /// Something of the pack as it is now.
  func loaded(_ name: String) -> LoadedKey { LoadedKey(engine.catalog.generations[0], name) }

  /// Reads the pack anew, `change` being what its authors did to it meanwhile.
  mutating func reload(change: (inout Catalog.Pack) -> Void = { _ in }) {
    var pack = engine.catalog.packs[0]
    pack.path += "'"
    change(&pack)
    engine.take(pack)
  }
}
