// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing
import Wire

/// Packs that are read again while the engine runs: beside what plays, a folder at a time.
extension Host {
  /// Reads all packs again, and those that are left out, as soon as can be.
  public func reloadPacks() { ask(for: engine.catalog.folders, by: .daemon) }

  /// Takes in what was read, and lets go of what nobody plays any more: between two turns of the engine.
  func followReading() {
    loader?.look(at: engine.turn.clockNow.nanoseconds)
    if let done = loader?.takeDone() { endReading(done) }
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

  /// Has folders read when their turn comes.
  func ask(
    for folders: [String], by asker: ReadingQueue.Asker, areNamed: Bool = false, _ errand: Errand? = nil
  ) {
    guard loader != nil else {
      _ = readHere(folders, areNamed: areNamed)
      return
    }
    reading.add(ReadingQueue.Asked(folders: folders, asker: asker, errand: errand, areNamed: areNamed))
    beginReading()
  }

  /// Reads folders at once, while everything waits.
  func readHere(_ folders: [String], areNamed: Bool) -> [PackReading] {
    folders.map { folder in
      // What was replaced a moment ago may have the room that this takes.
      letGoOfUnused()
      let loader = PackLoader(rate: configuration.rate, keptFiles: bank.keptFiles, soundRoom: bank.soundRoom)
      return take(loader.read(folder, isNew: !isPack(folder)), isNamed: areNamed)
    }
  }

  /// Whether that is the folder of a pack that is there.
  private func isPack(_ folder: String) -> Bool { engine.catalog.packs.contains { $0.path == folder } }

  private func beginReading() {
    guard let loader, let next = reading.begin() else { return }
    // What was taken out a moment ago may have the room that this takes.
    letGoOfUnused()
    let pack = engine.catalog.generations.first { $0.contents.path == next.folder }
    tell(PackLoading(change: .reading, pack: pack?.name, path: next.folder))
    let (rate, keptFiles, soundRoom) = (configuration.rate, bank.keptFiles, bank.soundRoom)
    let (isPrinted, isNew) = (journal != nil, !isPack(next.folder))
    loader.begin(next.folder, at: engine.turn.clockNow.nanoseconds) { folder, isWanted in
      PackLoader(rate: rate, keptFiles: keptFiles, soundRoom: soundRoom, isWanted: isWanted)
        .read(folder, isNew: isNew).printed(isPrinted, while: isWanted)
    }
  }

  /// A folder is read: takes what is in it, and tells who waited for no other any more.
  private func endReading(_ done: FolderReading) {
    let told = take(done, isNamed: reading.current?.isNamed ?? false)
    for finished in reading.end(with: told) { finished.errand.finish(with: finished.readings) }
  }

  /// Tells how the reading of a pack goes.
  func tell(_ loading: PackLoading) {
    tell(OutgoingNotification(loading, tUs: now.microseconds))
  }
}
