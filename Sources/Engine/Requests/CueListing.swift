// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Timing
import Wire

extension Engine {
  /// `cue.list`
  public func cueList(_ params: CueList.Params) throws(RPCError) -> CueList.Result {
    let (packs, last) = try catalog.page(behind: params.after, of: "cue")
    var cues: [CueList.Cue] = []
    var bytes = 0
    for pack in packs {
      var names = pack.manifest.cueNames[...]
      if let last, last.pack == pack.name { names = names.drop { $0 <= last.name } }
      for name in names {
        guard let cue = pack.manifest.cues[name] else { continue }
        let listed = CueList.Cue(pack.key(name).description, cue)
        bytes += listed.bytes
        if cues.count == CueList.page || !cues.isEmpty && bytes > CueList.pageBytes {
          return CueList.Result(cues: cues, more: true)
        }
        cues.append(listed)
      }
    }
    return CueList.Result(cues: cues, more: false)
  }
}

extension CueList.Cue {
  /// What a pack says of a cue of that name.
  package init(_ name: String, _ cue: PackCue) {
    self.init(
      name: name, steps: cue.steps.map(CueList.Step.init),
      align: cue.align.flatMap { CueFire.Params.Align(rawValue: $0.rawValue) },
      cooldownUs: cue.cooldown > .zero ? cue.cooldown.microseconds : nil)
  }

  /// About as long as it is told, the names of its members with it.
  fileprivate var bytes: Int { steps.reduce(100 + name.utf8.count) { $0 + $1.does.utf8.count + 56 } }
}

extension CueList.Step {
  /// What a pack says of a step.
  package init(_ step: PackCue.Step) {
    var length: Interval?
    if case .haptic(let haptic) = step.action { length = haptic.duration }
    self.init(offsetUs: step.at.microseconds, does: step.action.words, lengthUs: length?.microseconds)
  }
}

extension PackCue.Action {
  /// What it does, as in "pattern thud".
  fileprivate var words: String {
    switch self {
    case .sound(let sound): "sound " + sound.sound.words + (sound.loops ? " over and over" : "")
    case .pattern(let pattern): "pattern " + pattern.pattern.words + (pattern.loops ? " over and over" : "")
    case .haptic(let haptic): haptic.duration == nil ? "tap" : "vibration"
    case .music(.play(let start)): "music \(start.track)" + (start.from == .continue ? " from where it is" : "")
    case .music(.stop): "music ends"
    case .music(.gain(let gain, let stem, _)): (stem.map { "stem \($0)" } ?? "music") + " to gain \(decimalText(gain))"
    case .stop(let stop):
      switch stop.target {
      case .sound(let name): name.map { "sound \($0) ends" } ?? "all sounds end"
      case .pattern(let name): name.map { "pattern \($0) ends" } ?? "all that is felt ends"
      }
    case .parameter(let step): "parameter \(step.parameter) to \(decimalText(step.value))"
    }
  }
}

extension CueChoice {
  fileprivate var words: String {
    guard names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "") + (order == .inTurn ? " in turn" : "")
  }
}
