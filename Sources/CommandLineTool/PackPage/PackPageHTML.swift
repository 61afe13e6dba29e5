// SPDX-License-Identifier: Apache-2.0

import CommandTable
import PatternTools

/// A pack as one page of HTML that needs nothing beside it: for light and dark, for wide windows and phones. It is XML as well.
struct PackPageHTML {
  let pack: ShownPack

  /// Of a kind as many are shown, for a page must stay one that can be opened.
  static let mostOfAKind = 2_000
  /// Of lanes of a chapter.
  private static let mostLanes = 32

  func text() -> String {
    var body = "<header><h1>\(safe(pack.title))</h1><p>\(safe("\(pack.name) \(pack.version)"))</p></header>\n"
    body += said("problem", pack.problems) + said("warning", pack.warnings)
    body += section("tracks", pack.tracks, "wide", card)
    body += section("sounds", pack.sounds, "grid") { sound in
      card(sound.name, sound.details, PackPageSVG.waveform(sound.level))
    }
    body += section("patterns", pack.patterns, "grid") { pattern in
      card(pattern.name, pattern.details, pattern.envelope.map(PackPageSVG.pattern) ?? "")
    }
    body += section("cues", pack.cues, "wide", card)
    body += section("chapters", pack.chapters, "wide", card)
    body += section("parameters", pack.parameters, "grid") { card($0.name, $0.details, "") }
    let page = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <title>\(safe(pack.title))</title>
      <style>\(PackPageStyle.text)</style></head>
      <body><main>
      \(body)<footer>Levels are those of what is played, with the gains that the pack gives: of a track the whole, of a sound its \
      loudest 400 ms (ITU-R BS.1770). A waveform is as high as its highest sample. A pattern's height is intensity, its colour sharpness.</footer>
      </main></body></html>

      """
    return page
  }

  private func safe(_ text: String) -> String { xmlText(visibleText(text)) }

  private func said(_ kind: String, _ texts: [String]) -> String {
    if texts.isEmpty { return "" }
    let items = texts.prefix(Self.mostOfAKind).map { "<li>\(safe($0))</li>" }.joined()
    return "<section class=\"said \(kind)\"><h2>\(count(texts.count, kind))</h2><ul>\(items)</ul></section>\n"
  }

  private func section<Thing>(_ heading: String, _ things: [Thing], _ shape: String, _ card: (Thing) -> String)
    -> String
  {
    if things.isEmpty { return "" }
    let more = things.count - Self.mostOfAKind
    let rest = more > 0 ? "<p>and \(more) more</p>" : ""
    return "<section id=\"\(heading)\"><h2>\(heading) <small>\(things.count)</small></h2><div class=\"\(shape)\">\n"
      + things.prefix(Self.mostOfAKind).map(card).joined() + "</div>\(rest)</section>\n"
  }

  private func card(_ name: String, _ details: [String], _ picture: String) -> String {
    "<article><h3>\(safe(name))</h3>\(picture)\(list(details))</article>\n"
  }

  private func list(_ details: [String]) -> String {
    if details.isEmpty { return "" }
    return "<p class=\"details\">" + details.map { "<span>\(safe($0))</span>" }.joined(separator: " ") + "</p>"
  }

  private func card(_ track: ShownTrack) -> String {
    var picture = PackPageSVG.waveform(track.level, track)
    if let lengthUs = track.lengthUs, !picture.isEmpty {
      picture += "<p class=\"scale\"><span>0</span><span>\(clockTime(lengthUs))</span></p>"
    }
    return card(track.name, track.details, picture)
  }

  private func card(_ cue: ShownCue) -> String {
    var text = "<article class=\"cue\"><h3>\(safe(cue.name))</h3>\(list(cue.details))"
    let end = Double(max(cue.endUs, 1))
    for step in cue.steps {
      let picture: String
      if cue.hasTimeline {
        let start = percent(Double(step.atUs) / end)
        let width = step.goesOn ? 100 - start : percent(Double(step.lengthUs ?? 0) / end)
        picture =
          "<i class=\"\(step.goesOn ? "on" : "once")\" style=\"margin-left:min(\(fixed(start, 1))%,100% - 4px);"
          + "width:\(fixed(width, 1))%\"></i>"
      } else {
        picture = ""
      }
      let bar = cue.hasTimeline ? "<b>\(length(step.atUs))</b><span class=\"bar\">\(picture)</span>" : ""
      text +=
        "<div class=\"step \(step.kind.rawValue)\(cue.hasTimeline ? "" : " alone")\">\(bar)<span>\(safe(step.text))</span></div>"
    }
    return text + (cue.steps.isEmpty ? "<p class=\"details\">nothing</p>" : "") + "</article>\n"
  }

  private func percent(_ share: Double) -> Double { min(max(share, 0), 1) * 100 }

  private func card(_ chapter: ShownChapter) -> String {
    var picture = ""
    if chapter.map != nil {
      let labels = chapter.lanes.isEmpty ? [""] : chapter.lanes
      for (label, counts) in zip(labels, chapter.beatCounts(columns: 400)).prefix(Self.mostLanes) {
        let name = label.isEmpty ? "" : "<span>\(safe(label))</span>"
        picture += "<div class=\"lane\">\(name)\(PackPageSVG.beats(counts))</div>"
      }
      if labels.count > Self.mostLanes { picture += "<p>and \(labels.count - Self.mostLanes) more lanes</p>" }
      let inset = chapter.lanes.isEmpty ? "" : " inset"
      picture += "<p class=\"scale\(inset)\"><span>0</span><span>\(clockTime(chapter.lengthUs))</span></p>"
    }
    return card(chapter.name, chapter.details, picture)
  }
}
