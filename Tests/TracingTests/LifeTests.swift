// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Testing
import Timing

@testable import Tracing

/// A table that is filled by hand. Instants are milliseconds.
private struct Flight: ~Copyable {
  var table: TraceTable

  init(capacity: Int = 1_024) { table = TraceTable(capacity: capacity) }

  mutating func add(_ event: TraceEvent, client: UInt32 = 0, line: UInt32 = 0) {
    table.append(TraceRecord(event, client: client, line: line))
  }

  /// Line 3 of client 1, read at 100 and handed over by 100.3; 0.05 of it decoding, all of it on the processor.
  mutating func addLine(
    arrived: Double = 100, begun: Double = 100.01, done: Double = 100.3, processor: Double? = nil
  ) {
    add(
      .line(
        arrived: ms(arrived), begun: ms(begun), decoded: ms(begun + 0.05), planned: ms(done - 0.1), done: ms(done),
        processor: length(processor ?? done - begun), method: 0), client: 1, line: 3)
  }

  /// Sound 7 for `scheduled`, asked for by that line.
  mutating func addSound(asked: Double? = nil, scheduled: Double = 106, handed: Double = 100.2, frame: Int64 = 480) {
    add(
      .start(voice: 7, frame: frame, heard: ms(scheduled), at: ms(handed), cue: 0, isTrack: false), client: 1, line: 3)
    add(
      .asked(
        id: 7, asked: asked.map(ms) ?? .distantPast, scheduled: ms(scheduled), at: ms(handed), subject: .sound),
      client: 1, line: 3)
  }

  /// The period of 128 frames from 384 on, of which frame 384 is heard at 104.
  mutating func addPeriod(
    first: Int64 = 384, due: Double = 101, woken: Double = 101.02, done: Double = 101.2, heard: Double = 104
  ) {
    add(
      .period(first: first, due: ms(due), woken: ms(woken), done: ms(done), heard: ms(heard), frames: 128))
  }

  func explain(_ subject: TraceKind? = nil, _ id: Int64? = nil, now: Double = 500) -> Life? {
    Life.explained(subject, id, in: table.kept, rate: 48_000, now: ms(now))
  }

  func blamed(_ subject: TraceKind? = nil, now: Double = 500) -> [Life.Blame]? { explain(subject, now: now)?.blames }
}

private func ms(_ value: Double) -> Instant { Instant(nanoseconds: Int64((value * 1e6).rounded())) }
private func length(_ value: Double) -> Interval { ms(value) - .zero }

@Suite struct LifeTests {
  @Test func aSoundsLifeHasEachStageWithItsInstant() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    flight.addPeriod()
    flight.add(.ended(voice: 7, frame: 900, heard: ms(120)))
    let life = flight.explain(.sound, 7)
    #expect(
      life
        == Life(
          subject: .sound, id: 7, client: 1, line: 3, asked: nil, scheduled: ms(106),
          stages: [
            .init(.received, over: ms(100)),
            .init(.waited, begun: ms(100), over: ms(100.01), late: length(0.01)),
            .init(.decoded, begun: ms(100.01), over: ms(100.06)),
            .init(.planned, begun: ms(100.06), over: ms(100.2)),
            .init(.handedOver, over: ms(100.2), part: .sound(7)),
            .init(.answered, begun: ms(100.2), over: ms(100.3)),
            .init(.rendered, begun: ms(101.02), over: ms(101.2), late: length(0.02), part: .sound(7)),
            // 96 frames behind the first of its period.
            .init(.heard, over: ms(106), part: .sound(7)),
          ], blames: []))
    #expect(flight.explain() == life)
    #expect(flight.explain(.sound, 8) == nil)
    #expect(flight.explain(.cue) == nil)
  }

  @Test func aSoundThatControlHandsOverTooLateForItsInstantIsLate() {
    for (processor, culprit) in [(1.0, Culprit.controlBusy), (0.1, .controlDescheduled)] {
      var flight = Flight()
      // It was to be handed over well ahead of 102, and is for the first frame that is left.
      flight.add(
        .asked(id: 7, asked: ms(102), scheduled: ms(102), at: ms(80.2), subject: .sound), client: 1, line: 3)
      flight.addLine(arrived: 80, begun: 80.01, done: 80.3)
      flight.add(.turn(due: ms(100.1), woken: ms(100.1), done: ms(101.5), processor: length(processor)))
      flight.add(
        .start(voice: 7, frame: 480, heard: ms(106), at: ms(101), cue: 0, isTrack: false), client: 1, line: 3)
      flight.addPeriod(due: 102, woken: 102.02, done: 102.2)
      let life = flight.explain(.sound, 7)
      #expect(life?.stages.last == .init(.heard, over: ms(106), late: length(4), part: .sound(7)))
      #expect(life?.blames == [.init(culprit, length(4))])
    }
  }

  @Test func musicThatControlHandsOverTooLateForItsInstantIsLate() {
    for (processor, culprit) in [(1.0, Culprit.controlBusy), (0.1, .controlDescheduled)] {
      var flight = Flight()
      flight.add(
        .asked(id: 5, asked: ms(102), scheduled: ms(102), at: ms(80.2), subject: .music), client: 1, line: 3)
      flight.addLine(arrived: 80, begun: 80.01, done: 80.3)
      flight.add(.turn(due: ms(100.1), woken: ms(100.1), done: ms(101.5), processor: length(processor)))
      flight.add(
        .start(voice: 7, frame: 480, heard: ms(106), at: ms(101), cue: 0, plan: 5, isTrack: true), client: 1, line: 3)
      flight.addPeriod(due: 102, woken: 102.02, done: 102.2)
      let life = flight.explain(.music, 5)
      #expect(life?.stages.last == .init(.heard, over: ms(106), late: length(4), part: .track(7)))
      #expect(life?.blames == [.init(culprit, length(4))])
    }
  }

  @Test func musicThatIsSilentForWantOfItsFileBlamesDecoding() {
    var flight = Flight()
    flight.add(.asked(id: 5, asked: ms(106), scheduled: ms(106), at: ms(80.2), subject: .music), client: 1, line: 3)
    flight.addLine(arrived: 80, begun: 80.01, done: 80.3)
    flight.add(
      .start(voice: 7, frame: 480, heard: ms(106), at: ms(80.2), cue: 0, plan: 5, isTrack: true), client: 1, line: 3)
    flight.addPeriod()
    // Another's, what was back before it was heard to be gone, and its own twice: the longest counts.
    flight.add(.silent(voice: 8, from: 480, heard: ms(106), isOver: false))
    flight.add(.silent(voice: 7, from: 480, heard: ms(106), isOver: false))
    flight.add(.silent(voice: 7, from: 1_440, heard: ms(126), isOver: true))
    flight.add(.silent(voice: 7, from: 4_800, heard: ms(196), isOver: false))
    flight.add(.silent(voice: 7, from: 4_848, heard: ms(197), isOver: true))
    let life = flight.explain(.music, 5)
    #expect(life?.blames == [.init(.decoding, length(20))])
    #expect(life?.stages.last == .init(.silent, begun: ms(196), over: ms(197), late: length(1), part: .track(7)))
    #expect(life?.stages.count { $0.kind == .silent } == 2)
  }

  @Test func musicThatIsStillSilentIsNotSaidToBeHeardAgain() {
    var flight = Flight()
    flight.add(.asked(id: 5, asked: ms(106), scheduled: ms(106), at: ms(80.2), subject: .music), client: 1, line: 3)
    flight.addLine(arrived: 80, begun: 80.01, done: 80.3)
    flight.add(
      .start(voice: 7, frame: 480, heard: ms(106), at: ms(80.2), cue: 0, plan: 5, isTrack: true), client: 1, line: 3)
    flight.addPeriod()
    flight.add(.silent(voice: 7, from: 480, heard: ms(106), isOver: false))
    let life = flight.explain(.music, 5, now: 116)
    #expect(life?.blames == [.init(.decoding, length(10))])
    #expect(life?.stages.last == .init(.silent, begun: ms(106), over: nil, late: length(10), part: .track(7)))
  }

  @Test func aSoundThatIsNotRenderedYetIsNotHeardYet() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    let stages = flight.explain()?.stages
    #expect(stages?.last == .init(.heard, begun: ms(106), over: nil, part: .sound(7)))
    #expect(stages?.contains { $0.kind == .rendered } == false)
  }

  @Test func aSoundThatTheMixerLetGoOfIsNeitherRenderedNorHeard() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    flight.add(.letGo(voice: 7, at: ms(103)))
    flight.add(
      .unbegun(id: 7, due: ms(106), at: ms(103), cue: 0, subject: .sound, why: .calledOff), client: 1, line: 3)
    flight.addPeriod()
    let stages = flight.explain()?.stages
    #expect(
      stages?.map(\.kind) == [.received, .waited, .decoded, .planned, .handedOver, .answered, .calledOff])
    #expect(stages?.last == .init(.calledOff, over: ms(103), part: .sound(7)))
    #expect(flight.blamed() == [])
  }

  @Test func aSoundThatIsHandedOverAnewIsHeardThoughItsFirstStartWasTakenBack() {
    for letsGo in 0...2 {
      var flight = Flight()
      flight.addSound()
      flight.addSound(handed: 100.4)
      flight.addLine()
      for _ in 0..<letsGo { flight.add(.letGo(voice: 7, at: ms(101))) }
      flight.addPeriod()
      #expect(flight.explain()?.stages.count { $0.kind == .heard } == 2 - letsGo)
    }
  }

  @Test func whatIsFeltLaterIsNotOfAPlayerThatWasCalledOff() {
    var flight = Flight()
    flight.add(.player(player: 4, felt: ms(106), at: ms(100.2), cue: 0), client: 1, line: 3)
    flight.add(.asked(id: 4, asked: ms(106), scheduled: ms(106), at: ms(100.2), subject: .haptics), client: 1, line: 3)
    flight.addLine()
    flight.add(.unbegun(id: 4, due: ms(106), at: ms(103), cue: 0, subject: .haptics, why: .skipped))
    flight.add(.wrote(due: ms(105), felt: ms(106), woken: ms(105), done: ms(105), device: 0, isRefused: false))
    let kinds = flight.explain(.haptics, 4)?.stages.map(\.kind)
    #expect(kinds?.contains(.written) == false && kinds?.last == .skipped)
  }

  /// Both of a cue have the same number: that the sound does not begin says nothing of the player.
  @Test func aPlayerIsFeltWhereASoundOfItsNumberWasCalledOff() {
    var flight = Flight()
    flight.add(.asked(id: 12, asked: ms(106), scheduled: ms(106), at: ms(100.2), subject: .cue), client: 1, line: 3)
    flight.add(.player(player: 1, felt: ms(106), at: ms(100.2), cue: 12), client: 1, line: 3)
    flight.addLine()
    flight.add(.unbegun(id: 1, due: ms(106), at: ms(103), cue: 12, subject: .sound, why: .skipped))
    flight.add(.wrote(due: ms(105), felt: ms(106), woken: ms(105), done: ms(105), device: 0, isRefused: false))
    let stages = flight.explain(.cue, 12)?.stages
    #expect(stages?.contains(.init(.skipped, over: ms(103), part: .sound(1))) == true)
    #expect(stages?.contains { $0.kind == .written && $0.part == .player(1) } == true)
  }

  /// A write for `felt` by a thread that woke at `woken`, to a device with a lead of 1 ms.
  struct Written {
    var felt: Double
    var woken: Double
    var spacing = 0.0
    var tookLate = false
    /// Whether it is what begins a player that is felt from 120 on.
    var isOwn: Bool
  }

  @Test(arguments: [
    Written(felt: 120, woken: 119, isOwn: true),
    // Nothing was to be written for the player: this is another's.
    Written(felt: 130, woken: 129, isOwn: false), Written(felt: 121.5, woken: 120.5, isOwn: false),
    Written(felt: 110, woken: 109, isOwn: false), Written(felt: 121.5, woken: 130, isOwn: false),
    // Written with others of before, by a thread that woke late.
    Written(felt: 110, woken: 125, isOwn: true),
    // As the strongest of what follows, or behind what was written just before.
    Written(felt: 114, woken: 113, spacing: 8, isOwn: true), Written(felt: 127, woken: 126, spacing: 8, isOwn: true),
    Written(felt: 110, woken: 109, spacing: 8, isOwn: false), Written(felt: 130, woken: 129, spacing: 8, isOwn: false),
    // The thread took it in only when it was to be felt already.
    Written(felt: 150, woken: 149, tookLate: true, isOwn: true),
  ])
  func aWriteIsOfThePlayerThatItCanBeOf(_ written: Written) {
    for silence in [0.0, 14] {
      var flight = Flight()
      flight.add(
        .player(player: 4, felt: ms(120 - silence), at: ms(100.2), cue: 0, silence: length(silence)), client: 1, line: 3
      )
      flight.add(
        .asked(id: 4, asked: .distantPast, scheduled: ms(120 - silence), at: ms(100.2), subject: .haptics), client: 1,
        line: 3)
      flight.addLine()
      flight.add(
        .wrote(
          due: ms(written.felt - 1), felt: ms(written.felt), woken: ms(written.woken), done: ms(written.woken + 0.1),
          device: 0, isRefused: false, spacing: length(written.spacing), tookLate: written.tookLate))
      let life = flight.explain(.haptics, 4)
      let late = length(max(0, written.woken + 0.1 - 119))
      let stages = life?.stages.filter { $0.kind == .written } ?? []
      #expect(
        stages
          == (written.isOwn
            ? [
              .init(
                .written, begun: ms(written.woken), over: ms(written.woken + 0.1), late: late, part: .player(4),
                device: 0)
            ]
            : []))
      if !written.isOwn { #expect(life?.blames == []) }
    }
  }

  @Test func whatIsCalledOffWhileTheEngineStandsIsSoNoEarlierThanItWasAskedFor() {
    var flight = Flight()
    flight.add(.stood(at: ms(80), frame: 432, frames: 0, length: .zero, resumed: false))
    flight.add(
      .asked(id: 5, asked: .distantPast, scheduled: ms(80), at: ms(100.2), subject: .music), client: 1, line: 3)
    flight.addLine()
    flight.add(.unbegun(id: 5, due: ms(80), at: ms(80), cue: 0, subject: .music, why: .calledOff))
    let stages = flight.explain(.music, 5)?.stages
    #expect(stages?.contains(.init(.calledOff, over: ms(100.2))) == true)
    #expect(stages?.first?.kind == .received)
  }

  @Test func aChangeThatIsCalledOffIsNotHeard() {
    var flight = Flight()
    flight.add(.asked(id: 12, asked: ms(106), scheduled: ms(106), at: ms(100.2), subject: .cue), client: 1, line: 3)
    for plan in [Int64(5), 6] {
      flight.add(.changed(cue: 12, frame: 480, heard: ms(106), at: ms(100.2), isFelt: false, plan: plan))
    }
    flight.addLine()
    flight.add(.unbegun(id: 5, due: ms(106), at: ms(103), cue: 12, subject: .music, why: .calledOff))
    flight.addPeriod()
    let kinds = flight.explain(.cue, 12)?.stages.map(\.kind) ?? []
    #expect(kinds.count { $0 == .heard } == 1 && kinds.count { $0 == .calledOff } == 1)
  }

  @Test func aClientThatAskedLateIsBlamed() {
    var flight = Flight()
    flight.addSound(asked: 96)
    flight.addLine()
    flight.addPeriod()
    // 10 ms late, of which 0.2 are the daemon's.
    #expect(flight.blamed() == [.init(.clientAskedLate, length(9.8), client: 1)])
  }

  @Test func aLineThatWaitedForOthersBlamesControl() {
    for (processor, culprit) in [(7.0, Culprit.controlBusy), (3, .controlDescheduled)] {
      var flight = Flight()
      flight.add(
        .line(
          arrived: ms(99), begun: ms(100), decoded: ms(100), planned: ms(100), done: ms(108),
          processor: length(processor), method: 0), client: 2, line: 9)
      flight.addLine(begun: 108, done: 108.3)
      flight.addSound(handed: 108.2)
      flight.addPeriod()
      #expect(flight.blamed() == [.init(culprit, length(8))])
    }
  }

  @Test func whoIsLateTwiceOnTheWayIsNamedOnceForTheLonger() {
    var flight = Flight()
    flight.add(
      .line(
        arrived: ms(99), begun: ms(100), decoded: ms(100), planned: ms(100), done: ms(108), processor: length(7),
        method: 0), client: 2, line: 9)
    flight.addLine(begun: 108, done: 113.2)
    flight.addSound(handed: 113)
    flight.addPeriod()
    #expect(flight.blamed() == [.init(.controlBusy, length(8))])
  }

  @Test func aLineThatTakesLongBlamesControl() {
    for (processor, culprit) in [(5.0, Culprit.controlBusy), (2, .controlDescheduled)] {
      var flight = Flight()
      flight.addLine(done: 106.21, processor: processor)
      flight.addSound(handed: 106.01)
      flight.addPeriod()
      #expect(flight.blamed() == [.init(culprit, length(6))])
    }
  }

  @Test func whatStopsWithTheAudioThreadIsTheWholeDaemon() {
    var flight = Flight()
    flight.addLine(done: 160.21, processor: 0.2)
    flight.addSound(handed: 160.01)
    flight.addPeriod()
    flight.addPeriod(first: 512, due: 104, woken: 160, done: 160.1, heard: 163)
    #expect(flight.blamed() == [.init(.daemonStoodStill, length(60))])
  }

  @Test func aStopBeforeTheLineWasReadIsNotTheClientsFault() {
    var flight = Flight()
    flight.addPeriod(first: 0, due: 20, woken: 99.9, done: 99.95, heard: 102.9)
    flight.addSound(asked: 40, scheduled: 106)
    flight.addLine()
    flight.addPeriod()
    let blames = flight.blamed()
    #expect(blames?.first == .init(.daemonStoodStill, length(65.8)))
    #expect(blames?.count == 1)
  }

  @Test func controlMayWakeLongAfterTheAudioThreadFromOneStop() {
    var flight = Flight()
    flight.addPeriod(first: 0, due: 50, woken: 90, done: 90.1, heard: 92.9)
    flight.addSound(asked: 60)
    flight.addLine()
    flight.add(.turn(due: ms(50), woken: ms(99.99), done: ms(100.5), processor: length(0.4)))
    flight.addPeriod()
    #expect(flight.blamed() == [.init(.daemonStoodStill, length(40))])
  }

  @Test func aClientThatAskedLateIsBlamedBesidesAStop() {
    var flight = Flight()
    flight.addPeriod(first: 0, due: 70, woken: 99.9, done: 99.95, heard: 102.9)
    flight.addSound(asked: 40)
    flight.addLine()
    flight.addPeriod()
    #expect(
      flight.blamed() == [.init(.clientAskedLate, length(30), client: 1), .init(.daemonStoodStill, length(29.9))])
  }

  @Test func aTurnOfControlBeforeTheLineWasReadIsNotTheClientsFault() {
    for (processor, culprit) in [(40.0, Culprit.controlBusy), (10, .controlDescheduled)] {
      var flight = Flight()
      flight.add(.turn(due: .distantPast, woken: ms(40), done: ms(99.99), processor: length(processor)))
      flight.addSound(asked: 60)
      flight.addLine()
      flight.addPeriod()
      #expect(flight.blamed()?.first == .init(culprit, length(45.8)))
      #expect(flight.blamed()?.count == 1)
    }
    var flight = Flight()
    flight.addSound(asked: 60)
    flight.addLine()
    flight.add(.turn(due: ms(50), woken: ms(99.99), done: ms(100.5), processor: length(0.4)))
    flight.addPeriod()
    #expect(flight.blamed()?.first == .init(.controlDescheduled, length(45.8)))
  }

  @Test func anErrandThatTakesLongIsNamed() {
    var flight = Flight()
    flight.add(.errand(begun: ms(100.1), done: ms(130)), client: 1, line: 3)
    flight.addLine(begun: 130.1, done: 130.4)
    flight.addSound(handed: 130.3)
    flight.addPeriod()
    #expect(flight.blamed() == [.init(.errandsBusy, length(29.9))])
  }

  @Test func framesThatTheDeviceLostAreItsFault() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    flight.addPeriod()
    flight.add(.lost(first: 448, frames: 96, heard: ms(105.3), noticed: ms(107), cause: .underrun))
    #expect(flight.blamed() == [.init(.soundDevice, length(2))])
  }

  @Test func framesThatAreLostBecauseTheAudioThreadWokeLateAreItsSchedulers() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    flight.addPeriod(woken: 140, done: 140.1, heard: 104)
    flight.add(.lost(first: 400, frames: 1_000, heard: ms(104), noticed: ms(141), cause: .underrun))
    #expect(flight.blamed() == [.init(.audioDescheduled, length(39))])
    flight.add(.turn(due: ms(102), woken: ms(140.1), done: ms(140.4), processor: .zero))
    #expect(flight.blamed() == [.init(.daemonStoodStill, length(39))])
  }

  @Test func aLineThatTakesLongIsNobodysFaultWhereItsInstantIsMet() {
    var flight = Flight()
    flight.addLine(done: 104, processor: 0.2)
    flight.addSound(asked: 106, handed: 103.9)
    flight.addPeriod()
    #expect(flight.blamed() == [])
    // Nor where it is only answered late.
    var other = Flight()
    other.addLine(done: 104, processor: 0.2)
    other.addSound()
    other.addPeriod()
    #expect(other.blamed() == [])
  }

  @Test func aStopThatControlSleptThroughIsTheWholeDaemons() {
    for isInterrupted in [true, false] {
      var flight = Flight()
      flight.addSound(asked: 106)
      flight.addLine()
      flight.addPeriod(first: 640, woken: 140, done: 140.1, heard: 109)
      flight.add(.lost(first: 384, frames: 256, heard: ms(104), noticed: ms(141), cause: .skipped))
      flight.add(
        .turn(due: ms(900), woken: ms(140.02), done: ms(140.1), processor: .zero, isInterrupted: isInterrupted))
      let life = flight.explain()
      #expect(life?.blames == [.init(isInterrupted ? .daemonStoodStill : .audioDescheduled, length(39))])
      #expect(life?.stages.last == .init(.lost, over: ms(106), part: .sound(7)))
    }
  }

  @Test func whatIsRenderedAfterItShouldHaveBeenHeardIsLate() {
    for (woken, late) in [(140.0, 39.0), (104, nil)] as [(Double, Double?)] {
      var flight = Flight()
      flight.addSound(asked: 106)
      flight.addLine()
      flight.addPeriod(woken: woken, done: woken + 0.1)
      #expect(flight.blamed() == (late.map { [.init(.audioDescheduled, length($0))] } ?? []))
    }
  }

  @Test func renderingThatTakesLongIsBusyOrDescheduledByItsProcessorTime() {
    for (used, culprit) in [(10.5, Culprit.audioBusy), (0.6, .audioDescheduled)] {
      var flight = Flight()
      flight.add(.processor(at: ms(90), used: length(50), thread: .audio))
      flight.addSound()
      flight.addLine()
      flight.addPeriod(done: 111.02)
      flight.add(.lost(first: 400, frames: 200, heard: ms(104), noticed: ms(112), cause: .underrun))
      flight.add(.processor(at: ms(190), used: length(50 + used), thread: .audio))
      #expect(flight.blamed() == [.init(culprit, length(10))])
    }
  }

  @Test func whatAPauseMovedIsNotLate() {
    var flight = Flight()
    flight.addSound(asked: 106)
    flight.addLine()
    flight.add(.stood(at: ms(105), frame: 432, frames: 0, length: .zero, resumed: false))
    flight.addPeriod()
    #expect(flight.explain()?.stages.last?.over == nil)
    #expect(flight.blamed() == [])
    flight.add(.stood(at: ms(105), frame: 432, frames: 48_000, length: length(1_000), resumed: true))
    flight.addPeriod(first: 48_384, due: 1_101, woken: 1_101, done: 1_101.1, heard: 1_104)
    let life = flight.explain(now: 1_500)
    #expect(life?.scheduled == ms(1_106) && life?.asked == ms(106))
    #expect(life?.stages.last == .init(.heard, over: ms(1_106), part: .sound(7)))
    #expect(life?.blames == [])
  }

  @Test func aStartThatComesTooLateForItsFrameIsControls() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    flight.add(.moved(voice: 7, frame: 672, heard: ms(110)))
    flight.addPeriod(first: 624, heard: 109)
    #expect(flight.explain()?.stages.last { $0.kind == .heard }?.over == ms(110))
    #expect(flight.blamed() == [.init(.controlBusy, length(4))])
  }
}

/// What is not of the instant that it is told for, or not recorded any more.
@Suite struct BlamedInstantTests {
  @Test func aStopThatWasOverBeforeTheLineCameIsNotBlamed() {
    for isOfControl in [false, true] {
      var flight = Flight()
      if isOfControl {
        flight.add(.turn(due: ms(10), woken: ms(50), done: ms(50.2), processor: length(0.2)))
      } else {
        flight.addPeriod(first: 0, due: 10, woken: 50, done: 50.1, heard: 53)
      }
      // For 40, which was in that stop; but it was asked for at 100, when all had gone on for long.
      flight.addSound(asked: 40)
      flight.addLine()
      flight.addPeriod()
      #expect(flight.blamed() == [.init(.clientAskedLate, length(65.8), client: 1)])
    }
  }

  @Test func aStopBesideALostFrameIsNotBlamedForIt() {
    for (first, due) in [(-15_000 as Int64, -250.0), (15_000, 390)] {
      var flight = Flight()
      flight.addPeriod(first: first, due: due, woken: due + 40, done: due + 40.1, heard: due + 44)
      flight.addLine()
      flight.addSound()
      flight.addPeriod()
      flight.add(.lost(first: 448, frames: 96, heard: ms(105.3), noticed: ms(107), cause: .underrun))
      #expect(flight.blamed() == [.init(.soundDevice, length(2))])
    }
  }

  @Test func aFrameWhosePeriodIsNotRecordedIsNotSaidToBeStillToCome() {
    var flight = Flight()
    flight.addSound()
    flight.addLine()
    flight.addPeriod(first: 48_000, due: 1_090, woken: 1_090, done: 1_090.1, heard: 1_094)
    let life = flight.explain(now: 2_000)
    #expect(life?.stages.contains { $0.kind == .heard } == false)
    #expect(life?.blames == [])
    #expect(life?.isIncomplete == true)
  }

  /// Whether a stop or the client was why the line was read late cannot be told from what is left.
  @Test func whoCannotBeToldFromWhatIsLeftIsUnknown() {
    for (filled, expected) in [
      (0, Life.Blame(.daemonStoodStill, length(65.8))), (20, Life.Blame(.unknown, length(65.8))),
    ] {
      var flight = Flight(capacity: 16)
      flight.addPeriod(first: 0, due: 20, woken: 99.9, done: 99.95, heard: 102.9)
      for _ in 0..<filled { flight.add(.processor(at: ms(99.96), used: .zero, thread: .audio)) }
      flight.addSound(asked: 40)
      flight.addLine()
      flight.addPeriod()
      #expect(flight.blamed() == [expected])
      #expect(flight.explain()?.isIncomplete == false)
    }
    // What its own line took is known all the same.
    var flight = Flight(capacity: 16)
    for _ in 0..<20 { flight.add(.processor(at: ms(99.96), used: .zero, thread: .audio)) }
    flight.addSound(scheduled: 112, handed: 106.01)
    flight.addLine(done: 106.21, processor: 6)
    #expect(flight.blamed() == [.init(.controlBusy, length(6))])
  }

  @Test func aLineThatIsOverwrittenIsMissed() {
    var flight = Flight(capacity: 16)
    flight.addLine()
    for _ in 0..<15 { flight.add(.processor(at: ms(100.4), used: .zero, thread: .audio)) }
    flight.addSound()
    flight.addPeriod()
    let life = flight.explain()
    #expect(life?.isIncomplete == true)
    #expect(life?.stages.map(\.kind) == [.handedOver, .rendered, .heard])
  }

  @Test func whatAVerbOfMusicChangesIsHeard() {
    var flight = Flight()
    flight.add(.asked(id: 5, asked: ms(106), scheduled: ms(106), at: ms(100.2), subject: .music), client: 1, line: 3)
    flight.add(.changed(cue: 0, frame: 480, heard: ms(106), at: ms(100.2), isFelt: false, plan: 5), client: 1, line: 3)
    flight.add(.changed(cue: 0, frame: 960, heard: ms(116), at: ms(100.2), isFelt: false, plan: 6), client: 1, line: 4)
    flight.addLine()
    flight.addPeriod()
    let stages = flight.explain(.music, 5)?.stages ?? []
    #expect(stages.map(\.kind) == [.received, .waited, .decoded, .planned, .handedOver, .answered, .rendered, .heard])
    #expect(stages.last == .init(.heard, over: ms(106)))
  }

  @Test func whatACueChangesIsHeardAndFelt() {
    var flight = Flight()
    flight.addLine()
    flight.add(
      .changed(cue: 12, frame: 480, heard: ms(106), at: ms(100.2), isFelt: false), client: 1, line: 3)
    flight.add(.changed(cue: 12, frame: 480, heard: ms(106), at: ms(100.22), isFelt: false), client: 1, line: 3)
    flight.add(.changed(cue: 12, frame: 0, heard: ms(107), at: ms(100.25), isFelt: true), client: 1, line: 3)
    flight.add(.asked(id: 12, asked: ms(106), scheduled: ms(106), at: ms(100.2), subject: .cue), client: 1, line: 3)
    flight.addPeriod()
    // A write much later is of something else.
    flight.add(.wrote(due: ms(180), felt: ms(180), woken: ms(180), done: ms(180.1), device: 2, isRefused: false))
    #expect(flight.explain(.cue, 12)?.stages.map(\.kind).contains(.written) == false)
    flight.add(.wrote(due: ms(107), felt: ms(107), woken: ms(107), done: ms(107.1), device: 1, isRefused: false))
    let life = flight.explain(.cue, 12)
    #expect(
      life?.stages.map(\.kind) == [
        .received, .waited, .decoded, .planned, .handedOver, .handedOver, .answered, .rendered, .heard, .written,
      ])
    #expect(life?.stages.filter { $0.kind == .heard }.map(\.over) == [ms(106)])
    #expect(life?.blames == [])
  }
}

@Suite struct TouchedLifeTests {
  /// Player 4 is felt at 110; its pad is told 10 ms before.
  private func flight(_ more: (inout Flight) -> Void) -> Life? {
    var flight = Flight()
    flight.addLine(arrived: 90, begun: 90.01, done: 90.3)
    flight.add(.player(player: 4, felt: ms(110), at: ms(90.2), cue: 12), client: 1, line: 3)
    flight.add(
      .asked(id: 12, asked: ms(110), scheduled: ms(110), at: ms(90.2), subject: .cue), client: 1, line: 3)
    more(&flight)
    return flight.explain(.cue, 12, now: 300)
  }

  @Test func aWriteInTimeIsTold() {
    let life = flight {
      $0.add(.wrote(due: ms(70), felt: ms(80), woken: ms(70), done: ms(70.1), device: 1, isRefused: false))
      $0.add(.writing(due: ms(100), felt: ms(110), woken: ms(100.1), device: 1))
      $0.add(.wrote(due: ms(100), felt: ms(110), woken: ms(100.1), done: ms(100.3), device: 1, isRefused: false))
    }
    #expect(
      life?.stages.last
        == .init(.written, begun: ms(100.1), over: ms(100.3), late: length(0.3), part: .player(4), device: 1))
    #expect(life?.blames == [])
  }

  @Test func aDeviceMayBeQuickerThanTheNoteThatItWasTold() {
    var flight = Flight()
    flight.addLine(arrived: 90, begun: 90.01, done: 90.3)
    flight.add(.player(player: 4, felt: ms(90.1), at: ms(90.2), cue: 12), client: 1, line: 3)
    flight.add(
      .asked(id: 12, asked: ms(90.1), scheduled: ms(90.1), at: ms(90.2), subject: .cue), client: 1, line: 3)
    flight.add(.wrote(due: ms(90), felt: ms(90), woken: ms(90), done: ms(90.005), device: 1, isRefused: false))
    flight.add(.wrote(due: ms(90.1), felt: ms(90.1), woken: ms(90.12), done: ms(90.15), device: 1, isRefused: false))
    flight.add(.wrote(due: ms(110), felt: ms(110), woken: ms(110), done: ms(110.1), device: 1, isRefused: false))
    #expect(flight.explain(.cue, 12, now: 300)?.stages.first { $0.kind == .written }?.over == ms(90.15))
  }

  @Test func aDeviceThatIsSlowToAnswerIsNamed() {
    let life = flight {
      $0.add(.wrote(due: ms(100), felt: ms(110), woken: ms(100), done: ms(140), device: 1, isRefused: false))
    }
    #expect(life?.blames == [.init(.hapticDevice, length(40), device: 1)])
  }

  @Test func aDeviceThatHasNotAnsweredWhatCameBeforeIsNamed() {
    let life = flight {
      $0.add(.wrote(due: ms(80), felt: ms(90), woken: ms(80), done: ms(150), device: 1, isRefused: false))
      $0.add(.wrote(due: ms(100), felt: ms(110), woken: ms(150), done: ms(150.1), device: 1, isRefused: false))
    }
    #expect(life?.blames == [.init(.hapticDevice, length(50), device: 1)])
  }

  @Test func aDeviceThatDoesNotAnswerAtAllIsNamed() {
    let own = flight { $0.add(.writing(due: ms(100), felt: ms(110), woken: ms(100), device: 1)) }
    #expect(own?.blames == [.init(.hapticDevice, length(200), device: 1)])
    #expect(own?.stages.last?.over == nil)
    let earlier = flight { $0.add(.writing(due: ms(50), felt: ms(60), woken: ms(50), device: 1)) }
    #expect(earlier?.blames == [.init(.hapticDevice, length(250), device: 1)])
  }

  @Test func aThreadThatIsNotLetRunIsNamed() {
    let life = flight {
      $0.add(.wrote(due: ms(100), felt: ms(110), woken: ms(130), done: ms(130.1), device: 1, isRefused: false))
    }
    #expect(life?.blames == [.init(.hapticDescheduled, length(30), device: 1)])
  }
}

@Suite struct ToldLifeTests {
  private func beat(_ more: (inout Flight) -> Void) -> Life? {
    var flight = Flight()
    flight.add(.handedOut(number: 5, due: ms(100), at: ms(0), subject: .beat))
    more(&flight)
    return flight.explain(.beat, now: 300)
  }

  private func told(_ queued: Double, _ written: Double?) -> TraceEvent {
    .told(number: 5, due: ms(100), queued: ms(queued), written: written.map(ms) ?? .distantFuture, subject: .beat)
  }

  @Test func aBeatsLifeIsWhenItWasHandedOutAndTold() {
    let life = beat {
      $0.add(told(100.1, 100.15), client: 1)
      $0.add(told(100.1, 100.2), client: 2)
    }
    #expect(life?.id == 5)
    #expect(
      life?.stages == [
        .init(.handedOver, over: ms(0)),
        .init(.told, begun: ms(100.1), over: ms(100.15), late: length(0.15), client: 1),
        .init(.told, begun: ms(100.1), over: ms(100.2), late: length(0.2), client: 2),
      ])
    #expect(life?.blames == [])
  }

  @Test func theThreadThatSendsBeatsMayBeLate() {
    let life = beat { $0.add(told(120, 120.1), client: 1) }
    #expect(life?.blames == [.init(.beatsDescheduled, length(20))])
  }

  @Test func aClientThatDoesNotReadIsNamed() {
    let late = beat { $0.add(told(100, 150), client: 1) }
    #expect(late?.blames == [.init(.clientDoesNotRead, length(50), client: 1)])
    let never = beat {
      $0.add(told(100, 100.1), client: 1)
      $0.add(told(100.1, nil), client: 2)
    }
    #expect(never?.blames == [.init(.clientDoesNotRead, length(199.9), client: 2)])
    #expect(never?.stages.last?.over == nil)
    let after = beat {
      $0.add(told(100.1, nil), client: 2)
      $0.add(told(100.1, 180.1), client: 2)
    }
    #expect(after?.blames == [.init(.clientDoesNotRead, length(80), client: 2)])
  }

  @Test func aTapThatCameLongAfterItsStampIsItsClients() {
    for (stamp, late) in [(95.0, nil), (60.0, 40.0)] {
      var flight = Flight()
      flight.add(
        .asked(id: 2, asked: ms(stamp), scheduled: ms(stamp), at: ms(100.2), subject: .tap), client: 1, line: 3)
      flight.addLine()
      #expect(
        flight.explain(.tap, 2)?.blames == (late.map { [.init(.clientAskedLate, length($0), client: 1)] } ?? []))
    }
  }
}
