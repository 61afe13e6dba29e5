import Suggestions

/// A game's tracks, sounds, patterns, cues and chapters, by name: the `pack.json` in a pack's folder.
///
/// Every name in it is known to lead somewhere inside it, and every file to lie inside the pack; whether the files are
/// there is for their reader to see.
public struct PackManifest: Equatable, Sendable {
  /// What the pack is called on the wire and on the command line.
  public let name: String
  /// For people.
  public let title: String
  /// As its makers count.
  public let version: String
  /// Music.
  public let tracks: [String: PackTrack]
  /// Effects and voices.
  public let sounds: [String: PackSound]
  /// Haptic patterns.
  public let patterns: [String: PackPattern]
  /// Named moments.
  public let cues: [String: PackCue]
  /// Rhythm chapters.
  public let chapters: [String: PackChapter]
  /// What holds unless something else is said.
  public let settings: PackSettings
  /// Sounds under which the music steps back.
  public let ducking: [PackDucking]

  /// Reads the bytes of a manifest; `path` is what faults call the file.
  public static func parse(_ bytes: [UInt8], path: String) throws(PackError) -> PackManifest {
    let manifest = try decode(PackManifest.self, from: bytes, path: path)
    try manifest.checkNames(path: path)
    try manifest.checkReferences(path: path)
    return manifest
  }

  /// The track of that name; if there is none, the error names the nearest.
  public func track(named name: String) throws(PackError) -> PackTrack { try find(name, in: tracks, "track") }

  /// The sound of that name; if there is none, the error names the nearest.
  public func sound(named name: String) throws(PackError) -> PackSound { try find(name, in: sounds, "sound") }

  /// The pattern of that name; if there is none, the error names the nearest.
  public func pattern(named name: String) throws(PackError) -> PackPattern { try find(name, in: patterns, "pattern") }

  /// The cue of that name; if there is none, the error names the nearest.
  public func cue(named name: String) throws(PackError) -> PackCue { try find(name, in: cues, "cue") }

  /// The chapter of that name; if there is none, the error names the nearest.
  public func chapter(named name: String) throws(PackError) -> PackChapter { try find(name, in: chapters, "chapter") }

  private func find<Entry>(
    _ name: String, in entries: [String: Entry], _ noun: String
  ) throws(PackError) -> Entry {
    if let entry = entries[name] { return entry }
    throw PackError(
      .unknownName, path: nil, "no \(noun) \(name) in pack \(self.name)" + didYouMean(name, among: entries.keys),
      candidates: nearest(to: name, among: entries.keys))
  }
}

extension PackManifest: Decodable {
  enum Keys: String, CodingKey, CaseIterable {
    case name, title, version, tracks, sounds, patterns, cues, chapters, settings, ducking
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    name = try fields.required(.name)
    title = try fields.text(.title)
    version = try fields.text(.version)
    tracks = try fields.optional(.tracks) ?? [:]
    sounds = try fields.optional(.sounds) ?? [:]
    patterns = try fields.optional(.patterns) ?? [:]
    cues = try fields.optional(.cues) ?? [:]
    chapters = try fields.optional(.chapters) ?? [:]
    settings = try fields.optional(.settings) ?? .standard
    ducking = try fields.optional(.ducking) ?? []
  }
}
