// SPDX-License-Identifier: Apache-2.0

/// What a pack names: a track, a sound, a pattern, a cue, a chapter or a parameter. Markers, lanes and grades are parts of
/// these, and have no key.
public struct AssetKey: Hashable, Sendable, CustomStringConvertible {
  /// The pack's name.
  public var pack: String
  /// The name inside the pack.
  public var name: String

  /// The asset `name` of `pack`.
  public init(pack: String, name: String) {
    self.pack = pack
    self.name = name
  }

  /// Reads `pack:name`, or a bare name of the pack `active`; nil for a bare name where there is none.
  public init?(_ spelling: String, active: String?) {
    let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let pack = parts.count == 2 ? String(parts[0]) : active else { return nil }
    self.init(pack: pack, name: String(parts[parts.count - 1]))
  }

  /// As it is told everywhere: `pack:name`.
  public var description: String { pack + ":" + name }
}
