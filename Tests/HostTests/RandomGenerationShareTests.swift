// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Host

/// A pack that is read anew, or taken out and loaded again, among clients who hold this and that of its readings, against what
/// docs/protocol.md says of that: by what they were answered and told alone.
@Suite struct RandomGenerationShareTests {
  @Test(.timeLimit(.minutes(10))) func whoIsWithinTheirShareLosesNothingAndNobodyElseIsInTheWay() throws {
    try search(upTo: 8) { random in
      var stage = try GenerationStage()
      let greed = random.pick([2, 4, 10])
      for _ in 0..<60 {
        for _ in 0..<random.integer(0...2) {
          try stage.begin(random.oneIn(greed) ? random.pick(stage.users) : 0, &random)
        }
        if random.oneIn(5) { try stage.end(&random) }
        if random.oneIn(40) { try stage.leave(&random) }
        if !random.oneIn(4) { try stage.readAnew(&random) }
      }
      try stage.finish()
    }
  }
}

/// A host, its clients, and what they hold.
private struct GenerationStage {
  /// One thing that plays or is planned.
  private enum Thing: Hashable {
    case sound(Int64)
    case player(Int64)
    case music(Int64)
  }

  private struct Held {
    var client: UInt64
    var generation: Int
    /// The cue that it is part of.
    var cue: Int64?
  }

  private let rig: HostRig
  private var held: [Thing: Held] = [:]
  private var generation = 1
  /// Of which user each client is.
  private var clients: [UInt64: UInt32] = [:]
  private var lastClient: UInt64 = 1
  let users: [UInt32] = [7, 7, 8]

  private static let (most, ofAClient, ofAUser) = (16, 4, 12)

  init() throws { rig = try GenerationShareTests.rig() }

  // MARK: - What clients do

  /// A client of that user, or for 0 one that has nothing yet, begins or plans something.
  mutating func begin(_ user: UInt32, _ random: inout SeededRandom) throws {
    let known = clients.filter { $0.value == user }.keys.sorted()
    let client: UInt64
    if let one = known.last, !random.oneIn(6) {
      client = random.oneIn(2) ? one : random.pick(known)
    } else {
      lastClient += 1
      client = lastClient
      clients[client] = user == 0 ? random.pick([7, 8, 9]) : user
    }
    let later = rig.host.now.microseconds + random.integer(1_800_000_000...3_500_000_000)
    let at = random.oneIn(2) ? #","atUs":\#(later)"# : ""
    switch random.next(below: 5) {
    case 0...1:
      let played: SoundPlay.Result? = try ask("sound.play", #"{"sound":"sfx_click","loop":true\#(at)}"#, client)
      if let id = played?.id { hold(.sound(id), client) }
    case 2:
      let played: HapticsPlay.Result? = try ask("haptics.play", #"{"pattern":"hum","loop":true\#(at)}"#, client)
      if let player = played?.player { hold(.player(player), client) }
    case 3:
      let planned: MusicPlay.Result? = try ask("music.play", #"{"track":"main","atUs":\#(later)}"#, client)
      if let plan = planned?.plan { hold(.music(plan), client) }
    default:
      let before = Set(held.keys)
      let fired: CueFire.Result? = try ask("cue.fire", #"{"cue":"hit","atUs":\#(later)}"#, client)
      try SeededNumbers.hold(held.keys.allSatisfy(before.contains), "a cue is told before it comes")
      // Its parts are known by what is told of them; what holds the reading is the whole.
      if let id = fired?.id { held[.music(-id)] = Held(client: client, generation: generation, cue: id) }
    }
    rig.step(microseconds: random.integer(0...30_000))
    try hear(expecting: nil)
  }

  /// Somebody stops something of their own.
  mutating func end(_ random: inout SeededRandom) throws {
    guard !held.isEmpty else { return }
    let things = held.keys.sorted { "\($0)" < "\($1)" }
    let thing = random.pick(things)
    guard let one = held[thing] else { return }
    switch thing {
    case .sound(let id): _ = rig.ask("sound.stop", #"{"id":\#(id)}"#, client: one.client)
    case .player(let player): _ = rig.ask("haptics.stop", #"{"player":\#(player)}"#, client: one.client)
    case .music(let plan) where plan > 0: _ = rig.ask("music.cancel", #"{"plan":\#(plan)}"#, client: one.client)
    case .music(let cue): _ = rig.ask("cue.stop", #"{"id":\#(-cue)}"#, client: one.client)
    }
    held[thing] = nil
    try settle()
  }

  /// A client goes, and with it all but the music that it planned.
  mutating func leave(_ random: inout SeededRandom) throws {
    guard !clients.isEmpty else { return }
    let client = random.pick(clients.keys.sorted())
    rig.host.clientLeft(.init(rawValue: client))
    for (thing, one) in held where one.client == client {
      if case .music(let plan) = thing, plan > 0 { continue }
      held[thing] = nil
    }
    // Another may come in its place, and is another: what it left stays its own and its user's.
    gone[client] = clients.removeValue(forKey: client)
    try settle()
  }

  private var gone: [UInt64: UInt32] = [:]

  /// The pack is read anew, or taken out and loaded again; held against who may lose what.
  mutating func readAnew(_ random: inout SeededRandom) throws {
    try settle()
    let isUsed = held.values.contains { $0.generation == generation }
    let used = Set(held.values.map(\.generation))
    let isFull = isUsed && used.count > Self.most
    let admissible = isFull ? used.filter { mayEnd($0) } : Set<Int>()
    let isTaken: Bool
    if random.oneIn(3) {
      let out = rig.ask("pack.unload", #"{"pack":"game"}"#)
      isTaken = out.contains(#""result""#)
      if isTaken {
        generation = try read("pack.load", #"{"path":"\#(rig.directory)"}"#, PackReading.self).generation ?? 0
      }
    } else {
      let all = try read("pack.reload", "{}", PackReload.Result.self)
      isTaken = all.packs.first?.taken ?? false
      generation = all.packs.first?.generation ?? 0
    }
    try SeededNumbers.hold(
      isTaken == (!isFull || !admissible.isEmpty),
      "of \(used.sorted()) \(admissible.sorted()) may end, taken: \(isTaken)")
    let before = held
    rig.step(microseconds: 150_000)
    try hear(expecting: isTaken && isFull ? admissible : [])
    let lost = Set(before.filter { held[$0.key] == nil }.map(\.value.generation))
    try SeededNumbers.hold(lost.count == (isTaken && isFull ? 1 : 0), "what was lost is of \(lost.sorted())")
    try SeededNumbers.hold(
      !held.values.contains { lost.contains($0.generation) }, "something is left of \(lost.sorted())")
    try checkKept()
  }

  // MARK: - What is to be

  private func user(of client: UInt64) -> UInt32 { clients[client] ?? gone[client] ?? 0 }

  /// Whether each who holds a reading holds more than their share; and where clients alone do, that it is one of theirs.
  private func mayEnd(_ generation: Int) -> Bool {
    let used = Set(held.values.map(\.generation))
    let byClient = used.filter { one in holders(one).allSatisfy { count(client: $0) > Self.ofAClient } }
    if !byClient.isEmpty { return byClient.contains(generation) }
    return holders(generation).allSatisfy {
      count(client: $0) > Self.ofAClient || count(user: user(of: $0)) > Self.ofAUser
    }
  }

  private func holders(_ generation: Int) -> Set<UInt64> {
    Set(held.values.lazy.filter { $0.generation == generation }.map(\.client))
  }

  private func count(client: UInt64) -> Int {
    Set(held.values.lazy.filter { $0.client == client }.map(\.generation)).count
  }

  private func count(user: UInt32) -> Int {
    Set(held.values.lazy.filter { self.user(of: $0.client) == user }.map(\.generation)).count
  }

  private func checkKept() throws {
    let kept = Set(held.values.map(\.generation)).subtracting([generation]).count
    try SeededNumbers.hold(kept <= Self.most, "\(kept) earlier readings are held")
    try SeededNumbers.hold(
      rig.host.bank.earlierCount == kept, "\(rig.host.bank.earlierCount) earlier readings are kept, and \(kept) held")
  }

  /// All ends: nothing is left.
  mutating func finish() throws {
    for client in clients.keys.sorted() { rig.host.clientLeft(.init(rawValue: client)) }
    _ = rig.ask("music.stop")
    rig.step(microseconds: 1_000_000)
    let left = rig.host.holdings.filter { $0.value != 0 }
    try SeededNumbers.hold(left.isEmpty, "what is left: \(left)")
  }

  // MARK: - What is told

  private mutating func hold(_ thing: Thing, _ client: UInt64) {
    held[thing] = Held(client: client, generation: generation)
  }

  /// What was stopped fades.
  private mutating func settle() throws {
    rig.step(microseconds: 150_000)
    try hear(expecting: [])
  }

  /// Takes in what was told: only what is of one of these readings may be told as outdated; nil where nobody knows.
  private mutating func hear(expecting admissible: Set<Int>?) throws {
    for notification in rig.host.takeNotifications() {
      guard case .notification(let name, _, _, let params) = ServerMessage(line: notification.line(seq: 1)) else {
        continue
      }
      let text = String(decoding: params, as: UTF8.self)
      // Of a player that never begins no reason is told.
      let isUnbegun = name == "haptics.changed" && text.contains(#""change":"cancelled""#)
      guard text.contains(#""reason":"outdated""#) || isUnbegun else { continue }
      let thing: Thing
      var cue: Int64?
      switch name {
      case "sound.finished":
        let told = try decodeJSON(SoundFinished.self, from: params)
        (thing, cue) = (.sound(told.id), told.cue)
      case "haptics.changed":
        let told = try decodeJSON(HapticsChanged.self, from: params)
        (thing, cue) = (.player(told.player), told.cue)
      case "music.cancelled":
        let told = try decodeJSON(MusicCancelled.self, from: params)
        (thing, cue) = (.music(told.plan), told.cue)
      case "cue.cancelled": thing = .music(-(try decodeJSON(CueCancelled.self, from: params).id))
      default: throw Unmet("\(name) is told as outdated")
      }
      // What is of a cue ends with it, which is told as well.
      if isUnbegun && held[thing] == nil || cue.map({ ended.contains(.music(-$0)) }) ?? false { continue }
      guard let one = held[thing] else { throw Unmet("\(text) is of nothing that is held") }
      try SeededNumbers.hold(admissible?.contains(one.generation) ?? false, "\(text) of \(one) was not to end")
      held[thing] = nil
      ended.insert(thing)
    }
  }

  private var ended: Set<Thing> = []

  // MARK: - Asking

  /// What a client is answered; nil where it is refused as it may be, for asking for too much.
  private func ask<Value: Decodable>(_ method: String, _ params: String, _ client: UInt64) throws -> Value? {
    let reply = rig.ask(method, params, client: client, user: user(of: client))
    if reply.contains(#""kind":"busy""#) { return nil }
    return try HostRig.result(reply, Value.self)
  }

  private func read<Value: Decodable>(_ method: String, _ params: String, _ type: Value.Type) throws -> Value {
    try rig.result(method, params)
  }
}
