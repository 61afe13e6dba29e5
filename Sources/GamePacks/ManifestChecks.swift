import Suggestions

extension PackManifest {
  /// Refuses names that could not be typed or sent.
  func checkNames(path: String) throws(PackError) {
    guard isName(name) else { throw PackError(.invalidValue, path: path, field: "name", refusalOfName(name)) }
    let named = [
      ("tracks", Array(tracks.keys)), ("sounds", Array(sounds.keys)), ("patterns", Array(patterns.keys)),
      ("cues", Array(cues.keys)), ("chapters", Array(chapters.keys)),
    ]
    for (field, names) in named {
      for name in names.sorted() where !isName(name) {
        throw PackError(.invalidValue, path: path, field: field, refusalOfName(name))
      }
    }
  }

  /// Refuses names that lead nowhere.
  func checkReferences(path: String) throws(PackError) {
    for (name, cue) in cues.sorted(by: { $0.key < $1.key }) {
      for (index, step) in cue.steps.enumerated() {
        let field = "cues.\(name).steps[\(index)]"
        switch step.action {
        case .sound(let sound, _): try check(sound, among: sounds, "sound", path, "\(field).sound")
        case .pattern(let pattern, _): try check(pattern, among: patterns, "pattern", path, "\(field).pattern")
        case .playMusic(let start): try check(start.track, among: tracks, "track", path, "\(field).music.play")
        case .stopMusic: break
        }
      }
    }
    for (name, chapter) in chapters.sorted(by: { $0.key < $1.key }) {
      try check(chapter.track, among: tracks, "track", path, "chapters.\(name).track")
      for (event, cue) in chapter.feedback.named {
        try check(cue, among: cues, "cue", path, "chapters.\(name).feedback.\(event.rawValue)")
      }
    }
    for (index, duck) in ducking.enumerated() {
      try check(duck.sound, among: sounds, "sound", path, "ducking[\(index)].sound")
    }
  }

  private func check<Entry>(
    _ name: String, among entries: [String: Entry], _ noun: String, _ path: String, _ field: String
  ) throws(PackError) {
    if entries[name] != nil { return }
    throw PackError(
      .unknownName, path: path, field: field, "no \(noun) \(name)" + didYouMean(name, among: entries.keys),
      candidates: nearest(to: name, among: entries.keys))
  }
}
