// SPDX-License-Identifier: Apache-2.0

import JSON
import Suggestions

extension PackManifest {
  /// Notes names that lead nowhere.
  func checkReferences(_ file: PackFile) {
    // Of whatever track: which one plays then is not known.
    let stems = tracks.values.reduce(into: [:]) { $0.merge($1.stems) { first, _ in first } }
    for (name, cue) in cues {
      for (index, step) in cue.steps.enumerated() {
        let place = [JSONStep("cues"), JSONStep(name), JSONStep("steps"), JSONStep(index)]
        switch step.action {
        case .sound(let step): check(step.sound, among: sounds, "sound", file, place + [JSONStep("sound")])
        case .pattern(let step): check(step.pattern, among: patterns, "pattern", file, place + [JSONStep("pattern")])
        case .music(.play(let start)):
          check(start.track, among: tracks, "track", file, place + [JSONStep("music"), JSONStep("play")])
        case .music(.gain(_, let stem?, _)):
          check(stem, among: stems, "stem", file, place + [JSONStep("music"), JSONStep("stem")])
        case .stop(let stop): check(stop.target, file, place + [JSONStep("stop")])
        case .parameter(let step):
          check(step.parameter, among: parameters, "parameter", file, place + [JSONStep("parameter")])
        case .haptic, .music: break
        }
      }
    }
    checkWeights(file)
    for (name, parameter) in parameters {
      // One target may drive several controls of its thing, and those that are at fault drive none.
      let place = [JSONStep("parameters"), JSONStep(name), JSONStep("targets")]
      let count = file.index(at: place).map { Int(file.tape.nodes[$0].count) } ?? 0
      for thing in Set(parameter.targets.map(\.thing)) {
        for index in 0..<count { check(thing, file, place + [JSONStep(index)]) }
      }
    }
    for (name, chapter) in chapters {
      let place = [JSONStep("chapters"), JSONStep(name)]
      check(chapter.track, among: tracks, "track", file, place + [JSONStep("track")])
      if let stems = tracks[chapter.track]?.stems {
        for stem in chapter.stems.keys.sorted() where stems[stem] == nil {
          guard !file.isOnlyCounted(), let index = file.index(at: place + [JSONStep("stems"), JSONStep(stem)]) else {
            continue
          }
          let near = nearest(to: stem, among: stems.keys)
          file.note(
            .unknownName, at: index,
            "track \(excerpt(chapter.track)) has no stem \(excerpt(stem))" + didYouMean(oneOf: near),
            advice: naming("stem", stems.keys), isBeyondSchema: true, candidates: near)
        }
      }
      for (event, cue) in chapter.feedback.named {
        let place = place + [JSONStep("feedback"), JSONStep(event.rawValue)]
        check(cue, among: cues, "cue", file, place)
        if cues[cue]?.loops ?? false, let index = file.index(at: place) {
          file.note(
            .invalidValue, at: index,
            "\(cue) has a step that loops, and nobody whose leaving would end it; fire it yourself",
            advice: "name a cue that does not loop", isBeyondSchema: true)
        }
        let count = cues[cue]?.steps.count ?? 0
        if event.isOfEachBeat, count > PackCue.mostAnsweringSteps, let index = file.index(at: place) {
          file.note(
            .invalidValue, at: index,
            "\(cue) has \(count) steps; \(PackCue.mostAnsweringSteps) is the most where each beat or tap may fire it",
            advice: "name a cue with fewer", isBeyondSchema: true)
        }
      }
    }
    var ducked: [String: Int] = [:]
    for (index, duck) in ducking.enumerated() {
      check(duck.sound, among: sounds, "sound", file, [JSONStep("ducking"), JSONStep(index), JSONStep("sound")])
      let other = ducked[duck.sound]
      if other == nil { ducked[duck.sound] = index }
      if !file.isFull, let other, let place = file.index(at: [JSONStep("ducking"), JSONStep(index), JSONStep("sound")])
      {
        file.note(
          .invalidValue, at: place, "\(duck.sound) has a rule already, ducking[\(other)]",
          advice: "keep one of the two", isBeyondSchema: true)
      }
    }
  }

  /// Notes parameters that drive more than the engine can in its turns.
  private func checkWeights(_ file: PackFile) {
    let most = PackParameter.mostWeight
    let all = parameters.values.reduce(0) { $0 + $1.weight }
    if all > most, let index = file.index(at: [JSONStep("parameters")]) {
      file.note(
        .invalidValue, at: index, "come to \(all) by their curves; \(most) is the most",
        advice: "drive less: a straight line counts 1, a bent one or a pitch 4", isBeyondSchema: true)
    }
    for (name, cue) in cues {
      let set = cue.steps.reduce(0) { sum, step in
        if case .parameter(let step) = step.action { sum + (parameters[step.parameter]?.weight ?? 0) } else { sum }
      }
      if set > most, let index = file.index(at: [JSONStep("cues"), JSONStep(name), JSONStep("steps")]) {
        file.note(
          .invalidValue, at: index, "set parameters that come to \(set) by their curves; \(most) is the most",
          advice: "set fewer in one cue: a straight line counts 1, a bent one or a pitch 4", isBeyondSchema: true)
      }
    }
  }

  private func check<Entry>(
    _ choice: CueChoice, among entries: [String: Entry], _ noun: String, _ file: PackFile, _ place: [JSONStep]
  ) {
    for (index, name) in choice.names.enumerated() {
      check(name, among: entries, noun, file, choice.names.count == 1 ? place : place + [JSONStep(index)])
    }
  }

  private func check(_ thing: PackParameter.Thing, _ file: PackFile, _ place: [JSONStep]) {
    func isNamed(_ name: String, _ place: [JSONStep]) -> Bool {
      file.index(at: place).map { file.tape.isString($0, name) } ?? false
    }
    func check<Entry>(_ name: String, among entries: [String: Entry], _ noun: String) {
      let place = place + [JSONStep(noun)]
      if isNamed(name, place) { self.check(name, among: entries, noun, file, place) }
    }
    switch thing {
    case .track(let name): check(name, among: tracks, "track")
    case .stem(let name, let track):
      check(track, among: tracks, "track")
      // Of one name there may be stems of several tracks, each with a target of its own.
      if let stems = tracks[track]?.stems, isNamed(track, place + [JSONStep("track")]) {
        check(name, among: stems, "stem")
      }
    case .sound(let name): check(name, among: sounds, "sound")
    case .pattern(let name): check(name, among: patterns, "pattern")
    case .bus: break
    }
  }

  /// What to name, of those that there are.
  private func naming(_ noun: String, _ names: some Collection<String>) -> String {
    names.isEmpty
      ? "add it: the pack has no \(noun)" : "use a \(noun) that is there (\(listed(names.sorted()))), or add this one"
  }

  private func check(_ target: CueEnding.Target, _ file: PackFile, _ place: [JSONStep]) {
    switch target {
    case .sound(let name?): check(name, among: sounds, "sound", file, place + [JSONStep("sound")])
    case .pattern(let name?): check(name, among: patterns, "pattern", file, place + [JSONStep("pattern")])
    case .sound(nil), .pattern(nil): break
    }
  }

  /// A name that could not be read has its fault already, and so has one that is missing.
  private func check<Entry>(
    _ name: String, among entries: [String: Entry], _ noun: String, _ file: PackFile, _ place: [JSONStep]
  ) {
    guard entries[name] == nil, !file.isOnlyCounted() else { return }
    guard let index = file.index(at: place), file.tape.nodes[index].kind == .string else { return }
    if let other = kind(of: name) {
      let isStep = place.first?.stringValue == "cues"
      let cure = isStep ? other.inAStep(isStop: place.contains { $0.stringValue == "stop" }) : nil
      file.note(
        .unknownName, at: index, "no \(noun) \(excerpt(name)): \(excerpt(name)) is a \(other.noun)",
        advice: cure ?? naming(noun, entries.keys), isBeyondSchema: true)
      return
    }
    // What cannot be a name is no cure.
    let known = entries.filter { isName($0.key) }.keys
    let near = nearest(to: name, among: known)
    file.note(
      .unknownName, at: index, "no \(noun) \(excerpt(name))" + didYouMean(oneOf: near), advice: naming(noun, known),
      isBeyondSchema: true, candidates: near)
  }

  /// What else is called that; nil for nothing.
  private func kind(of name: String) -> NamedThing? {
    let kinds: [(noun: String, isNamed: Bool)] = [
      ("track", tracks[name] != nil), ("sound", sounds[name] != nil), ("pattern", patterns[name] != nil),
      ("cue", cues[name] != nil), ("parameter", parameters[name] != nil), ("chapter", chapters[name] != nil),
    ]
    let noun = kinds.first(where: \.isNamed)?.noun
    return noun.map { NamedThing(noun: $0, name: name) }
  }

  private struct NamedThing {
    var noun: String
    var name: String

    /// How a step plays it, or stops it.
    func inAStep(isStop: Bool) -> String {
      switch noun {
      case "track": "write {\"music\": " + (isStop ? "{\"stop\": true}}" : "{\"play\": \"\(name)\"}}")
      case "sound", "pattern":
        isStop ? "write {\"stop\": {\"\(noun)\": \"\(name)\"}}" : "write {\"\(noun)\": \"\(name)\"}"
      case "parameter": "write {\"parameter\": \"\(name)\", \"value\": 0.5}"
      case "cue": "write its steps here: a cue is fired by the game, or by a chapter's feedback"
      default: "remove the step: a chapter is begun by the game"
      }
    }
  }
}
