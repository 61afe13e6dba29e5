// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import Problems
import SeededNumbers
import Timing

@testable import HapticOutput

/// Pads that are plugged in and unplugged, threads that have them, and control that looks: what the roster decides for, without a
/// kernel. Threads come by at any moment, between any two things that control reads.
struct PadWorld {
  /// What is plugged in; another each time.
  struct Plugged {
    let id: Int
    var pad: HapticPad
    var opens = true
    /// Which of the pads that one can buy, plugged in anew it is the same; nil where a program made it.
    let bought: Int?
  }

  /// A device of the roster's.
  struct Thread {
    let number: UInt8
    let pad: HapticPad
    let bought: Int?
    /// As it was plugged in.
    let first: Int
    var held: (id: Int, path: String)?
    var gain: Double
    var hangs = false
    var isEnding = false
    var failure: Problem?
  }

  var roster: PadRoster
  private(set) var plugged: [Plugged] = []
  private(set) var threads: [Thread] = []
  private(set) var now = Instant.zero
  private var lastID = 0
  private var out: [Int]

  /// Pads that one can buy: two alike, with the name of a third; three of a make with serial numbers.
  static let bought: [(name: String, product: UInt16, unique: String)] = [
    ("Pad", 1, ""), ("Pad", 1, ""), ("Pad", 2, ""), ("Serial", 3, "a"), ("Serial", 3, "b"),
  ]
  /// Whether no other is like it.
  static func isAlone(_ bought: Int) -> Bool { bought > 1 }

  init(_ selection: HapticSelection, most: UInt8) {
    roster = PadRoster(selection, most: most)
    out = Array(Self.bought.indices)
  }

  func at(_ path: String) -> Plugged? { plugged.first { $0.pad.path == path } }
  func plugged(_ id: Int) -> Plugged? { plugged.first { $0.id == id } }
  func thread(_ number: UInt8) -> Thread? { threads.first { $0.number == number && !$0.isEnding } }
  var hangs: Bool { threads.contains(where: \.hangs) }

  func standing(_ slot: PadRoster.Slot) -> PadRoster.Standing {
    let thread = thread(slot.number)
    return roster.standing(of: slot, at: thread?.held?.path, thread?.failure)
  }

  /// What is passed over, but for that of which it is told why.
  var unused: [PadRoster.PassedOver] {
    let told = roster.slots.compactMap { standing($0).path }
    return roster.passedOver.filter { !told.contains($0.pad.path) }
  }

  // MARK: - What happens

  mutating func plugIn(_ random: inout SeededRandom) {
    guard plugged.count < 6 else { return }
    lastID += 1
    // The kernel gives a node's number to no other before the last call in it has come back.
    let taken = plugged.map(\.pad.path) + threads.filter(\.hangs).compactMap { $0.held?.path }
    guard let path = (0...9).map({ "/dev/input/event\($0)" }).first(where: { !taken.contains($0) }) else { return }
    let isPermitted = !random.oneIn(4)
    var pad: HapticPad
    var bought: Int?
    if random.oneIn(4) || out.isEmpty {
      let name = random.pick(["Pad", "Made"])
      pad = HapticPad(path: path, number: lastID, name: name, bus: 6, vendor: 0, product: 0, effects: [.rumble])
    } else {
      let index = out.remove(at: random.next(below: out.count))
      let kind = Self.bought[index]
      bought = index
      pad = HapticPad(
        path: path, number: lastID, name: kind.name, bus: 3, vendor: 1, product: kind.product, unique: kind.unique,
        effects: [.rumble])
    }
    pad.isPermitted = isPermitted
    plugged.append(Plugged(id: lastID, pad: pad, opens: !random.oneIn(6), bought: bought))
    plugged.sort { $0.pad.path < $1.pad.path }
  }

  mutating func unplug(_ random: inout SeededRandom) {
    guard !plugged.isEmpty else { return }
    let gone = plugged.remove(at: random.next(below: plugged.count))
    if let bought = gone.bought { out.append(bought) }
  }

  mutating func changeAccess(_ random: inout SeededRandom) {
    guard !plugged.isEmpty else { return }
    let index = random.next(below: plugged.count)
    if random.oneIn(3) { plugged[index].opens.toggle() } else { plugged[index].pad.isPermitted.toggle() }
  }

  mutating func hang(_ random: inout SeededRandom) {
    guard !threads.isEmpty else { return }
    let index = random.next(below: threads.count)
    // A call in a pad that has gone comes back at once.
    threads[index].hangs = threads[index].held.map { plugged($0.id) != nil } ?? true
  }

  mutating func letGo() { for index in threads.indices { threads[index].hangs = false } }

  /// A write fails as if the pad had gone.
  mutating func loseOne(_ random: inout SeededRandom) {
    guard !threads.isEmpty else { return }
    let index = random.next(below: threads.count)
    guard !threads[index].hangs, threads[index].bought.map(Self.isAlone) ?? true else { return }
    (threads[index].held, threads[index].failure) = (nil, Problem(.padMissing, "unplugged"))
  }

  mutating func setGain(_ gain: Double, of number: UInt8) {
    roster.setGain(gain, of: number)
    if let index = threads.firstIndex(where: { $0.number == number && !$0.isEnding }) { threads[index].gain = gain }
  }

  // MARK: - Threads

  private var claimed: Set<String> { Set(threads.compactMap { $0.held?.path }) }

  mutating func stepSome(_ random: inout SeededRandom) {
    while !threads.isEmpty, random.oneIn(2) { step(threads[random.next(below: threads.count)].number) }
  }

  mutating func stepAll() { for thread in threads { step(thread.number) } }

  /// What a device's thread does when it comes by: ends, lets go of a pad that has gone, and takes back its own.
  private mutating func step(_ number: UInt8) {
    for index in threads.indices.reversed() where threads[index].number == number && !threads[index].hangs {
      if threads[index].isEnding {
        threads.remove(at: index)
        continue
      }
      var thread = threads[index]
      if let held = thread.held, plugged(held.id) == nil {
        (thread.held, thread.failure) = (nil, Problem(.padMissing, "unplugged"))
      }
      for one in plugged where thread.held == nil && isSame(one, thread) && !claimed.contains(one.pad.path) {
        if one.pad.isPermitted, one.opens {
          (thread.held, thread.failure) = ((one.id, one.pad.path), nil)
        } else if one.pad.isPermitted {
          thread.failure = Problem(.padFailed, "cannot be opened")
        }
      }
      threads[index] = thread
    }
  }

  private func isSame(_ one: Plugged, _ thread: Thread) -> Bool {
    guard let bought = thread.bought else { return one.id == thread.first }
    return one.bought.map { Self.bought[$0] == Self.bought[bought] } ?? false
  }

  // MARK: - Control

  /// A look while all around it goes on.
  mutating func look(after time: Interval, _ random: inout SeededRandom) {
    let slowEnds = random.oneIn(4)
    if random.oneIn(4) { look(after: time, slowEnds) { $0.change(&random) } }
    look(after: time, slowEnds) { $0.stepSome(&random) }
  }

  /// As the daemon does: reads what there is, has it decided what to do, and does it. Between any two of these things `others` may do
  /// something. Threads that are slow to end are left behind.
  mutating func look(
    after time: Interval, _ slowEnds: Bool = false, _ others: (inout PadWorld) -> Void = { _ in }
  ) {
    now += time
    let pads = plugged.map(\.pad)
    others(&self)
    let places = Dictionary(
      uniqueKeysWithValues: threads.filter { !$0.isEnding }.compactMap { thread in
        thread.held.map { (thread.number, $0.path) }
      })
    others(&self)
    carryOut(roster.look(pads, places: places), slowEnds)
    others(&self)
    let claimed = claimed
    others(&self)
    carryOut(roster.open(besides: claimed, at: now), slowEnds)
  }

  /// What is plugged in changes.
  mutating func change(_ random: inout SeededRandom) {
    switch random.next(below: 5) {
    case 0, 1: plugIn(&random)
    case 2: unplug(&random)
    case 3:
      unplug(&random)
      plugIn(&random)
    default: changeAccess(&random)
    }
  }

  private mutating func carryOut(_ actions: [PadRoster.Action], _ slowEnds: Bool) {
    for action in actions {
      switch action {
      case .end(let number):
        for index in threads.indices where threads[index].number == number { threads[index].isEnding = true }
        if !slowEnds { step(number) }
      case .open(let pad, let number, let gain):
        if let code = open(pad, number, gain) {
          roster.failed(number, .opening(pad, errno: code))
        } else {
          roster.opened(number)
        }
      }
    }
  }

  private mutating func open(_ pad: HapticPad, _ number: UInt8, _ gain: Double) -> Int32? {
    guard let there = at(pad.path), there.pad.number == pad.number else { return ENODEV }
    if claimed.contains(pad.path) { return EBUSY }
    if !there.pad.isPermitted { return EACCES }
    if !there.opens { return EIO }
    threads.append(
      Thread(
        number: number, pad: pad, bought: there.bought, first: there.id, held: (there.id, pad.path), gain: gain))
    return nil
  }
}
