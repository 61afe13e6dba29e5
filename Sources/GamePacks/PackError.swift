// SPDX-License-Identifier: Apache-2.0

import JSON

/// What is wrong with a game pack, or with a name asked of it.
public struct PackError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault; more may come.
  public struct Code: Hashable, Sendable {
    /// A stable word for machines.
    public let rawValue: String

    /// Not JSON.
    public static var syntax: Code { Code(rawValue: "syntax") }
    /// A field that must be there is not.
    public static var missingField: Code { Code(rawValue: "missingField") }
    /// A field nobody reads: most likely mistyped.
    public static var unknownField: Code { Code(rawValue: "unknownField") }
    /// Text where a number should be, and the like.
    public static var wrongType: Code { Code(rawValue: "wrongType") }
    /// A value outside its range.
    public static var invalidValue: Code { Code(rawValue: "invalidValue") }
    /// A name that nothing in the pack has.
    public static var unknownName: Code { Code(rawValue: "unknownName") }
  }

  /// The kind of fault.
  public var code: Code
  /// The file at fault, as it was named to the reader; nil for a name asked of a pack already read.
  public var path: String?
  /// The line of the fault, counted from 1; nil where it is nowhere in the text.
  public var line: Int?
  /// Its column, counted from 1 in Unicode scalars.
  public var column: Int?
  /// The field at fault, as in `cues.segment-lock.steps[1].sound`; empty for the whole file.
  public var field: String
  /// The reason and the remedy, without file and field.
  public var reason: String
  /// Names that might have been meant, best first.
  public var candidates: [String]

  init(
    _ code: Code, path: String?, at place: TextPosition? = nil, field: String = "", _ reason: String,
    candidates: [String] = []
  ) {
    self.code = code
    self.path = path
    (line, column) = (place?.line, place?.column)
    self.field = field
    self.reason = reason
    self.candidates = candidates
  }

  /// File, line, column, field and reason, for people: "pack.json:7:31: sounds.bell.gain: is -1, outside 0 to 8".
  public var description: String {
    let place = [path, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    return [place.isEmpty ? nil : place, field.isEmpty ? nil : field, reason].compactMap(\.self).joined(separator: ": ")
  }
}

/// All that is wrong with one of a pack's files, in the order of its text.
public struct PackFaults: Error, Equatable, Sendable, CustomStringConvertible {
  /// One fault at least.
  public let faults: [PackError]

  init(_ faults: [PackError]) { self.faults = faults }

  /// A line for each.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}
