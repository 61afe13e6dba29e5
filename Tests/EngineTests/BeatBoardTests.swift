// SPDX-License-Identifier: Apache-2.0

import GamePacks
import SeededNumbers
import Testing
import Timing

@testable import Engine

/// What was told of beats ahead, held against what is to be heard now.
@Suite struct BeatBoardTests {
  private func first(_ frame: Int64) -> (moment: MusicMoment, at: Instant) {
    let grid = MusicGrid(first: 0, step: 24_000, beatsPerBar: 4, bpm: 120)
    let beat = MusicMoment.Beat(0, count: 0, grid, rate: 1)
    return (
      MusicMoment(track: AssetKey(pack: "game", name: "main"), kind: .beat(beat), frame: frame),
      Instant(nanoseconds: 1_000_000_000 + frame * 1_000_000_000 / 48_000)
    )
  }

  @Test func ofBeatsThatLieWithinAFrameOfEachOtherEachIsKnownAgain() {
    var board = BeatBoard()
    board.isWanted = true
    // The track begins anew a frame after it began: that beat was told, the other was over as anybody listened.
    let (over, told) = (first(0), first(1))
    let now = over.at
    let ahead = board.follow([told], now: now, sight: now + .milliseconds(250), revision: 1, next: nil)
    #expect(ahead == [.ahead(board.told[0])])
    #expect(board.follow([over, told], now: now, sight: now + .milliseconds(250), revision: 2, next: nil) == [])
    #expect(board.told.map(\.moment.frame) == [1])
  }

  /// Beats of a track that begins anew and anew, some a frame apart. Verbs take back what is to come; of what was over before anybody
  /// listened the music may or may not remember each.
  @Test func eachBeatIsToldOnceHoweverNearAnotherLies() throws {
    try search(upTo: 40) { random in
      var board = BeatBoard()
      var beats: [[(moment: MusicMoment, at: Instant)]] = []
      var frame: Int64 = 480
      for _ in 0..<16 {
        frame += random.integer(200...6_000)
        beats.append(random.oneIn(2) ? [first(frame)] : [first(frame), first(frame + 1)])
      }
      var told: Set<Int64> = []
      var (now, known) = (Instant(nanoseconds: 1_000_000_000), Instant.distantPast)
      while let last = beats.last?.last, now <= last.at {
        board.isWanted = true
        if random.oneIn(3), let place = beats.indices.filter({ beats[$0][0].at > now }).randomElement(using: &random) {
          // One, or the later of two.
          beats[place].removeLast()
          beats.removeAll(where: \.isEmpty)
        }
        let all = beats.joined()
        let heard = all.filter { $0.at > now || told.contains($0.moment.frame) || random.oneIn(2) }
        let sight = now + .milliseconds(60)
        let gone = told.filter { frame in first(frame).at > now && !all.contains { $0.moment.frame == frame } }
        let fresh = heard.filter {
          $0.at > known && $0.at > now - BeatBoard.oldest && $0.at <= sight && !told.contains($0.moment.frame)
        }
        let news = board.follow(heard, now: now, sight: sight, revision: 1, next: nil)
        var (recalled, ahead): ([Int64], [Int64]) = ([], [])
        for one in news {
          switch one {
          case .ahead(let told): ahead.append(told.moment.frame)
          case .recalled(let told): recalled.append(told.moment.frame)
          }
        }
        try hold(recalled.sorted() == gone.sorted(), "at \(now) are recalled \(recalled), and gone \(gone.sorted())")
        try hold(ahead == fresh.map(\.moment.frame), "at \(now) are told \(ahead), not \(fresh.map(\.moment.frame))")
        told = told.subtracting(gone).union(ahead)
        known = now
        let next = beats.joined().first { $0.at > now }?.at
        now = random.oneIn(2) ? next ?? now + .milliseconds(1) : now + .microseconds(random.integer(1...20_000))
      }
    }
  }
}
