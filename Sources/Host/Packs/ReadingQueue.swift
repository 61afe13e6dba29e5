// SPDX-License-Identifier: Apache-2.0

import Engine
import Wire

/// Folders that are to be read as packs, one at a time. Who asks takes turns with all others who do, so that a reading waits for
/// the one that is under way and for one of each other at most. A folder is read once for all who asked before its reading began,
/// and again for who asks from then on: whoever asks is answered by what was in the folder after they asked.
///
/// Pure: who reads, and when, is its caller's.
struct ReadingQueue {
  /// Who has turns of their own.
  enum Asker: Hashable {
    /// By a signal, a save that was noticed, or the word of a client that left.
    case daemon
    case client(ClientID)
  }

  /// Somebody who asks for folders to be read, of which there is one at least.
  struct Asked {
    var folders: [String]
    var asker: Asker
    var errand: Errand?
    /// Whether somebody named them: what is in them takes the place of a pack of its name from elsewhere.
    var areNamed = false
  }

  /// A folder that is read.
  struct Reading: Equatable {
    var folder: String
    /// Whether somebody named it who waits for it.
    var isNamed: Bool
  }

  /// An errand of which all is read, and what came of that, in the order in which it was asked for.
  struct Finished {
    var errand: Errand
    var readings: [PackReading]
  }

  /// What an asker waits for whose reading has not begun.
  private struct Turn {
    var asker: Asker
    /// By when it was asked for first.
    var waiting: [String: UInt64] = [:]

    var next: String? { waiting.min { $0.value < $1.value }?.key }
  }

  private struct Open {
    var errand: Errand
    var asker: Asker
    var folders: [String]
    /// Those whose reading has not begun since.
    var unread: Set<String>
    /// Whether it waits for the one that is read.
    var isBeingRead = false
    var readings: [String: PackReading] = [:]

    var isFinished: Bool { unread.isEmpty && !isBeingRead }
  }

  /// The folder that is being read.
  private(set) var current: Reading?
  /// Whose turn that is.
  private var served: Asker?
  /// Those who wait, who is next first.
  private var turns: [Turn] = []
  /// Those of the folders which wait that somebody named.
  private var named: Set<String> = []
  private var open: [Open] = []
  private var askedCount: UInt64 = 0

  /// Has folders read, by and by.
  mutating func add(_ asked: Asked) {
    addTurn(of: asked.asker, asked.folders)
    if asked.areNamed { named.formUnion(asked.folders) }
    if let errand = asked.errand {
      open.append(
        Open(errand: errand, asker: asked.asker, folders: asked.folders, unread: Set(asked.folders)))
    }
  }

  private mutating func addTurn(of asker: Asker, _ folders: [String]) {
    guard !folders.isEmpty else { return }
    let place = turns.firstIndex { $0.asker == asker } ?? newPlace(of: asker)
    for folder in folders where turns[place].waiting[folder] == nil {
      turns[place].waiting[folder] = askedCount
      askedCount += 1
    }
  }

  /// The last, but for who is being served now.
  private mutating func newPlace(of asker: Asker) -> Int {
    let place = turns.firstIndex { $0.asker == served && asker != served } ?? turns.endIndex
    turns.insert(Turn(asker: asker), at: place)
    return place
  }

  /// A client has left. What it asked for is read all the same, among what the daemon itself wants: who comes again and again to ask
  /// has no more turns by that.
  mutating func leave(_ client: ClientID) {
    open.removeAll { $0.asker == .client(client) }
    guard let place = turns.firstIndex(where: { $0.asker == .client(client) }) else { return }
    let left = turns.remove(at: place).waiting.sorted { $0.value < $1.value }
    addTurn(of: .daemon, left.map(\.key))
  }

  /// Begins the next reading, where none is under way and something is to be read.
  mutating func begin() -> Reading? {
    guard current == nil, !turns.isEmpty else { return nil }
    let turn = turns.removeFirst()
    turns.append(turn)
    guard let folder = turn.next else { return nil }
    served = turn.asker
    for place in turns.indices { turns[place].waiting[folder] = nil }
    turns.removeAll { $0.waiting.isEmpty }
    for place in open.indices { open[place].isBeingRead = open[place].unread.remove(folder) != nil }
    current = Reading(folder: folder, isNamed: named.remove(folder) != nil)
    return current
  }

  /// The reading that was under way has come to that; answers the errands that are finished by it.
  mutating func end(with reading: PackReading) -> [Finished] {
    guard let folder = current?.folder else { return [] }
    (current, served) = (nil, nil)
    for place in open.indices where open[place].isBeingRead {
      open[place].readings[folder] = reading
      open[place].isBeingRead = false
    }
    defer { open.removeAll(where: \.isFinished) }
    return open.filter(\.isFinished).map { open in
      Finished(errand: open.errand, readings: open.folders.compactMap { open.readings[$0] })
    }
  }

  /// Whether nothing is read, nor to be.
  var isEmpty: Bool { current == nil && turns.isEmpty && open.isEmpty }
}
