// SPDX-License-Identifier: Apache-2.0

extension Problem {
  /// Where a problem is: each member only where it is known.
  public struct Place: Hashable, Sendable, Codable {
    /// The game pack, by its name.
    public var pack: String?
    /// What of the pack it is about.
    public var asset: Asset?
    /// The sound device or the pad, as it was named.
    public var device: String?
    /// The file or folder, as it was named.
    public var file: String?
    /// The line of the file, from 1.
    public var line: Int?
    /// The column in that line, from 1, in Unicode scalars.
    public var column: Int?
    /// The field, as in `cues.segment-lock.steps[1].sound`.
    public var field: String?

    /// A place of which so much is known.
    public init(
      pack: String? = nil, asset: Asset? = nil, device: String? = nil, file: String? = nil, line: Int? = nil,
      column: Int? = nil, field: String? = nil
    ) {
      self.pack = pack
      self.asset = asset
      self.device = device
      self.file = file
      self.line = line
      self.column = column
      self.field = field
    }

    /// Something that a pack names.
    public struct Asset: Hashable, Sendable, Codable {
      /// What it is.
      public var type: AssetType
      /// Its name in the pack.
      public var name: String

      /// The thing of that name.
      public init(_ type: AssetType, _ name: String) {
        self.type = type
        self.name = name
      }
    }

    /// The kinds of things that a pack names.
    public enum AssetType: String, Hashable, Sendable, Codable, CaseIterable {
      case track, sound, pattern, cue, chapter, parameter
    }

    /// What stands before the reason. A file by itself does not: the reason names it.
    var prefix: String {
      var parts: [String] = []
      if let pack { parts.append("pack \(pack)") }
      if let asset { parts.append("\(asset.type.rawValue) \(asset.name)") }
      if line != nil || field != nil {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
        if !place.isEmpty { parts.append(place.joined(separator: ":")) }
        if let field { parts.append(field) }
      }
      return parts.joined(separator: ": ")
    }
  }
}
