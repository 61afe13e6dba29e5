// SPDX-License-Identifier: Apache-2.0

/// The fields of one kind of object of a pack's files as a table for people, made from the declarations that their reader checks
/// by: what docs/packs.md has between its marks.
enum PackTable: String, CaseIterable {
  case pack, track, stem, sound, cue, step, continuous, music, stop, parameter, target, curve, chapter, assist, beat,
    grid
  case settings, ducking

  var rule: ObjectRule {
    switch self {
    case .pack: ObjectRule(PackManifest.Keys.self)
    case .track: ObjectRule(PackTrack.Keys.self)
    case .stem: ObjectRule(PackTrack.Stem.Keys.self)
    case .sound: ObjectRule(PackSound.Keys.self)
    case .cue: ObjectRule(PackCue.Keys.self)
    case .step: ObjectRule(PackCue.Step.Keys.self)
    case .continuous: ObjectRule(CueHaptic.ContinuousKeys.self)
    case .music: ObjectRule(CueMusic.Keys.self)
    case .stop: ObjectRule(CueEnding.Keys.self)
    case .parameter: ObjectRule(PackParameter.Keys.self)
    case .target: ObjectRule(PackParameter.Target.Keys.self)
    case .curve: ObjectRule(ParameterCurve.Keys.self)
    case .chapter: ObjectRule(PackChapter.Keys.self)
    case .assist: ObjectRule(PackChapter.AssistKeys.self)
    case .beat: ObjectRule(PackBeat.Keys.self)
    case .grid: ObjectRule(PackGrid.Keys.self)
    case .settings: ObjectRule(PackSettings.Keys.self)
    case .ducking: ObjectRule(DuckingSound.Keys.self)
    }
  }

  /// What stands before it on a page.
  var mark: String { "<!-- fields: \(rawValue) -->\n" }
  /// What stands behind each.
  static let end = "<!-- end -->\n"

  /// The table, in Markdown.
  var text: String {
    let rows = rule.variants.flatMap(\.fields).map { name, rule in
      let standard = rule.isRequired ? "must be there" : rule.standard.map { "`\($0)`" } ?? ""
      return "| `\(name)` | \(rule.value.words) | \(standard) | \(rule.about) |\n"
    }
    return "| field | may be | default | what it is |\n| --- | --- | --- | --- |\n" + rows.joined()
  }
}

extension ValueRule {
  /// What may stand there, for people.
  var words: String {
    switch self {
    case .anyText: "text"
    case .text: "text of 1 to 200 bytes"
    case .packName: "a name of \(longestPackName) bytes at most"
    case .laneName, .reference: "a name"
    case .references(let most): "a name, or a list of up to \(most)"
    case .fileName: "a file"
    case .truth: "`true` or `false`"
    case .onlyTrue: "`true`"
    case .number(let range): "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case .span(let range): "\(plain(range.lowerBound)) to \(plain(range.upperBound)), or two such numbers"
    case .whole(let range): "\(range.lowerBound) to \(range.upperBound), whole"
    case .seconds(let range, _):
      (range.lowerBound > 0 ? "above 0, " : "0 ") + "to "
        + (range.upperBound == maximumSeconds ? "a day" : "\(plain(range.upperBound)) s")
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .object: "an object"
    case .named(let each, let most): "\(each.several) by name" + (most < .max ? ", \(most) at most" : "")
    case .list(let each, let counts):
      "a list of " + (counts.upperBound < .max ? "\(counts.lowerBound) to \(counts.upperBound) " : "") + each.several
    case .set(let each, let most): "a list of up to \(most) \(each.several), all different"
    case .anyOf(let rules): rules.map(\.words).joined(separator: "; or ")
    }
  }

  /// The same of several.
  private var several: String {
    switch self {
    case .object: "objects"
    case .laneName, .reference: "names"
    default: words
    }
  }
}
