// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing

@testable import Engine

@Suite struct MusicPlayerTests {
  let a = LoadedKey.of("a")
  let b = LoadedKey.of("b")
  let declick = Fade(frames: 240)
  let fade = Fade(frames: 24_000, curve: .equalPower)

  func request(
    _ track: LoadedKey, position: Int64 = 0, continues: Bool = false, loops: Bool = true
  ) -> MusicPlayer.Request {
    MusicPlayer.Request(
      track: track, info: TrackInfo(frames: 100_000, loop: LoopRegion(start: 10_000, end: 90_000), headFrames: 24_000),
      position: position,
      loops: loops, continues: continues, fade: fade, standsWhenOff: true)
  }

  func voice(_ number: UInt64) -> VoiceID { VoiceID(rawValue: number) }

  @Test func aloneAndFromItsStartATrackBeginsAsItWasMade() {
    var player = MusicPlayer()
    let started = player.apply(.play(request(a)), voice: voice(1), at: 5_000, declick: declick)
    #expect(started.steps.count == 1)
    #expect(started.steps.first?.trackStart?.fadeIn == Fade.none)
    #expect(started.steps.first?.trackStart?.at == 5_000)
    #expect(started.changes.last?.from == nil)
  }

  @Test func enteredInItsMiddleATrackIsRamped() {
    var player = MusicPlayer()
    let started = player.apply(.play(request(a, position: 7)), voice: voice(1), at: 0, declick: declick)
    #expect(started.steps.first?.trackStart?.fadeIn == declick)
  }

  @Test func aSecondTrackCrossfadesFromTheFirst() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    let started = player.apply(.play(request(b)), voice: voice(2), at: 48_000, declick: declick)
    #expect(started.changes.last?.from == a.key)
    #expect(started.steps.stopped == [Stopped(voice: voice(1), at: 48_000, frames: 24_000)])
    #expect(started.steps.last?.trackStart?.fadeIn == fade)
    #expect(player.tails.map(\.track) == [a])
    #expect(player.unended(voice(1)) == nil)
    player.finished(voice(1), at: 72_000)
    player.settle(at: 71_999)
    #expect(player.fading(at: 71_999).map(\.track) == [a])
    player.settle(at: 72_000)
    #expect(player.tails.isEmpty)
  }

  @Test func aVoiceThatTheMixerIsDoneWithReadsNoStreamThoughItIsStillToBeHeard() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request(b)), voice: voice(2), at: 48_000, declick: declick)
    #expect(player.streams == 2)
    player.finished(voice(1), at: 72_000)
    player.settle(at: 71_999)
    #expect(player.voices.count == 2 && player.streams == 1)
    player.finished(voice(2), at: 72_000)
    #expect(player.streams == 0)
  }

  @Test func aSecondStopProlongsNothingAndIsToldWhereItIsSooner() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.stop(fade), voice: voice(0), at: 48_000, declick: declick)
    let longer = player.apply(.stop(fade), voice: voice(0), at: 60_000, declick: declick)
    #expect(longer.steps.isEmpty && longer.changes.isEmpty)
    let sooner = player.apply(.stop(declick), voice: voice(0), at: 61_000, declick: declick)
    #expect(sooner.steps.stopped == [Stopped(voice: voice(1), at: 61_000, frames: 240)])
    #expect(sooner.changes == [MusicChange(kind: .stopped, track: a.key, fade: declick)])
  }

  @Test func overWhatAStopFadesOutItIsToldHowThatLeaves() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.stop(fade), voice: voice(0), at: 48_000, declick: declick)
    var next = request(b)
    (next.fade, next.fadeOut) = (declick, Fade(frames: 4_800))
    let started = player.apply(.play(next), voice: voice(2), at: 50_000, declick: declick)
    #expect(started.changes.last?.fadeOut == Fade(frames: 4_800))
    #expect(started.changes.last?.from == nil)
  }

  @Test func aTrackThatIsBeingTurnedDownIsStoppedInTheTimeAskedFor() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.gain(0.000_01, fade), voice: voice(0), at: 48_000, declick: declick)
    let stopped = player.apply(.stop(declick), voice: voice(0), at: 48_100, declick: declick)
    #expect(stopped.changes.last?.fade == declick)
    #expect(stopped.steps.stopped == [Stopped(voice: voice(1), at: 48_100, frames: 240)])
  }

  @Test func pausedInTheMiddleOfAFadeBothTracksStandAndGoOn() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request(b)), voice: voice(2), at: 48_000, declick: declick)
    let paused = player.apply(.pause(.client, declick), voice: voice(0), at: 50_000, declick: declick)
    #expect(paused.steps.stopped.isEmpty && paused.steps.count == 2)
    #expect(player.position(at: 96_000) == 2_240)
    #expect(player.fading(at: 1_000_000).map(\.track) == [a])
    #expect(player.tails.first?.position(at: 1_000_000) == 50_240)
    let again = player.apply(.pause(.switch, fade), voice: voice(0), at: 60_000, declick: declick)
    #expect(again.steps.isEmpty)
    _ = player.apply(.resume(.client, declick), voice: voice(0), at: 70_000, declick: declick)
    #expect(player.fading(at: 1_000_000).map(\.track) == [a])
    let resumed = player.apply(.resume(.switch, declick), voice: voice(0), at: 100_000, declick: declick)
    #expect(resumed.steps.count == 2)
    // Of the fade 2240 frames were heard.
    #expect(player.fading(at: 100_000 + 21_759).map(\.track) == [a])
    #expect(player.fading(at: 100_000 + 21_760).isEmpty)
    #expect(player.position(at: 100_010) == 2_250)
  }

  @Test func everyTailOfAnInterruptedFadeFadesAnew() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request(b)), voice: voice(2), at: 10_000, declick: declick)
    let third = player.apply(.play(request(a)), voice: voice(3), at: 20_000, declick: declick)
    #expect(
      third.steps.stopped == [
        Stopped(voice: voice(1), at: 20_000, frames: 28_042), Stopped(voice: voice(2), at: 20_000, frames: 28_042),
      ])
    #expect(third.changes.last?.fade?.frames == 28_042)
    #expect(third.steps.last?.trackStart?.fadeIn == third.changes.last?.fade)
  }

  @Test func aTrackThatFadesOutIsBroughtBackWhereItIs() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request(b)), voice: voice(2), at: 10_000, declick: declick)
    let back = player.apply(.play(request(a, continues: true)), voice: voice(3), at: 20_000, declick: declick)
    #expect(back.changes.last?.position == 20_000)
    #expect(back.steps.allSatisfy { $0.trackStart == nil })
    #expect(player.current?.voice == voice(1))
    #expect(player.tails.map(\.voice) == [voice(2)])
    // Once its fade has ended it starts anew.
    let late = player.apply(.play(request(b, continues: true)), voice: voice(4), at: 50_000, declick: declick)
    #expect(late.changes.last?.position == 0)
    #expect(player.current?.voice == voice(4))
  }

  @Test func positionsFollowTheLoop() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a, position: 80_000)), voice: voice(1), at: 1_000, declick: declick)
    #expect(player.position(at: 1_000) == 80_000)
    #expect(player.position(at: 10_999) == 89_999)
    #expect(player.position(at: 11_000) == 10_000)
    #expect(player.position(at: 11_000 + 80_000 * 3 + 5) == 10_005)
  }

  @Test func aPausedTrackKeepsItsPlace() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 1_000, declick: declick)
    // It froze when its ramp had ended.
    #expect(player.position(at: 50_000) == 1_240)
    _ = player.apply(.resume(.client, declick), voice: voice(0), at: 60_000, declick: declick)
    #expect(player.position(at: 60_100) == 1_340)
  }

  @Test func resumedDuringThePausesRampItNeverFroze() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 1_000, declick: declick)
    _ = player.apply(.resume(.client, declick), voice: voice(0), at: 1_100, declick: declick)
    #expect(player.position(at: 2_000) == 2_000)
  }

  @Test func aTrackThatPlaysOnceStaysAtItsEnd() {
    var player = MusicPlayer()
    _ = player.apply(.play(request(a, loops: false)), voice: voice(1), at: 0, declick: declick)
    #expect(player.position(at: 200_000) == 100_000)
    player.settle(at: 99_999)
    #expect(player.current?.track == a)
    player.settle(at: 100_000)
    #expect(player.current == nil && player.unended(voice(1)) == a)
    player.finished(voice(1), at: 100_000)
    player.settle(at: 100_000)
    #expect(player.voices.isEmpty)
  }
}

struct Stopped: Equatable {
  var voice: VoiceID
  var at: Int64
  var frames: Int32
}

extension AudioStep {
  var trackStart: VoiceStart<NamedSource>? {
    if case .start(let start) = self, start.track != nil { start } else { nil }
  }
}

extension [AudioStep] {
  var stopped: [Stopped] {
    let starts = compactMap { step in if case .start(let start) = step { start } else { nil } }
    return flatMap { (step) -> [Stopped] in
      switch step {
      case .command(.stop(let voice, let at, let fade)), .command(.end(let voice, let at, let fade)):
        return [Stopped(voice: voice, at: at, frames: fade.frames)]
      case .command(.endMany(let sound, let before, let at, let fade)):
        let meant = starts.filter { $0.sound != 0 && (sound == 0 || $0.sound == sound) && $0.instant < before }
        return meant.map { Stopped(voice: $0.id, at: at, frames: fade.frames) }
      default: return []
      }
    }
  }
}
