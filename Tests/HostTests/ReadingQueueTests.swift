// SPDX-License-Identifier: Apache-2.0

import Engine
import SeededNumbers
import Testing
import Wire

@testable import Host

private func reading(_ folder: String, _ generation: Int = 1) -> PackReading {
  PackReading(pack: nil, path: folder, taken: true, generation: generation, problems: [], warnings: [])
}

/// What is read when, and who is answered by it.
@Suite struct ReadingQueueTests {
  private func client(_ number: UInt64) -> ReadingQueue.Asker { .client(ClientID(rawValue: number)) }

  /// All that is read from here on, in order.
  private func rest(of queue: inout ReadingQueue) -> [String] {
    var read: [String] = []
    while let next = queue.current ?? queue.begin() {
      read.append(next.folder)
      _ = queue.end(with: reading(next.folder))
    }
    return read
  }

  @Test func whoAskTakeTurns() {
    var queue = ReadingQueue()
    #expect(queue.begin() == nil && queue.isEmpty)
    queue.add(.init(folders: ["/a", "/b", "/c"], asker: client(1)))
    #expect(queue.begin()?.folder == "/a" && queue.begin() == nil)
    // Who comes while another is served is before that one's next.
    queue.add(.init(folders: ["/d"], asker: client(2)))
    queue.add(.init(folders: ["/e", "/f"], asker: .daemon))
    #expect(rest(of: &queue) == ["/a", "/d", "/e", "/b", "/f", "/c"])
    #expect(queue.isEmpty)
  }

  @Test func aFolderIsReadOnceForAllWhoAskedBeforeAndAgainForWhoAsksMeanwhile() {
    var queue = ReadingQueue()
    let (first, second, late) = (Errand(), Errand(), Errand())
    queue.add(.init(folders: ["/a"], asker: client(1), errand: first))
    queue.add(.init(folders: ["/a"], asker: client(2), errand: second))
    for _ in 0..<1_000 { queue.add(.init(folders: ["/a"], asker: .daemon)) }
    #expect(queue.begin()?.folder == "/a")
    queue.add(.init(folders: ["/a"], asker: client(3), errand: late))
    let finished = queue.end(with: reading("/a", 1))
    #expect(finished.map(\.errand).map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
    #expect(queue.begin()?.folder == "/a")
    #expect(queue.end(with: reading("/a", 2)).map(\.readings.first?.generation) == [2])
    #expect(queue.begin() == nil && queue.isEmpty)
  }

  @Test func anErrandHasItsReadingsInItsOwnOrder() {
    var queue = ReadingQueue()
    queue.add(.init(folders: ["/a", "/b", "/c"], asker: client(1), errand: Errand()))
    queue.add(.init(folders: ["/c"], asker: client(2)))
    var finished: [ReadingQueue.Finished] = []
    var order: [String] = []
    while let next = queue.begin() {
      order.append(next.folder)
      finished += queue.end(with: reading(next.folder))
    }
    #expect(order == ["/a", "/c", "/b"] && finished.map { $0.readings.map(\.path) } == [["/a", "/b", "/c"]])
  }

  @Test func aFolderIsNamedWhereSomebodyNamedItWhoWaitsForIt() {
    var queue = ReadingQueue()
    queue.add(.init(folders: ["/a"], asker: client(1)))
    queue.add(.init(folders: ["/a"], asker: client(2), areNamed: true))
    #expect(queue.begin() == .init(folder: "/a", isNamed: true))
    queue.add(.init(folders: ["/a"], asker: client(1)))
    _ = queue.end(with: reading("/a"))
    #expect(queue.begin() == .init(folder: "/a", isNamed: false))
  }

  /// Who comes again and again to ask for everything, and leaves, has no more than one turn by it.
  @Test func whatAClientThatLeftAskedForIsReadInTurnsOfTheDaemonsOwn() {
    var queue = ReadingQueue()
    for number in UInt64(1)...10 {
      queue.add(.init(folders: (0..<4).map { "/\(number)\($0)" }, asker: client(number), errand: Errand()))
      queue.leave(ClientID(rawValue: number))
    }
    queue.add(.init(folders: ["/a", "/b"], asker: client(11), errand: Errand()))
    let read = rest(of: &queue)
    #expect(read.prefix(4) == ["/10", "/a", "/11", "/b"] && read.count == 42)
    #expect(queue.isEmpty)
  }
}

/// A queue beside one that goes through all that ever happened.
@Suite struct ReadingQueueModelTests {
  private struct Ask {
    var asker: ReadingQueue.Asker
    var folders: [String]
    var errand: Errand
    var isNamed: Bool
    var time: Int
    var isFinished = false
    var hasLeft = false
  }

  private struct Read {
    var folder: String
    var begun: Int
    var ended: Int?
  }

  private struct Model {
    var asks: [Ask] = []
    var reads: [Read] = []
    var time = 0

    /// The reading of a folder that answers who asked at that time.
    func read(_ folder: String, askedAt time: Int) -> Int? {
      reads.firstIndex { $0.folder == folder && $0.begun > time }
    }

    /// The folders that an asker waits for whose reading has not begun.
    func waiting(_ asker: ReadingQueue.Asker) -> Set<String> {
      Set(
        asks.filter { $0.asker == asker }.flatMap { ask in
          ask.folders.filter { read($0, askedAt: ask.time) == nil }
        })
    }

    var askers: Set<ReadingQueue.Asker> { Set(asks.map(\.asker)) }
  }

  @Test(arguments: UInt64(0)..<60)
  func eachIsAnsweredByWhatWasReadAfterTheyAskedAndWaitsForOneOfEachOther(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var queue = ReadingQueue()
    var model = Model()
    // Of each who waits, who had a reading that was of no use to them since they began to wait, or since their last.
    var passed: [ReadingQueue.Asker: Int] = [:]
    var others: [ReadingQueue.Asker: Set<ReadingQueue.Asker>] = [:]

    func seeWhoWaits() {
      let waiting = model.askers.filter { !model.waiting($0).isEmpty }
      for asker in waiting { others[asker, default: []].formUnion(waiting.subtracting([asker])) }
      for asker in model.askers.subtracting(waiting) { (passed[asker], others[asker]) = (0, []) }
    }

    func begin() throws -> Bool {
      let before = Dictionary(uniqueKeysWithValues: model.askers.map { ($0, model.waiting($0)) })
      guard let next = queue.begin() else {
        #expect(before.values.allSatisfy(\.isEmpty) || queue.current != nil)
        return false
      }
      #expect(before.values.contains { $0.contains(next.folder) })
      let isNamed = model.asks.contains { ask in
        ask.isNamed && ask.folders.contains(next.folder) && model.read(next.folder, askedAt: ask.time) == nil
      }
      #expect(next.isNamed == isNamed)
      model.reads.append(Read(folder: next.folder, begun: model.time))
      let waited = Set(before.filter { !$0.value.isEmpty }.keys)
      for asker in waited {
        if before[asker, default: []].contains(next.folder) {
          (passed[asker], others[asker]) = (0, waited.subtracting([asker]))
        } else {
          passed[asker, default: 0] += 1
          #expect(passed[asker, default: 0] <= others[asker, default: []].count)
        }
      }
      seeWhoWaits()
      return true
    }

    func end() throws {
      guard let current = queue.current else { return }
      let place = model.reads.count - 1
      #expect(model.reads[place].folder == current.folder)
      model.reads[place].ended = model.time
      let finished = queue.end(with: reading(current.folder, place))
      var wanted: [ObjectIdentifier: [Int]] = [:]
      for index in model.asks.indices where !model.asks[index].isFinished && !model.asks[index].hasLeft {
        let ask = model.asks[index]
        let reads = ask.folders.compactMap { model.read($0, askedAt: ask.time) }
        guard reads.count == ask.folders.count, reads.allSatisfy({ model.reads[$0].ended != nil }) else { continue }
        model.asks[index].isFinished = true
        wanted[ObjectIdentifier(ask.errand)] = reads
      }
      #expect(finished.count == wanted.count)
      for one in finished {
        #expect(one.readings.compactMap(\.generation) == wanted[ObjectIdentifier(one.errand)])
      }
    }

    let folders = (0..<Int.random(in: 1...8, using: &random)).map { "/\($0)" }
    let clients = UInt64.random(in: 1...5, using: &random)
    for _ in 0..<200 {
      model.time += 1
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let number = UInt64.random(in: 0...clients, using: &random)
        let asker = number == 0 ? ReadingQueue.Asker.daemon : .client(ClientID(rawValue: number))
        let asked = folders.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        let errand = Errand()
        let isNamed = Int.random(in: 0..<4, using: &random) == 0
        if asked.isEmpty { continue }
        queue.add(.init(folders: asked, asker: asker, errand: errand, areNamed: isNamed))
        model.asks.append(Ask(asker: asker, folders: asked, errand: errand, isNamed: isNamed, time: model.time))
        seeWhoWaits()
      case 3:
        let number = UInt64.random(in: 1...clients, using: &random)
        queue.leave(ClientID(rawValue: number))
        for index in model.asks.indices where model.asks[index].asker == .client(ClientID(rawValue: number)) {
          (model.asks[index].asker, model.asks[index].hasLeft) = (.daemon, true)
        }
        (passed[.client(ClientID(rawValue: number))], others[.client(ClientID(rawValue: number))]) = (0, [])
        seeWhoWaits()
      case 4..<7: _ = try begin()
      default: try end()
      }
    }
    repeat {
      model.time += 1
      try end()
      model.time += 1
    } while try begin()
    #expect(queue.isEmpty)
    #expect(model.asks.allSatisfy { $0.isFinished || $0.hasLeft })
    #expect(model.askers.allSatisfy { model.waiting($0).isEmpty })
  }
}
