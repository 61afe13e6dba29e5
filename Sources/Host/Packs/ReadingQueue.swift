// SPDX-License-Identifier: Apache-2.0

/// Folders that are to be read as packs: one round at a time. What is asked for while a round is under way joins the next,
/// each folder once, whoever asks how often; so who asks is always answered by what was in the folder after they asked.
///
/// Pure: who reads, and when, is its caller's.
struct ReadingQueue {
  /// Somebody who waits for folders to be read.
  struct Waiting {
    var folders: [String]
    var errand: Errand?
    /// Whether somebody named them: what is in them takes the place of a pack of its name from elsewhere.
    var areNamed = false
  }

  /// Folders that are read together, and who waits for them.
  struct Round {
    fileprivate(set) var folders: [String] = []
    fileprivate(set) var waiting: [Waiting] = []
    /// Those of the folders that somebody named.
    fileprivate(set) var named: Set<String> = []

    fileprivate mutating func add(_ asked: Waiting) {
      for folder in asked.folders where !folders.contains(folder) { folders.append(folder) }
      if asked.areNamed { named.formUnion(asked.folders) }
      if asked.errand != nil { waiting.append(asked) }
    }
  }

  private var running: Round?
  private var next = Round()

  /// Has folders read, with the next round.
  mutating func add(_ asked: Waiting) { next.add(asked) }

  /// Begins the next round, where none is under way and something is to be read; answers its folders.
  mutating func begin() -> [String]? {
    guard running == nil, !next.folders.isEmpty else { return nil }
    running = next
    next = Round()
    return running?.folders
  }

  /// The round is over; answers it.
  mutating func end() -> Round? {
    defer { running = nil }
    return running
  }

  /// Whether nothing is read, nor to be.
  var isEmpty: Bool { running == nil && next.folders.isEmpty }
}
