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
    let studio = Studio(MixerConfiguration(effectVoices: 4, effectReserve: 8))
    let dc = studio.constant(0.01)
    let few = studio.start(dc, at: 0, gain: 0.01, owner: 1)
    // Three sound, and each that comes then sends one off, which takes 240 frames: of 12 slots it has 7 at most, one is the
    // other's, and 4 are free.
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
