// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
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
      expectOutdated()
      try ask(0, "pack.unload", "{\"pack\":\"other\"}")
      try ask(0, "pack.load", "{\"path\":\"\(pack.otherFolder)\"}")
      try settle()
    } else {
      _ = try reload("{\"pack\":\"other\"}")
    }
  }

  /// A client plans something of each of more readings than are kept: it keeps nobody from having the pack read again, and who
  /// has planned one thing of the first keeps that.
  mutating func holdReadings() throws {
    guard !ledger.time.isPaused else { return }
    try connect()
    try connect()
    let (modest, greedy) = (clients.count - 2, clients.count - 1)
    let later = checks.nowUs + 3_000_000_000
    func plan(_ simulation: inout Simulation, _ client: Int) throws -> Int64? {
      let last = simulation.ledger.recentSounds.last
      simulation.demand(client, SoundPlay.name, "\"sound\":\"game:click\",\"gain\":0.001,", at: later)
      try simulation.settle()
      let planned = simulation.ledger.recentSounds.last
      return planned == last ? nil : planned
    }
    let kept = try plan(&self, modest)
    var held: [Int64] = []
    for _ in 0..<Limits().earlierGenerations + 4 {
      if let sound = try plan(&self, greedy) { held.append(sound) }
      let read = try reload("{\"pack\":\"game\"}")
      try ensure(read.taken, "what is held keeps a pack from being read: \(read)")
      try step(hoards.integer(0...20_000))
      try settle()
    }
    try step(100_000)
    try settle()
    if let kept { try ensure(!ledger.isFinished(kept), "sound \(kept), the only one of its client, was ended") }
    let left = held.count { !ledger.isFinished($0) }
    try ensure(left <= Limits().earlierGenerations, "one client holds \(left) earlier readings")
    leaveAgain(greedy)
    leaveAgain(modest)
  }

  /// Where as many earlier readings are held as may be, one gives way; of a track of it that fades out nothing is told.
  private mutating func expectOutdated() {
    if host.holdings["earlier generations", default: 0] >= Limits().earlierGenerations { ledger.account.lose() }
  }

  private mutating func reload(_ params: String) throws -> PackReading {
    expectOutdated()
    checks.reading = nil
    try ask(0, "pack.reload", params)
    try settle()
    guard let reading = checks.reading else { throw SimulationFailure("pack.reload is not answered") }
    try ensure(
      !reading.problems.contains { $0.kind == .busy && $0.reason.contains("earlier generations") },
      "what clients of one user hold keeps a pack from being read: \(reading)")
    if reading.taken { reloads.taken += 1 } else { reloads.refused += 1 }
    return reading
  }
}
