// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Testing

@Suite struct VoiceTests {
  @Test(arguments: [(0, 1_000), (137, 901), (5, 6)]) func loopsAreExactAndGapless(_ loop: (start: Int, end: Int)) {
    let studio = Studio()
    studio.start(studio.counter(frames: 1_000, loop: loop.start..<loop.end), at: 10)
    let out = studio.render(5_000)
    var place = 0
    for frame in 10..<5_000 {
      #expect(out[frame].left == count(place), "frame \(frame)")
      place += 1
      if place == loop.end { place = loop.start }
    }
  }

  @Test func aStartBehindTheLoopIsWrappedIntoIt() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100, loop: 10..<20), at: 0, sourceFrame: 57)
    #expect(studio.render(5).map(\.left) == [17, 18, 19, 10, 11].map(count))
  }

  @Test func aLoopOutsideTheSourceIsCutToIt() {
    let studio = Studio()
    studio.start(studio.counter(frames: 10, loop: 8..<500), at: 0)
    #expect(studio.render(14).map(\.left) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 9, 8, 9].map(count))
  }

  @Test(arguments: [-1, -0.5, 0, 0.25, 1] as [Float]) func panKeepsThePower(_ place: Float) {
    let studio = Studio()
    studio.start(studio.constant(0.25), at: 0, pan: place)
    let value = studio.render(1)[0]
    let angle = Double.pi / 4 * (Double(place) + 1)
    #expect(abs(Double(value.left) - 0.25 * 2.0.squareRoot() * cos(angle)) < 1e-7)
    #expect(abs(Double(value.right) - 0.25 * 2.0.squareRoot() * sin(angle)) < 1e-7)
    if place == 0 { #expect(value == Frame(left: 0.25, right: 0.25)) }
    if place == -1 { #expect(value.right == 0) }
    if place == 1 { #expect(value.left == 0) }
  }

  @Test func aFullHouseStealsTheQuietestThenTheOldest() {
    let studio = Studio(MixerConfiguration(effectVoices: 3, effectReserve: 3))
    let dc = studio.constant(0.1)
    let a = studio.start(dc, at: 0, gain: 1)
    let b = studio.start(dc, at: 1, gain: 0.5)
    let c = studio.start(dc, at: 2, gain: 0.5)
    let d = studio.start(dc, at: 1_000, gain: 1)
    let e = studio.start(dc, at: 2_000, gain: 1)
    let f = studio.start(dc, at: 3_000, gain: 1)
    _ = studio.render(4_000)
    let ends = studio.events.filter { if case .finished = $0 { true } else { false } }
    #expect(
      ends == [
        .finished(b, at: 1_240, .stolen), .finished(c, at: 2_240, .stolen), .finished(a, at: 3_240, .stolen),
      ])
    for id in [d, e, f] {
      #expect(!studio.events.contains { "\($0)".contains("finished") && "\($0)".contains("\(id)") })
    }
  }

  /// As of a program that connects anew for each of its sounds.
  @Test func aFullHouseTakesFromWhoHasGoneBeforeTheOnlyVoiceOfWhoIsHere() {
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 8))
    let dc = studio.constant(0.1)
    let here = studio.start(dc, at: 0, gain: 0.01, owner: 1)
    let gone = [Int64(1), 2, 3].map { at in studio.start(dc, at: at, gain: 1, owner: UInt64(at + 1)) }
    // The last of them is still to begin.
    studio.submit(.leave(2, at: 2), .leave(3, at: 2), .leave(4, at: 2))
    for index in 0..<4 { studio.start(dc, at: Int64(1_000 * (1 + index)), gain: 1, owner: UInt64(9 + index)) }
    _ = studio.render(5_000)
    let ends = studio.events.filter { if case .finished = $0 { true } else { false } }
    // Where nobody is left who has gone the quietest goes.
    #expect(
      ends == [
        .finished(gone[0], at: 1_240, .stolen), .finished(gone[1], at: 2_240, .stolen),
        .finished(gone[2], at: 3_240, .stolen), .finished(here, at: 4_240, .stolen),
      ])
  }

  @Test func whoHasManyGivesOneUpBeforeSomebodyWhoHasGone() {
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 4))
    let dc = studio.constant(0.1)
    let many = (0..<3).map { studio.start(dc, at: Int64($0), gain: 1, owner: 1) }
    studio.start(dc, at: 3, gain: 0.01, owner: 2)
    studio.submit(.leave(2, at: 4))
    studio.start(dc, at: 1_000, gain: 1, owner: 3)
    _ = studio.render(2_000)
    let ends = studio.events.filter { if case .finished = $0 { true } else { false } }
    #expect(ends == [.finished(many[0], at: 1_240, .stolen)])
  }

  @Test func aFullHouseTakesFromWhoeverHasMostHoweverLoudTheyAre() {
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 4))
    let dc = studio.constant(0.1)
    let few = studio.start(dc, at: 0, gain: 0.01, owner: 1)
    let many = (1...3).map { studio.start(dc, at: Int64($0), gain: 1, owner: 2) }
    // One who has none takes from who has three; of two who then have two each the quietest goes, and then the oldest.
    studio.start(dc, at: 1_000, gain: 1, owner: 3)
    studio.start(dc, at: 2_000, gain: 1, owner: 1)
    studio.start(dc, at: 3_000, gain: 1, owner: 1)
    _ = studio.render(4_000)
    let ends = studio.events.filter { if case .finished = $0 { true } else { false } }
    #expect(
      ends == [
        .finished(many[0], at: 1_240, .stolen), .finished(few, at: 2_240, .stolen),
        .finished(many[1], at: 3_240, .stolen),
      ])
  }

  @Test func whoBeginsVoicesFasterThanTheyFadeLeavesSlotsToOthers() {
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 8, slotsOfAnOwner: 1, owners: 3))
    let dc = studio.constant(0.01)
    let few = studio.start(dc, at: 0, gain: 0.01, owner: 1)
    // Three sound, and each that comes then sends one off, which takes 240 frames: of 12 slots 3 are owners' own, and of the other
    // 9 it has 6 at most.
    let flood = (0..<40).map { studio.start(dc, at: 100 + Int64($0), gain: 1, owner: 2) }
    let others = (3...4).map { studio.start(dc, at: 150, gain: 0.01, owner: $0) }
    _ = studio.render(200)
    let rejected = studio.events.compactMap { if case .finished(let id, _, .rejected) = $0 { id } else { nil } }
    #expect(Set(rejected) == Set(flood[7...]))
    let begun = studio.events.compactMap { if case .started(let id, _) = $0 { id } else { nil } }
    #expect(Set(begun) == Set([few] + flood[..<7] + others))
    _ = studio.render(1_000)
    let stolen = studio.events.compactMap { if case .finished(let id, _, .stolen) = $0 { id } else { nil } }
    #expect(Set(stolen) == Set(flood[..<6]))
  }

  @Test func howeverManyBeginVoicesEachHasItsOwnSlots() {
    let studio = Studio(MixerConfiguration(effectVoices: 8, effectReserve: 28, slotsOfAnOwner: 2, owners: 12))
    let dc = studio.constant(0.01)
    for owner in 1...10 as ClosedRange<UInt64> {
      for _ in 0..<20 { studio.start(dc, at: 100, gain: 1, owner: owner, user: 1) }
    }
    let few = (0..<2).map { _ in studio.start(dc, at: 101, gain: 0.01, owner: 11, user: 1) }
    let stranger = (0..<2).map { _ in studio.start(dc, at: 102, gain: 0.01, owner: 12, user: 2) }
    _ = studio.render(200)
    let begun = studio.events.compactMap { if case .started(let id, _) = $0 { id } else { nil } }
    #expect(Set(few + stranger).isSubset(of: begun))
    // Two of each, and two thirds of the twelve that are shared.
    #expect(begun.count == 10 * 2 + 8 + 4)
  }

  @Test func nobodysOnlyVoiceGoesWhileAnybodyHasTwo() {
    let studio = Studio(MixerConfiguration(effectVoices: 8, effectReserve: 60, slotsOfAnOwner: 2, owners: 12))
    let dc = studio.constant(0.01)
    let modest = studio.start(dc, at: 0, gain: 0.001, owner: 20, user: 1)
    let stranger = studio.start(dc, at: 0, gain: 0.001, owner: 21, user: 2)
    var frame: Int64 = 1_000
    for _ in 0..<8 {
      for owner in 1...6 as ClosedRange<UInt64> {
        studio.start(dc, at: frame, gain: 1, owner: owner, user: 1)
        frame += 300
      }
    }
    _ = studio.render(20_000)
    let stolen = studio.events.compactMap { if case .finished(let id, _, .stolen) = $0 { id } else { nil } }
    #expect(!stolen.contains(modest) && !stolen.contains(stranger))
    #expect(stolen.count == 48 - 6)
  }

  /// Of several users the one that has most beyond one voice each gives up, though a client of another has more.
  @Test func voicesAreSharedByUserFirst() {
    let studio = Studio(MixerConfiguration(effectVoices: 9, effectReserve: 60, slotsOfAnOwner: 4, owners: 12))
    let dc = studio.constant(0.01)
    // Three clients of one user have two each, the other user's one has three.
    let crowd = (0..<6).map { studio.start(dc, at: 0, gain: 1, owner: UInt64(1 + $0 / 2), user: 1) }
    let alone = (0..<3).map { _ in studio.start(dc, at: 0, gain: 0.01, owner: 9, user: 2) }
    studio.start(dc, at: 1_000, gain: 1, owner: 4, user: 1)
    _ = studio.render(3_000)
    let stolen = studio.events.compactMap { if case .finished(let id, _, .stolen) = $0 { id } else { nil } }
    #expect(stolen == [crowd[0]] && !alone.contains(crowd[0]))
  }

  @Test func whatEndsManyEndsWhatBeginsBeforeItAlone() {
    let studio = Studio(MixerConfiguration())
    let dc = studio.constant(0.01)
    let fade = Fade(frames: 240)
    let before = studio.start(dc, at: 100, owner: 1, sound: 1, instant: 100)
    let other = studio.start(dc, at: 100, owner: 1, sound: 2, instant: 100)
    let pattern = studio.start(dc, at: 100, owner: 1)
    // Within the frame of the end, one before it and one at it.
    let justBefore = studio.start(dc, at: 500, owner: 1, sound: 1, instant: 499)
    let at = studio.start(dc, at: 500, owner: 1, sound: 1, instant: 500)
    studio.submit(.endMany(1, before: 500, at: 500, fade: fade))
    // Asked for later, and begins before.
    let later = studio.start(dc, at: 400, owner: 1, sound: 1, instant: 400)
    _ = studio.render(1_000)
    var ended = studio.events.compactMap { if case .finished(let id, 740, .stopped) = $0 { id } else { nil } }
    #expect(Set(ended) == [before, justBefore, later])
    studio.submit(.endMany(0, before: 2_000, at: 2_000, fade: fade))
    _ = studio.render(2_000)
    ended = studio.events.compactMap { if case .finished(let id, 2_240, .stopped) = $0 { id } else { nil } }
    #expect(Set(ended) == [other, at])
    #expect(!studio.events.contains { if case .finished(pattern, _, _) = $0 { true } else { false } })
  }

  @Test func makingRoomProlongsNoFadeThatIsSoonOver() {
    let studio = Studio(MixerConfiguration(effectVoices: 1, effectReserve: 2))
    let dc = studio.constant(0.1)
    let first = studio.start(dc, at: 0)
    studio.submit(.stop(first, at: 1_000, fade: Fade(frames: 100)))
    studio.start(dc, at: 1_050)
    _ = studio.render(2_000)
    #expect(studio.events.contains(.finished(first, at: 1_100, .stolen)))
  }

  @Test func ownersWhoseNumbersLieFarApartAreNotTakenForOne() {
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 8))
    let dc = studio.constant(0.01)
    let few = studio.start(dc, at: 0, gain: 0.01, owner: 1)
    for index in 0..<6 { studio.start(dc, at: 1_000 + 1_000 * Int64(index), gain: 1, owner: 256) }
    for index in 0..<6 { studio.start(dc, at: 8_000 + 1_000 * Int64(index), gain: 1, owner: 1 << 32 | 1) }
    _ = studio.render(15_000)
    #expect(!studio.events.contains { if case .finished(few, _, _) = $0 { true } else { false } })
  }

  @Test func theDaemonsOwnVoicesGoAfterAllOthers() {
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 8))
    let dc = studio.constant(0.01)
    for frame in 0..<3 as Range<Int64> { studio.start(dc, at: frame, gain: 0.01) }
    let first = studio.start(dc, at: 10, gain: 1, owner: 1)
    studio.start(dc, at: 1_000, gain: 1, owner: 2)
    _ = studio.render(2_000)
    #expect(studio.events.contains(.finished(first, at: 1_240, .stolen)))
    let ended = studio.events.compactMap { if case .finished(let id, _, _) = $0 { id } else { nil } }
    #expect(ended == [first])
  }

  @Test func musicAndEffectsDoNotTakeEachOthersPlaces() {
    let studio = Studio(MixerConfiguration(effectVoices: 1, effectReserve: 1, musicVoices: 1, musicReserve: 1))
    let dc = studio.constant(0.1)
    studio.start(dc, on: .music, at: 0)
    studio.start(dc, on: .sound, at: 0)
    studio.start(dc, on: .voice, at: 1_000)
    let out = studio.render(3_000)
    #expect(studio.controller.readStatistics().activeVoices == 2)
    #expect(abs(out[2_999].left - 0.2) < 1e-7)
  }

  @Test func whereNoSlotIsLeftAStartIsRefusedAndSaysSo() {
    let studio = Studio(MixerConfiguration(effectVoices: 1, effectReserve: 1))
    let dc = studio.constant(0.1)
    studio.start(dc, at: 0)
    studio.start(dc, at: 100)
    let third = studio.start(dc, at: 110)
    _ = studio.render(1_000)
    #expect(studio.events.contains(.finished(third, at: 110, .rejected)))
    // The stolen one's slot is free again by now.
    let fourth = studio.start(dc, at: 2_000)
    _ = studio.render(2_000)
    #expect(studio.events.contains(.started(fourth, at: 2_000)))
  }
}
