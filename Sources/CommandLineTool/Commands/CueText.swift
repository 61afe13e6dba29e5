// SPDX-License-Identifier: Apache-2.0

import Files
import GamePacks
import StarlightClient
import Wire

/// What a cue holds, on one line: "sound bell, after 50 ms pattern thud".
func cueText(_ cue: CueList.Cue) -> String {
  if cue.steps.isEmpty { return "nothing" }
  var parts = cue.steps.map { ($0.offsetUs == 0 ? "" : "after \(length($0.offsetUs)) ") + stepText($0) }
  if let align = cue.align { parts.append("align \(align.rawValue)") }
  if let cooldown = cue.cooldownUs { parts.append("\(length(cooldown)) apart at least") }
  return parts.joined(separator: ", ")
}

/// What a step does, as in "pattern thud".
func stepText(_ step: CueList.Step) -> String { step.does + (step.lengthUs.map { " of \(length($0))" } ?? "") }

extension StarlightConnection {
  /// What the daemon's cues hold, by `pack:cue`.
  func cueTexts() throws(ToolFailure) -> [String: String] {
    var texts: [String: String] = [:]
    var after: String?
    repeat {
      let page = try ask(CueList.self, CueList.Params(after: after))
      for cue in page.cues { texts[cue.name] = cueText(cue) }
      after = page.more ? page.cues.last?.name : nil
    } while after != nil
    return texts
  }
}

extension PackList.Result {
  /// What their cues hold, by `pack:cue`, as their manifests say: of one that cannot be read nothing.
  var cueTextsOnDisk: [String: String] {
    var texts: [String: String] = [:]
    for pack in packs {
      let path = pack.path + "/pack.json"
      guard let bytes = try? readFile(path, atMost: PackManifest.maximumBytes),
        let manifest = try? PackManifest.parse(bytes, path: path), manifest.name == pack.name
      else { continue }
      for (name, cue) in manifest.cues {
        let key = "\(pack.name):\(name)"
        texts[key] = cueText(CueList.Cue(key, cue))
      }
    }
    return texts
  }
}
