// SPDX-License-Identifier: Apache-2.0

import Wire

/// Every name of an asset that is told is `pack:name`, of a pack that is there.
struct NameChecks {
  /// The members that name an asset, or a list of them, wherever they stand.
  private static let members: Set = [
    "track", "tracks", "from", "fading", "sound", "pattern", "source", "cue", "cues", "chapter", "parameter",
    "parameters",
  ]
  /// What a player is of that no pack names.
  private static let ofNoPack: Set = ["inline", "transient", "continuous"]
  private static let packs = ["game:", "other:"]

  /// What `method` answers or tells.
  func check(_ bytes: ArraySlice<UInt8>, in method: String) throws {
    if method == RPCDiscover.name { return }
    try check(try decodeJSON(JSONValue.self, from: bytes), as: nil, in: method)
  }

  private func check(_ value: JSONValue, as member: String?, in method: String) throws {
    switch value {
    case .object(let members):
      for (key, inner) in members {
        // Assets of a pack are listed by their names; what is in them is not called by any.
        let isListed = key == "name" && ["tracks", "sounds", "patterns", "chapters"].contains(member)
        try check(inner, as: isListed ? "track" : key, in: method)
      }
    case .array(let elements): for element in elements { try check(element, as: member, in: method) }
    case .string(let text):
      guard let member, Self.members.contains(member) else { return }
      if member == "source", Self.ofNoPack.contains(text) { return }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      try ensure(
        parts.count == 2 && !parts[1].isEmpty && Self.packs.contains(parts[0] + ":"),
        "\(method) tells \(member) as \(text)")
    default: break
    }
  }
}
