import Mixing
import Testing

@testable import Engine

@Suite struct MusicPlayerTests {
  let a = AssetKey(pack: "p", name: "a")
  let b = AssetKey(pack: "p", name: "b")
  let declick = Fade(frames: 240)
  let fade = Fade(frames: 24_000, law: .equalPower)

  func request(
    _ track: AssetKey, position: Int64 = 0, continues: Bool = false, loops: Bool = true
  ) -> MusicPlayer.Request {
    MusicPlayer.Request(
      track: track, info: TrackInfo(frames: 100_000, loop: LoopRegion(start: 10_000, end: 90_000), headFrames: 24_000),
      position: position,
      loops: loops, gain: 1, continues: continues, fade: fade)
  }

  func voice(_ number: UInt64) -> VoiceID { VoiceID(rawValue: number) }

  @Test func aloneAndFromItsStartATrackBeginsAsItWasMade() {
    var player = MusicPlayer()
    let started = player.play(request(a), voice: voice(1), at: 5_000, declick: declick)
    #expect(started.steps.count == 1)
    #expect(started.steps.first?.trackStart?.fade == Fade.none)
    #expect(started.steps.first?.trackStart?.at == 5_000)
    #expect(started.from == nil)
  }

  @Test func enteredInItsMiddleATrackIsRamped() {
    var player = MusicPlayer()
    let started = player.play(request(a, position: 7), voice: voice(1), at: 0, declick: declick)
    #expect(started.steps.first?.trackStart?.fade == declick)
  }

  @Test func aSecondTrackCrossfadesFromTheFirst() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    let started = player.play(request(b), voice: voice(2), at: 48_000, declick: declick)
    #expect(started.from == a)
    #expect(started.steps.stopped == [Stopped(voice: voice(1), at: 48_000, frames: 24_000)])
    #expect(started.steps.last?.trackStart?.fade == fade)
    #expect(player.tails.map(\.track) == [a])
    #expect(player.finished(voice(1)) == nil)
    #expect(player.tails.isEmpty)
  }

  @Test func aTrackThatIsBeingTurnedDownIsStoppedInTheTimeAskedFor() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    _ = player.setGain(0.000_01, at: 48_000, fade: fade)
    let stopped = player.stop(at: 48_100, fade: declick, declick: declick)
    #expect(stopped.fade == declick)
    #expect(stopped.steps.stopped == [Stopped(voice: voice(1), at: 48_100, frames: 240)])
  }

  @Test func pausedAtOnceInTheMiddleOfAFadeTheTailStillEndsWithoutAClick() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    _ = player.play(request(b), voice: voice(2), at: 48_000, declick: declick)
    let paused = player.pause(at: 48_000, fade: .none, declick: declick)
    #expect(paused.stopped == [Stopped(voice: voice(1), at: 48_000, frames: 240)])
    #expect(player.position(at: 96_000) == 0)
    let slowly = player.pause(at: 48_000, fade: fade, declick: declick)
    #expect(slowly.isEmpty)
  }

  @Test func everyTailOfAnInterruptedFadeFadesAnew() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    _ = player.play(request(b), voice: voice(2), at: 10_000, declick: declick)
    let third = player.play(request(a), voice: voice(3), at: 20_000, declick: declick)
    #expect(
      third.steps.stopped == [
        Stopped(voice: voice(1), at: 20_000, frames: 28_042), Stopped(voice: voice(2), at: 20_000, frames: 28_042),
      ])
    #expect(third.fade.frames == 28_042 && third.steps.last?.trackStart?.fade == third.fade)
  }

  @Test func aTrackThatFadesOutIsBroughtBackWhereItIs() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    _ = player.play(request(b), voice: voice(2), at: 10_000, declick: declick)
    let back = player.play(request(a, continues: true), voice: voice(3), at: 20_000, declick: declick)
    #expect(back.position == 20_000)
    #expect(back.steps.allSatisfy { $0.trackStart == nil })
    #expect(player.current?.voice == voice(1))
    #expect(player.tails.map(\.voice) == [voice(2)])
    // Once its fade has ended it starts anew.
    let late = player.play(request(b, continues: true), voice: voice(4), at: 50_000, declick: declick)
    #expect(late.position == 0)
    #expect(player.current?.voice == voice(4))
  }

  @Test func positionsFollowTheLoop() {
    var player = MusicPlayer()
    _ = player.play(request(a, position: 80_000), voice: voice(1), at: 1_000, declick: declick)
    #expect(player.position(at: 1_000) == 80_000)
    #expect(player.position(at: 10_999) == 89_999)
    #expect(player.position(at: 11_000) == 10_000)
    #expect(player.position(at: 11_000 + 80_000 * 3 + 5) == 10_005)
  }

  @Test func aPausedTrackKeepsItsPlace() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    _ = player.pause(at: 1_000, fade: declick, declick: declick)
    // It froze when its ramp had ended.
    #expect(player.position(at: 50_000) == 1_240)
    _ = player.resume(at: 60_000, fade: declick)
    #expect(player.position(at: 60_100) == 1_340)
  }

  @Test func resumedDuringThePausesRampItNeverFroze() {
    var player = MusicPlayer()
    _ = player.play(request(a), voice: voice(1), at: 0, declick: declick)
    _ = player.pause(at: 1_000, fade: declick, declick: declick)
    _ = player.resume(at: 1_100, fade: declick)
    #expect(player.position(at: 2_000) == 2_000)
  }

  @Test func aTrackThatPlaysOnceStaysAtItsEnd() {
    var player = MusicPlayer()
    _ = player.play(request(a, loops: false), voice: voice(1), at: 0, declick: declick)
    #expect(player.position(at: 200_000) == 100_000)
    #expect(player.finished(voice(1))?.track == a)
    #expect(player.current == nil)
  }
}

struct Stopped: Equatable {
  var voice: VoiceID
  var at: Int64
  var frames: Int32
}

extension AudioStep {
  var trackStart: TrackStart? {
    if case .startTrack(let start) = self { start } else { nil }
  }
}

extension [AudioStep] {
  var stopped: [Stopped] {
    compactMap { step in
      guard case .command(.stop(let voice, let at, let fade)) = step else { return nil }
      return Stopped(voice: voice, at: at, frames: fade.frames)
    }
  }
}
