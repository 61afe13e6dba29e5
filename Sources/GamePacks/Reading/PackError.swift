// SPDX-License-Identifier: Apache-2.0

import JSON
import Problems

/// What is wrong with a game pack, or with a name asked of it.
public struct PackError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kinds of fault there are.
  public typealias Code = Problem.Kind

  /// The kind of fault.
  public var code: Code
  /// The file at fault, as it was named to the reader; nil for a name asked of a pack already read.
  public var path: String?
  /// The line of the fault, counted from 1; nil where it is nowhere in the text.
  public var line: Int?
  /// Its column, counted from 1 in Unicode scalars.
  public var column: Int?
  /// The field at fault, as in `cues.settle.steps[1].sound`; empty for the whole file.
  public var field: String
  /// The reason, without file and field; the remedy with it where that says nothing without it.
  public var reason: String
  /// What to do about it, where that is known of this very fault.
  public var remedy: String?
  /// What to do about it, where the reason says it to whoever can read it: told only where remedies are asked for.
  var advice: String?
  /// Whether a schema, which knows the shape of a file alone, cannot see it.
  var isBeyondSchema = false
  /// Names that might have been meant, best first.
  public var candidates: [String]

  init(
    _ code: Code, path: String?, at place: TextPosition? = nil, field: String = "", _ reason: String,
    remedy: String? = nil, candidates: [String] = []
  ) {
    self.remedy = remedy
    self.code = code
    self.path = path
    (line, column) = (place?.line, place?.column)
    self.field = field
    self.reason = reason
    self.candidates = candidates
  }

  /// The same as what is told to people and programs.
  public var problem: Problem {
    // A fault of the whole file is of nothing in its text: the reason names the file.
    let isNowhere = line == nil && field.isEmpty
    return Problem(
      code, [isNowhere ? path : nil, reason].compactMap(\.self).joined(separator: ": "), remedy: remedy,
      where: Problem.Place(file: path, line: line, column: column, field: field.isEmpty ? nil : field))
  }

  /// The problem's sentence: "pack.json:7:31: sounds.bell.gain: is -1, outside 0 to 8".
  public var description: String { problem.description }
}

/// All that is wrong with one of a pack's files, in the order of its text.
public struct PackFaults: Error, Equatable, Sendable, CustomStringConvertible {
  /// The one that comes first.
  public let first: PackError
  private let others: [PackError]

  /// One fault at least.
  public var faults: [PackError] { [first] + others }

  init(_ fault: PackError) { (first, others) = (fault, []) }

  /// Nil for none.
  init?(_ faults: [PackError]) {
    guard let first = faults.first else { return nil }
    (self.first, others) = (first, Array(faults.dropFirst()))
  }

  /// A line for each.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}
