// SPDX-License-Identifier: Apache-2.0

import Problems

extension PackFaults {
  /// What is wrong with a manifest: without it there is no pack until it is mended and a daemon reads it by `command`.
  public func leavingOutThePack(until command: String) -> [Problem] {
    problems(leavingOut: "the whole pack", until: command)
  }

  /// What is wrong with a chapter's beats, in the manifest or in a file of their own: the rest of the pack stands.
  public func leavingOutTheChapter(until command: String) -> [Problem] {
    problems(leavingOut: "the chapter", until: command)
  }

  /// The same for whoever has no daemon that leaves something out.
  public var cures: [Problem] { faults.map(\.warning) }

  private func problems(leavingOut what: String, until command: String) -> [Problem] {
    faults.map { fault in
      fault.problem.cured(by: fault.cure, leavingOut: what, until: command)
    }
  }
}

extension PackError {
  /// The same, of what is taken as it is.
  public var warning: Problem {
    var problem = problem
    problem.remedy = cure
    return problem
  }

  /// What to do about it, before all else.
  fileprivate var cure: String {
    if let remedy { return remedy }
    // A name that is like it, or what is known of this very fault.
    if code == .unknownName, let meant = candidates.first {
      return "write \(meant), or \(advice ?? "add what is named")"
    }
    if let advice { return advice }
    return switch code {
    case .unknownField: "remove it (docs/packs.md has every field)"
    case .unknownName: "add what is named, or name what is there"
    case .missingField: "add it (docs/packs.md)"
    case .wrongType: "write it as docs/packs.md says"
    case .invalidValue: "give it a value that it can have (docs/packs.md)"
    default: "mend it there (docs/packs.md)"
    }
  }
}

extension Problem {
  /// The same, of a manifest that cannot be read: without it there is no pack.
  public func leavingOutThePack(until command: String) -> Problem {
    cured(
      by: remedy ?? (kind == .tooLarge ? "make it smaller" : "put a manifest that may be read there"),
      leavingOut: "the whole pack", until: command)
  }

  /// The same with what to do, and with what holds for a daemon until it has read by `command` what was done.
  public func cured(by cure: String, leavingOut what: String, until command: String) -> Problem {
    cured(by: cure, until: command, "\(what) is left out")
  }

  /// The same of whatever else holds until then.
  public func cured(by cure: String, until command: String, _ meanwhile: String) -> Problem {
    var problem = self
    problem.cure = cure
    problem.remedy = "\(cure); then run `\(command)`; until then \(meanwhile)"
    return problem
  }

  /// Of two packs of one name the one in `folder` does not count, `place` being its name; the one in `other` does.
  public static func nameTaken(
    _ name: String, in folder: String, by other: String, at place: Place, until command: String
  ) -> Problem {
    let cure = "give it another name"
    var problem = Problem(
      .nameTaken, "\(name) is the name of \(other) as well, which counts, so \(folder) is left out",
      remedy: "\(cure) and run `\(command)`, or remove it", where: place)
    problem.cure = "give one of the two another name, or remove one"
    return problem
  }
}

extension PackManifest {
  /// Said before all else where every audio file of several is missing, as in a copy of the manifest and patterns alone.
  public func missingAudio(among problems: [Problem], in folder: String) -> [Problem] {
    let missing = problems.count { problem in
      problem.kind == .missing && [.track, .sound].contains(problem.where.asset?.type)
    }
    let files = tracks.values.reduce(sounds.count) { $0 + 1 + $1.stems.count }
    guard missing > 1, missing == files else { return [] }
    return [
      Problem(
        .missing, file: folder, "none of its \(missing) audio files is in \(folder)",
        remedy:
          renderedBy.map { "it is rendered by \($0): run that, and use the pack where it puts it" }
          ?? "copy the pack with its audio")
    ]
  }
}
