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
