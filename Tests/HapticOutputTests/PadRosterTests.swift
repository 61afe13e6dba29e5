// SPDX-License-Identifier: Apache-2.0

import Haptics
import Problems
import SeededNumbers
import Testing
import Timing

@testable import HapticOutput

/// Pads that come, go, are denied, hang and change their paths at random: what is told of them, and their gains, is as the documents
/// promise.
@Suite struct PadRosterTests {
  @Test func padsThatComeAndGoAtRandomAreUsedAndKeepTheirGains() throws {
    var seen = PadRun.Seen()
    try search(upTo: 300) { random in
      let names = ["all", "all", "pad", "serial", "made, serial", "/dev/input/event0, made", "wheel,/dev/input/event2"]
      let isCrowded = random.oneIn(4)
      guard let selection = HapticSelection(random.pick(names)) else { return }
      var run = PadRun(selection, most: isCrowded ? 6 : 40)
      for _ in 0..<60 { try run.turn(&random) }
      seen.add(run.seen)
    }
    #expect(seen.gains > 100 && seen.returns > 100 && seen.denials > 100 && seen.heldUp > 20, "\(seen)")
  }

  private func pad(_ number: Int, _ name: String = "Pad", path: String = "/dev/input/event3") -> HapticPad {
    HapticPad(path: path, number: number, name: name, bus: 3, vendor: 1, product: 2, unique: name, effects: [.rumble])
  }

  @Test func aPadAtAPathThatIsNotLetGoOfIsToldAfterASecondAndUsedOnceItIs() {
    var roster = PadRoster(.all)
    let (path, zero) = (pad(1).path, Instant(microseconds: 1_000_000))
    _ = roster.look([pad(1)], places: [:])
    #expect(roster.open(besides: [path], at: zero) == [])
    _ = roster.look([pad(1)], places: [:])
    #expect(roster.open(besides: [path], at: zero + .seconds(1)) == [])
    #expect(roster.passedOver.map(\.since) == [zero] && roster.slots.isEmpty)
    _ = roster.look([pad(1)], places: [:])
    #expect(roster.open(besides: [], at: zero + .seconds(2)) == [.open(pad(1), number: 1, gain: 1)])
    #expect(roster.passedOver.isEmpty)
    let problem = Problem.heldUp(pad(1))
    #expect(problem.kind == .deviceHangs && problem.description.contains("Pad at /dev/input/event3 is not used"))
  }

  @Test func numbersAreGivenAnewAsLateAsCanBe() {
    var roster = PadRoster(.all, most: 3)
    var given: [UInt8] = []
    for turn in 1...7 {
      _ = roster.look([pad(0, "Stays", path: "/dev/input/event0"), pad(turn, "\(turn)")], places: [:])
      for case .open(let pad, let number, _) in roster.open(besides: [], at: .zero) where pad.name != "Stays" {
        given.append(number)
      }
    }
    #expect(given == [2, 3, 2, 3, 2, 3, 2])
  }
}

/// Some pads, and what was told of them when all had come to rest last.
private struct PadRun {
  /// How often something was met that is worth holding anybody to.
  struct Seen {
    var (gains, returns, denials, heldUp) = (0, 0, 0, 0)

    mutating func add(_ other: Seen) {
      gains += other.gains
      returns += other.returns
      denials += other.denials
      heldUp += other.heldUp
    }
  }

  /// What is listed.
  private struct Entry {
    var name: String
    var bought: Int?
    var gain: Double
    /// What is plugged in; nil where it is not.
    var id: Int?
    var isHeld: Bool
  }

  private(set) var seen = Seen()
  private let selection: HapticSelection
  private let isCrowded: Bool
  private var world: PadWorld
  private var entries: [UInt8: Entry] = [:]

  init(_ selection: HapticSelection, most: UInt8) {
    self.selection = selection
    isCrowded = most < 40
    world = PadWorld(selection, most: most)
  }

  mutating func turn(_ random: inout SeededRandom) throws {
    switch random.next(below: 8) {
    case 0, 1, 2: world.change(&random)
    case 3: world.stepSome(&random)
    case 4: if random.oneIn(2) { world.hang(&random) } else { world.loseOne(&random) }
    case 5: world.look(after: .milliseconds(random.integer(0...2_000)), &random)
    default:
      try rest()
      try setGain(&random)
    }
    try checkAlways()
  }

  /// Control has looked as often as it does after a change, and nothing more happens; hanging threads come back last.
  private mutating func rest() throws {
    for time in [0, 100, 1_000] as [Int64] {
      world.look(after: .milliseconds(time))
      world.stepAll()
    }
    if world.hangs {
      try checkHeldUp()
      world.letGo()
      world.stepAll()
    }
    // What held a pad up lets go of it without a word, so control looks again while one is not used.
    for _ in 0..<4 where !world.unused.isEmpty {
      world.look(after: .seconds(5))
      world.stepAll()
    }
    try hold(world.unused.isEmpty, "\(world.unused) are passed over for ever")
    try check()
  }

  private mutating func setGain(_ random: inout SeededRandom) throws {
    guard random.oneIn(2), !world.roster.slots.isEmpty else { return }
    let listed = world.roster.slots.map { (slot: $0, standing: world.standing($0)) }
    let one = random.pick(listed)
    let name = random.oneIn(2) ? one.standing.path ?? one.slot.pad.name : one.slot.pad.name
    let meant =
      listed.first { $0.standing.path == name } ?? listed.first { $0.slot.pad.name == name && $0.standing.path != nil }
      ?? listed.first { $0.slot.pad.name == name }
    let found = world.roster.slot(called: name, world.standing)
    try hold(found?.number == meant?.slot.number, "\(name) is taken for \(String(describing: found))")
    guard let number = found?.number else { return }
    let gain = Double(random.integer(1...999)) / 1_000
    world.setGain(gain, of: number)
    entries[number]?.gain = gain
    seen.gains += 1
  }

  private func checkAlways() throws {
    let slots = world.roster.slots
    let numbers = slots.map(\.number)
    try hold(Set(numbers).count == numbers.count && !numbers.contains(0), "numbers \(numbers)")
    let ready = slots.map(world.standing).filter { $0.state == .ready }.map { $0.path ?? "" }
    try hold(Set(ready).count == ready.count && !ready.contains(""), "ready \(ready)")
  }

  private func isWanted(_ pad: HapticPad) -> Bool {
    guard case .named(let names) = selection else { return true }
    return names.contains { pad.path == $0 || pad.name.lowercased().contains($0.lowercased()) }
  }

  /// While threads hang, each pad is listed or told as held up.
  private mutating func checkHeldUp() throws {
    let listed = world.roster.slots.compactMap { world.standing($0).path }
    for one in world.plugged where isWanted(one.pad) && !listed.contains(one.pad.path) {
      let passed = world.unused.first { $0.pad.number == one.pad.number }
      try hold(
        passed.map { world.now - $0.since >= .seconds(1) } ?? false, "\(one.pad.path) is passed over without a word")
      seen.heldUp += 1
    }
  }

  private mutating func check() throws {
    var listed: [UInt8: Entry] = [:]
    for slot in world.roster.slots {
      let standing = world.standing(slot)
      let thread = world.thread(slot.number)
      let there = standing.path.flatMap(world.at)
      let said = "slot \(slot.number) of \(slot.pad.name): \(standing)"
      try hold((standing.state == .unplugged) == (standing.path == nil), said)
      try hold(standing.path == nil || there?.pad.name == slot.pad.name, "\(said) is \(String(describing: there))")
      if let thread { try hold(thread.gain == slot.gain, "\(said) plays by \(thread.gain), not \(slot.gain)") }
      try hold(there != nil || slot.pad.bus != 6, "\(said) is kept")
      if standing.state == .denied { seen.denials += 1 }
      let bought =
        there.map { $0.bought } ?? thread.map { $0.bought }
        ?? PadWorld.bought.firstIndex {
          ($0.product, $0.unique) == (slot.pad.product, slot.pad.unique)
        }
      listed[slot.number] = Entry(
        name: slot.pad.name, bought: bought, gain: slot.gain, id: there?.id, isHeld: thread?.held != nil)
    }
    try checkPresent(listed)
    if !isCrowded { try checkKept(listed) }
    let missing = ["wheel", "pad", "serial", "made", "/dev/input/event0", "/dev/input/event2"].filter { name in
      guard case .named(let names) = selection, names.contains(name) else { return false }
      return !world.plugged.contains { $0.pad.path == name || $0.pad.name.lowercased().contains(name) }
    }
    try hold(Set(world.roster.missing) == Set(missing), "missing \(world.roster.missing), not \(missing)")
    entries = listed
  }

  /// Each pad that is wanted is listed once, and plays where it can.
  private func checkPresent(_ listed: [UInt8: Entry]) throws {
    for one in world.plugged {
      let places = world.roster.slots.filter { world.standing($0).path == one.pad.path }
      let said = "\(one.pad.path) \(one.pad.name)"
      try hold(places.count <= 1, "\(said) is listed \(places.count) times")
      guard let slot = places.first else {
        try hold(!isWanted(one.pad), "\(said) is not listed")
        continue
      }
      let state = world.standing(slot).state
      let isHeld = world.threads.contains { $0.held?.id == one.id }
      let expected: PadRoster.Standing.State =
        isHeld || one.pad.isPermitted && one.opens ? .ready : one.pad.isPermitted ? .failed : .denied
      try hold(state == expected && isHeld == (expected == .ready), "\(said) is \(state), not \(expected)")
    }
  }

  /// Since all had come to rest last no gain was set: each is where it was.
  private mutating func checkKept(_ listed: [UInt8: Entry]) throws {
    for (number, old) in entries {
      let new = listed[number]
      let isAlone = old.bought.map(PadWorld.isAlone) ?? true
      let stays = old.id.flatMap(world.plugged) != nil
      let said = "\(old.name) of number \(number), gain \(old.gain)"
      if stays, isAlone || new?.isHeld == true && new?.id == old.id {
        try hold(new?.id == old.id && new?.gain == old.gain, "\(said) is \(String(describing: new))")
      } else if let bought = old.bought, isAlone, old.isHeld || old.gain != 1 {
        // What was felt once is known for good, and so is a gain that was set.
        try hold(new?.bought == bought && new?.gain == old.gain, "\(said) became \(String(describing: new))")
        if new?.id != nil { seen.returns += 1 }
      }
    }
    for (number, new) in listed where new.bought == nil && new.id != entries[number]?.id {
      try hold(new.gain == 1, "\(new.name) of number \(number) is new, with \(new.gain)")
    }
    // Two alike: which is which nobody knows, but neither gain is lost or given twice.
    let (before, after) = (gainsOfTwins(entries), gainsOfTwins(listed))
    try hold(before == after, "\(before) became \(after)")
    let twins = listed.filter { $0.value.bought.map(PadWorld.isAlone) == false }
    try hold(twins.count <= 2, "\(twins.count) of two alike")
  }

  private func gainsOfTwins(_ entries: [UInt8: Entry]) -> [Double] {
    entries.values.filter { $0.bought.map(PadWorld.isAlone) == false && $0.gain != 1 }.map(\.gain).sorted()
  }
}
