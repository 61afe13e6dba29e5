// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing
import Wire

/// Packs that are read again while the engine runs: beside what plays, a round of folders at a time.
extension Host {
  /// Reads all packs again, and those that are left out, as soon as can be.
  public func reloadPacks() { ask(for: engine.catalog.folders, nil) }

  /// Takes in what was read, and lets go of what nobody plays any more: between two turns of the engine.
  func followReading() {
    loader?.look(at: engine.turn.clockNow.nanoseconds)
    if let done = loader?.takeDone() { endRound(done) }
    // What was not taken of it is freed there, too: nobody here holds it any more.
    loader?.letGo()
    letGoOfUnused()
    beginReading()
  }

  /// Lets go of what nobody plays any more, nor planned.
  func letGoOfUnused() {
    guard bank.earlierCount > 0 else { return }
    journal?.enter(.packsForgotten)
    engine.forgetPast()
    var unused = bank.takeUnused()
    if !unused.isEmpty { loader?.free(&unused) }
  }

  /// Has folders read with the next round.
  func ask(for folders: [String], areNamed: Bool = false, _ errand: Errand?) {
    guard loader != nil else {
      _ = readHere(folders, areNamed: areNamed)
      return
    }
    reading.add(ReadingQueue.Waiting(folders: folders, errand: errand, areNamed: areNamed))
    beginReading()
  }

  /// Reads folders at once, while everything waits.
  func readHere(_ folders: [String], areNamed: Bool) -> [PackReading] {
    letGoOfUnused()
    let loader = PackLoader(rate: configuration.rate, keptFiles: bank.keptFiles, soundRoom: bank.soundRoom)
    return takeAll(folders.map(loader.read), named: areNamed ? Set(folders) : [])
  }

  private func beginReading() {
    guard let loader, let folders = reading.begin() else { return }
    // What was taken out a moment ago may have the room that these take.
    letGoOfUnused()
    for folder in folders {
      let pack = engine.catalog.generations.first { $0.contents.path == folder }
      tell(PackLoading(change: .reading, pack: pack?.name, path: folder))
    }
    let (rate, keptFiles, soundRoom) = (configuration.rate, bank.keptFiles, bank.soundRoom)
    let isPrinted = journal != nil
    loader.begin(folders, at: engine.turn.clockNow.nanoseconds) { folder, isWanted in
      PackLoader(rate: rate, keptFiles: keptFiles, soundRoom: soundRoom, isWanted: isWanted)
        .read(folder).printed(isPrinted, while: isWanted)
    }
  }

  /// The round is over: takes what it read, and tells who waits for it.
  private func endRound(_ done: [FolderReading]) {
    let round = reading.end()
    let told = takeAll(done, named: round?.named ?? [])
    let byFolder = Dictionary(zip(done.map(\.path), told)) { $1 }
    for waiting in round?.waiting ?? [] {
      waiting.errand?.finish(with: waiting.folders.compactMap { byFolder[$0] })
    }
  }

  /// Tells how the reading of a pack goes.
  func tell(_ loading: PackLoading) {
    tell(OutgoingNotification(loading, tUs: now.microseconds))
  }
}
