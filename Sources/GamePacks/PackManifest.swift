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
  /// What the pack is called where people read it.
  public let title: String
  /// As its makers count.
  public let version: String
  /// What makes its audio where that is not kept with it, for people.
  public let renderedBy: String?
  /// Music, by the names that come behind `pack:`.
  public var tracks: [String: PackTrack]
  /// Effects and voices.
  public let sounds: [String: PackSound]
  /// Haptic patterns.
  public let patterns: [String: PackPattern]
  /// Named moments.
  public let cues: [String: PackCue]
  /// Their names in order: whoever lists thousands of them a page at a time sorts them for no page.
  public let cueNames: [String]
  /// Rhythm chapters.
  public let chapters: [String: PackChapter]
  /// Values that drive other things.
  public let parameters: [String: PackParameter]
  /// What holds unless something else is said.
  public let settings: PackSettings
  /// Sounds under which the music steps back.
  public let ducking: [DuckingSound]
  /// How it does, by their names.
  public let ducks: [String: PackDuck]

  /// Reads the bytes of a manifest; `path` is what faults call the file. Throws all that is wrong with it.
  public static func parse(_ bytes: [UInt8], path: String) throws(PackFaults) -> PackManifest {
    let reading = read(bytes, path: path)
    if let faults = reading.faults { throw faults }
    guard let manifest = reading.manifest else {
      throw PackFaults(PackError(.syntax, path: path, "could not be read"))
    }
    return manifest
  }

  /// A manifest as far as it could be read, and all that was found.
  public struct Findings: Sendable {
    /// What is not at fault of it is as it is written; nil where the text is no JSON.
    public var manifest: PackManifest?
    /// Nil where the manifest stands.
    public var faults: PackFaults?
    /// What may be as it is, and is most likely not what was meant.
    public var warnings: [PackError]
  }

  /// The same, for whoever looks for more than the manifest's own faults.
  public static func read(_ bytes: [UInt8], path: String) -> Findings {
    let file: PackFile
    do throws(PackFaults) { file = try PackFile(bytes, path: path) } catch {
      return Findings(manifest: nil, faults: error, warnings: [])
    }
    let manifest = PackManifest(file)
    manifest.checkReferences(file)
    manifest.checkListing(file)
    let warnings = file.allWarnings
    return Findings(manifest: manifest, faults: file.takeFaults(), warnings: warnings)
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
  enum Keys: String, PackKey {
    case name, title, version, renderedBy, tracks, sounds, patterns, cues, chapters, parameters, settings, ducking
    case schema = "$schema"

    var rule: FieldRule {
      switch self {
      case .name: .must(.packName, "what stands before the colon in `pack:name`")
      case .title: .must(.text, "what people read")
      case .version: .must(.text, "as its makers count")
      case .renderedBy: .may(.text, "what renders its audio, told where a file of it is missing")
      case .tracks: .may(.named(.object(PackTrack.Keys.self)), "music, by name")
      case .sounds: .may(.named(.object(PackSound.Keys.self)), "effects and voices, by name")
      case .patterns: .may(.named(.object(PackPattern.Keys.self)), "what is felt, by name")
      case .cues: .may(.named(.object(PackCue.Keys.self)), "moments of the game, by name")
      case .chapters: .may(.named(.object(PackChapter.Keys.self)), "music to be tapped along with, by name")
      case .parameters:
        .may(
          .named(.object(PackParameter.Keys.self), most: PackParameter.mostOfAPack),
          "values between 0 and 1 that drive other things, by name")
      case .settings: .may(.object(PackSettings.Keys.self), "what holds unless something else is said")
      case .ducking:
        .may(.list(.object(DuckingSound.Keys.self), 0...ValueRule.mostNames), "sounds under which the music steps back")
      case .schema: .may(.anyText, "where the schema is, for editors")
      }
    }
  }

  private init(_ file: PackFile) {
    let fields = PackFields(file, 0, keys: Keys.self)
    let before = file.faultCount
    name = fields.name(.name)
    if file.faultCount == before, fields.has(.name), !isName(name, most: longestPackName) {
      fields.refuse(.name, refusalOfName(name, most: longestPackName), advice: adviceOnNames)
    }
    title = fields.text(.title)
    version = fields.text(.version)
    renderedBy = fields.optionalText(.renderedBy)
    tracks = fields.named(.tracks) { PackTrack($0, $1) }
    sounds = fields.named(.sounds) { PackSound($0, $1) }
    patterns = fields.named(.patterns) { PackPattern($0, $1) }
    let parameters = fields.named(.parameters) { PackParameter($0, $1) }
    self.parameters = parameters
    if parameters.count > PackParameter.mostOfAPack {
      fields.refuse(
        .parameters, "has \(parameters.count) parameters; \(PackParameter.mostOfAPack) is the most",
        advice: "remove some")
    }
    let cues = fields.named(.cues) { PackCue($0, $1).knowing(parameters) }
    (self.cues, cueNames) = (cues, cues.keys.sorted())
    chapters = fields.named(.chapters) { PackChapter($0, $1) }
    settings = fields.optional(.settings).map { PackSettings(file, $0) } ?? .standard
    let rules = fields.optionalList(.ducking)
    if rules.count > ValueRule.mostNames {
      fields.refuse(
        .ducking, "has \(rules.count) rules; \(ValueRule.mostNames) are the most", advice: "name each sound once")
    }
    ducking = rules.prefix(ValueRule.mostNames).map { DuckingSound(file, $0) }
    ducks = Dictionary(ducking.lazy.map { ($0.sound, $0.duck) }) { first, _ in first }
    _ = fields.optional(.schema).map { file.text(at: $0) }
  }
}
