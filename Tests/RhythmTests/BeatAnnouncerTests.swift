// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

@Suite struct BeatAnnouncerTests {
  @Test func eachBeatIsToldOneLeadAheadAndWhenItIsHeard() throws {
    let map = try BeatMap(beats: [Beat(at: 706_000), Beat(at: 2_117_800)], length: 3_000_000)
    var announcer = BeatAnnouncer(Course(map: map, rules: try RhythmRules(spawnLead: 2_000_000, length: 3_000_000)))
    func moment(_ index: Int, _ at: Int64) -> BeatMoment { BeatMoment(index: index, beat: map.beats[index], at: at) }
    #expect(announcer.nextDeadline == -1_294_000)
    #expect(announcer.announce(upTo: -1_294_001).isEmpty)
    #expect(announcer.announce(upTo: -1_294_000) == [.spawn(moment(0, -1_294_000))])
    #expect(
      announcer.announce(upTo: .max) == [
        .spawn(moment(1, 117_800)), .beat(moment(0, 706_000)), .beat(moment(1, 2_117_800)),
      ])
    #expect(announcer.nextDeadline == nil)
  }

  @Test func withoutALeadTheSpawnGoesBeforeItsBeat() throws {
    let map = try BeatMap(beats: [Beat(at: 500_000), Beat(at: 600_000)], length: 1_000_000)
    var announcer = BeatAnnouncer(Course(map: map, rules: try RhythmRules(spawnLead: 0, length: 3_000_000)))
    let told = announcer.announce(upTo: 1_000_000)
    #expect(told.map(\.isSpawn) == [true, false, true, false])
  }

  @Test func whatWasHeardTooLongAgoIsNotToldAndWhatIsStillToComeIs() throws {
    let map = try BeatMap(
      beats: [100_000, 300_000, 300_001, 900_000].map { Beat(at: $0) }, length: 1_000_000, minimumSpacing: 1)
    var announcer = BeatAnnouncer(Course(map: map, rules: try RhythmRules(spawnLead: 600_000, length: 3_000_000)))
    _ = announcer.announce(upTo: -400_000)
    let told = announcer.announce(upTo: 400_001, oldest: 300_001)
    #expect(told.map(\.description) == ["spawn 2", "spawn 3", "beat 2"])
    #expect(announcer.nextDeadline == 900_000)
  }
}

extension BeatAnnouncer.Announcement {
  fileprivate var isSpawn: Bool {
    if case .spawn = self { true } else { false }
  }

  fileprivate var description: String {
    switch self {
    case .spawn(let moment): "spawn \(moment.index)"
    case .beat(let moment): "beat \(moment.index)"
    }
  }
}
