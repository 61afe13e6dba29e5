// SPDX-License-Identifier: Apache-2.0

/// One thing that was looked at: how it is, and what to do about it.
struct Finding: Equatable, Encodable {
  enum Severity: String, Encodable, CaseIterable {
    /// As it should be.
    case ok
    /// Worth knowing; nothing is broken.
    case note
    /// Something that is asked of this machine will not work, or not well.
    case problem
  }

  var severity: Severity
  /// What it is about, for people: "pads".
  var topic: String
  /// A stable name for machines: "padDenied".
  var code: String
  /// What is so.
  var what: String
  /// Why that matters, in a phrase; empty where all is well.
  var why = ""
  /// One line to paste into a shell.
  var cure: String?
  /// What is left to do by hand, after the cure or in its place.
  var then: String?

  static func ok(_ topic: String, _ code: String, _ what: String) -> Finding {
    Finding(severity: .ok, topic: topic, code: code, what: what)
  }

  static func note(
    _ topic: String, _ code: String, _ what: String, why: String, cure: String? = nil, then: String? = nil
  ) -> Finding {
    Finding(severity: .note, topic: topic, code: code, what: what, why: why, cure: cure, then: then)
  }

  static func problem(
    _ topic: String, _ code: String, _ what: String, why: String, cure: String? = nil, then: String? = nil
  ) -> Finding {
    Finding(severity: .problem, topic: topic, code: code, what: what, why: why, cure: cure, then: then)
  }
}
