// SPDX-License-Identifier: Apache-2.0

import Wire

/// Packs are worked on while they are played: what plays is held against what it was when it began, by all that is checked
/// at any time.
extension Simulation {
  /// An author saves something of the pack and has it read again; where that has faults nothing may have changed.
  mutating func editPack() throws {
    if authors.oneIn(4) { return try reloadOther() }
    let edit = authors.pick(SimulatedPack.Edit.allCases)
    let isWhole = try pack.edit(edit, &authors)
    let read = try reload("{\"pack\":\"game\"}")
    try pack.restore(edit)
    let isFull = read.problems.contains { $0.kind == .busy }
    try ensure(read.taken == (isWhole && !isFull), "\(edit) comes to \(read)")
    try ensure(read.problemCount > 0 && read.pack == "game" && read.generation != nil, "\(edit) is told as \(read)")
    if edit == .numbers, read.taken {
      // What chapters are to come is known by the first of them.
      let again = try reload("{\"pack\":\"game\"}")
      try ensure(again.taken, "what was read once is \(again)")
    }
  }

  /// The second pack goes and comes, or is read again.
  private mutating func reloadOther() throws {
    if authors.oneIn(2) {
      try ask(0, "pack.unload", "{\"pack\":\"other\"}")
      try ask(0, "pack.load", "{\"path\":\"\(pack.otherFolder)\"}")
      try settle()
    } else {
      _ = try reload("{\"pack\":\"other\"}")
    }
  }

  private mutating func reload(_ params: String) throws -> PackReading {
    checks.reading = nil
    try ask(0, "pack.reload", params)
    try settle()
    guard let reading = checks.reading else { throw SimulationFailure("pack.reload is not answered") }
    if reading.taken { reloads.taken += 1 } else { reloads.refused += 1 }
    return reading
  }
}
