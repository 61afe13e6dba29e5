// SPDX-License-Identifier: Apache-2.0

import Problems

extension PackFaults {
  /// What is wrong with a manifest: without it there is no pack.
  public var leavingOutThePack: [Problem] {
    problems(remedy: "the pack is left out: mend it (docs/packs.md) and restart starlightd")
  }

  /// What is wrong with a chapter's beats, in the manifest or in a file of their own: the rest of the pack stands.
  public var leavingOutTheChapter: [Problem] {
    problems(remedy: "the chapter is left out: mend its beats (docs/packs.md) and restart starlightd")
  }

  private func problems(remedy: String) -> [Problem] {
    faults.map { fault in
      var problem = fault.problem
      problem.remedy = remedy
      return problem
    }
  }
}

extension Problem {
  /// The same, of a manifest that cannot be read: without it there is no pack.
  public var leavingOutThePack: Problem {
    var problem = self
    problem.remedy = [remedy, "the pack is left out"].compactMap(\.self).joined(separator: "; ")
    return problem
  }
}

extension PackManifest {
  /// Said before all else where every audio file of several is missing, as in a copy of the manifest and patterns alone.
  public func missingAudio(among problems: [Problem], in folder: String) -> [Problem] {
    let missing = problems.count { problem in
      problem.kind == .missing && [.track, .sound].contains(problem.where.asset?.type)
    }
    guard missing > 1, missing == tracks.count + sounds.count else { return [] }
    return [
      Problem(
        .missing, file: folder, "none of its \(missing) audio files is in \(folder)",
        remedy:
          "copy the pack with its audio; Starlight's own have theirs where they are installed, and `make packs` in its "
          + "source renders it")
    ]
  }
}
