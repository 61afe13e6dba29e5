// SPDX-License-Identifier: Apache-2.0

import JSON
import Suggestions

/// A game's tracks, sounds, patterns, cues, chapters and parameters, by name: the `pack.json` in a pack's folder.
///
/// Every name in it is known to lead somewhere inside it, and every file to lie inside the pack; whether the files are
/// there is for their reader to see.
public struct PackManifest: Equatable, Sendable {
  /// Bytes that a pack's JSON files may have: a manifest has a few kilobytes, the longest beat map some megabytes.
  public static let maximumBytes = 8 << 20

  /// What the pack is called on the wire and on the command line.
  public let name: String
  /// For people.
  public let title: String
  /// As its makers count.
  public let version: String
  /// Music.
  public var tracks: [String: PackTrack]
  /// Effects and voices.
  public let sounds: [String: PackSound]
  /// Haptic patterns.
  public let patterns: [String: PackPattern]
  /// Named moments.
  public let cues: [String: PackCue]
  /// Rhythm chapters.
  public let chapters: [String: PackChapter]
  /// Values that lead other things.
  public let parameters: [String: PackParameter]
  /// What holds unless something else is said.
  public let settings: PackSettings
  /// Sounds under which the music steps back.
  public let ducking: [PackDucking]

  /// Reads the bytes of a manifest; `path` is what faults call the file. Throws all that is wrong with it.
  public static func parse(_ bytes: [UInt8], path: String) throws(PackFaults) -> PackManifest {
    let file = try PackFile(bytes, path: path)
    let manifest = PackManifest(file)
    manifest.checkReferences(file)
    try file.throwFaults()
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
      .unknownName, path: nil,
      "no \(noun) \(excerpt(name)) in pack \(self.name)" + didYouMean(name, among: entries.keys),
      candidates: nearest(to: name, among: entries.keys))
  }
}

extension PackManifest {
  enum Keys: String, CodingKey, CaseIterable {
    case name, title, version, tracks, sounds, patterns, cues, chapters, parameters, settings, ducking
  }

  private init(_ file: PackFile) {
    let fields = PackFields(file, 0, keys: Keys.self)
    let before = file.faultCount
    name = fields.name(.name)
    if file.faultCount == before, fields.has(.name), !isName(name, most: longestPackName) {
      fields.refuse(.name, refusalOfName(name, most: longestPackName))
    }
    title = fields.text(.title)
    version = fields.text(.version)
    tracks = fields.named(.tracks) { PackTrack($0, $1) }
    sounds = fields.named(.sounds) { PackSound($0, $1) }
    patterns = fields.named(.patterns) { PackPattern($0, $1) }
    let parameters = fields.named(.parameters) { PackParameter($0, $1) }
    self.parameters = parameters
    if parameters.count > PackParameter.mostOfAPack {
      fields.refuse(.parameters, "has \(parameters.count) parameters; \(PackParameter.mostOfAPack) is the most")
    }
    cues = fields.named(.cues) { PackCue($0, $1).knowing(parameters) }
    chapters = fields.named(.chapters) { PackChapter($0, $1) }
    settings = fields.optional(.settings).map { PackSettings(file, $0) } ?? .standard
    ducking = (fields.optional(.ducking).map(file.list) ?? []).map { PackDucking(file, $0) }
  }
}
