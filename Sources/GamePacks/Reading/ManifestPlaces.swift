// SPDX-License-Identifier: Apache-2.0

import JSON
import Problems

/// What is found wrong when a pack's files are read, each with the field of the manifest that names what is at fault; placed
/// there once all is known, in one pass over the text.
public struct ManifestPlaces {
  private var found: [(problem: Problem, field: [JSONStep]?)] = []
  /// So many are placed; the rest is told without a place, for each costs a search of the text.
  private static let mostPlaced = 1_024

  /// Nothing is wrong yet.
  public init() {}

  /// Adds what has its own place, or none.
  public mutating func add(_ problem: Problem) { found.append((problem, nil)) }

  /// Adds what is wrong at a field, named from the outermost object on; of a list by the number of the element.
  public mutating func add(_ problem: Problem, at field: String...) { add(problem, at: field.map { JSONStep($0) }) }

  /// Adds what is wrong with an element of the list at `field`.
  public mutating func add(_ problem: Problem, element: Int, of field: String...) {
    add(problem, at: field.map { JSONStep($0) } + [JSONStep(element)])
  }

  private mutating func add(_ problem: Problem, at field: [JSONStep]) { found.append((problem, field)) }

  /// All that was added, in order; `bytes` are those of the manifest at `path`.
  public func problems(in bytes: [UInt8], path: String) -> [Problem] {
    var problems = found.map(\.problem)
    let wanted = found.indices.filter { found[$0].field != nil }.prefix(Self.mostPlaced)
    guard !wanted.isEmpty, let file = try? PackFile(bytes, path: path) else { return problems }
    let placed = wanted.compactMap { index in
      file.index(at: found[index].field ?? []).map { (index, $0, file.tape.offset(of: $0)) }
    }.sorted { $0.2 < $1.2 }
    let positions = TextPosition.positions(of: placed.map { $0.2 }, in: bytes)
    for ((index, value, _), position) in zip(placed, positions) {
      var place = problems[index].where
      (place.file, place.line, place.column) = (path, position.line, position.column)
      place.field = dotted(file.tape.path(to: value))
      problems[index].where = place
    }
    return problems
  }
}
