// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Host
import Testing
import Wire

/// Each method answers the kinds of errors that it lists, all of them and no others. `HostRig.ask` sees to the latter in
/// every test of a host; here each kind is brought about.
@Suite struct RefusalTests {
  /// What `withoutDescriptorsATrackCannotBeginAnew` brings about, and a test of the server's, and
  /// `whereAllHoldTheirShareNoOtherIsTakenAndNothingEnds`.
  private static let elsewhere: Set<HostRig.Refused> = [
    .init(SessionHello.self, .unsupportedProtocol), .init(MusicSeek.self, .unavailable),
    .init(PackUnload.self, .busy),
  ]

  @Test func everyKindThatIsListedIsAnswered() throws {
    let controls = FakeControls()
    controls.plug(.pad(), .keyboard)
    let rig = try HostRig(
      manifest: Self.manifest, files: ["main", "sfx_click"], seconds: 6,
      change: { folder in
        try Self.pattern.write(toFile: folder + "/thud.ahap", atomically: true, encoding: .utf8)
      }, configure: { $0.controls = controls })
    nameNothing(on: rig)
    playNothing(on: rig)
    try runAChapter(on: rig)
    beginAnewTooOften(on: rig)
    pauseTooOften(on: rig)
    turnTooOften(on: rig)
    try planTooMuch(on: rig)
    var live = HostConfiguration()
    live.audioDevice = "none"
    live.haptics = "none"
    let other = try HostRig(live)
    _ = other.ask("clock.step", #"{"toUs":0}"#)
    other.host.stop()
    bindWhatCannotBe(on: rig)
    let listed = allMethods.flatMap { method in method.refusals.map { HostRig.Refused(method, $0) } }
    #expect(Set(listed).subtracting(rig.refused.union(other.refused)) == Self.elsewhere)
  }

  /// A track that plays has its file; what begins anew needs another descriptor.
  @Test func withoutDescriptorsATrackCannotBeginAnew() async {
    await #expect(processExitsWith: .success) {
      let rig = try HostRig()
      _ = rig.ask("music.play", #"{"track":"main"}"#)
      rig.step(microseconds: 500_000)
      HostRig.useUpDescriptors()
      _ = rig.ask("music.seek", #"{"positionUs":1000}"#)
      exit(rig.refused == [.init(MusicSeek.self, .unavailable)] ? 0 : 1)
    }
  }

  private func nameNothing(on rig: HostRig) {
    _ = rig.ask("session.use", #"{"pack":"no"}"#)
    _ = rig.ask("music.play", #"{"track":"no"}"#)
    _ = rig.ask("music.play", #"{"track":"finale"}"#)
    _ = rig.ask("sound.play", #"{"sound":"no"}"#)
    _ = rig.ask("sound.play", #"{"sound":"lost"}"#)
    _ = rig.ask("haptics.play", #"{"pattern":"no"}"#)
    _ = rig.ask("haptics.play", #"{"pattern":"lost"}"#)
    _ = rig.ask("cue.fire", #"{"cue":"no"}"#)
    _ = rig.ask("cue.list", #"{"after":"no:cue"}"#)
    _ = rig.ask("parameter.list", #"{"after":"no:parameter"}"#)
    _ = rig.ask("pack.list", #"{"after":"no"}"#)
    _ = rig.ask("parameter.set", #"{"parameter":"no","value":1}"#)
    _ = rig.ask("rhythm.start", #"{"chapter":"no"}"#)
    _ = rig.ask("rhythm.start", #"{"chapter":"lost"}"#)
    _ = rig.ask("devices.set", #"{"device":"no","gain":1}"#)
    _ = rig.ask("pack.reload", #"{"pack":"no"}"#)
    _ = rig.ask("pack.unload", #"{"pack":"no"}"#)
    _ = rig.ask("pack.load", #"{"path":"/tmp"}"#, user: 1)
    _ = rig.ask("pack.reload", user: 1)
    _ = rig.ask("pack.unload", #"{"pack":"game"}"#, user: 1)
    _ = rig.ask("trace.explain", #"{"kind":"cue","id":999}"#)
  }

  private func playNothing(on rig: HostRig) {
    _ = rig.ask("music.seek", #"{"positionUs":0}"#)
    _ = rig.ask("music.pause")
    _ = rig.ask("music.resume")
    _ = rig.ask("music.gain", #"{"gain":1}"#)
    _ = rig.ask("music.cancel", #"{"plan":999}"#)
    _ = rig.ask("sound.stop", #"{"id":999}"#)
    _ = rig.ask("haptics.stop", #"{"player":999}"#)
    _ = rig.ask("sound.set", #"{"id":999,"gain":1}"#)
    _ = rig.ask("cue.stop", #"{"id":999}"#)
    _ = rig.ask("haptics.play", #"{"pattern":"thud","replaces":999}"#)
    for (method, more) in Self.changes { _ = rig.ask(method, #"{"player":999\#(more)}"#) }
    _ = rig.ask("cue.fire", #"{"cue":"click","quantise":"beat"}"#)
    _ = rig.ask("cue.fire", #"{"cue":"click","after":"no"}"#)
    _ = rig.ask("parameter.set", #"{"parameter":"low","value":1,"quantise":"beat"}"#)
    for verb in ["tap", "stop", "pause", "resume", "restart", "takeOver"] { _ = rig.ask("rhythm." + verb) }
  }

  private func bindWhatCannotBe(on rig: HostRig) {
    _ = rig.ask("rhythm.bind", #"{"control":"BTN_NO"}"#)
    _ = rig.ask("rhythm.bind", #"{"control":"KEY_A","device":"keyboard"}"#)
    _ = rig.ask("rhythm.bind", #"{"control":"BTN_WEST"}"#)
    for _ in 0..<17 { _ = rig.ask("rhythm.bind", #"{"control":"BTN_SOUTH"}"#) }
    _ = rig.ask("rhythm.unbind", #"{"binding":999}"#)
  }

  private func runAChapter(on rig: HostRig) throws {
    let started = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    #expect(started.contains(#""run":1"#))
    _ = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":1}"#)
    rig.step(microseconds: 3_000_000)
    let changes = [
      ("music.play", #"{"track":"main"}"#), ("music.stop", "{}"), ("music.pause", "{}"), ("music.resume", "{}"),
      ("music.seek", #"{"positionUs":0}"#),
    ]
    for (method, params) in changes { _ = rig.ask(method, params) }
    _ = rig.ask("rhythm.takeOver", "{}", user: 7)
    let later = rig.ask("rhythm.restart")
    #expect(later.contains(#""run":2"#))
    let planned = rig.ask("music.status").firstMatch(of: #/"plan":(\d+),"track"/#).map { String($0.1) }
    _ = rig.ask("music.cancel", #"{"plan":\#(planned ?? "0")}"#)
    #expect(rig.ask("rhythm.stop").contains("score"))
    rig.step(microseconds: 2_000_000)
    let again = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    let begun = try #require(again.firstMatch(of: #/"startUs":(\d+)/#).flatMap { Int64($0.1) }, "\(again)")
    rig.step(microseconds: 3_000_000)
    _ = rig.ask("rhythm.tap", #"{"atUs":\#(begun + 500_000)}"#)
    _ = rig.ask("rhythm.tap", #"{"atUs":\#(begun + 60_000_000)}"#)
    #expect(rig.ask("rhythm.stop").contains("score"))
    rig.step(microseconds: 2_000_000)
    let last = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    let endUs = try #require(last.firstMatch(of: #/"endUs":(\d+)/#).flatMap { Int64($0.1) }, "\(last)")
    rig.step(microseconds: endUs - 1 - rig.host.now.microseconds)
    _ = rig.ask("rhythm.pause")
    rig.step(microseconds: 2_000_000)
  }

  /// Runs whose songs have not faded out when the next is to begin.
  private func beginAnewTooOften(on rig: HostRig) {
    let params = #"{"chapter":"one","map":{"beats":[{"at":4.5}]}}"#
    _ = rig.ask("rhythm.start", params)
    for _ in 0..<20 {
      rig.step(microseconds: 1_000)
      _ = rig.ask("rhythm.restart")
    }
    for _ in 0..<8 {
      _ = rig.ask("rhythm.stop")
      _ = rig.ask("rhythm.start", params)
      rig.step(microseconds: 1_000)
    }
    rig.step(microseconds: 1_000_000)
    _ = rig.ask("rhythm.stop")
    rig.step(microseconds: 1_000_000)
  }

  /// Pauses of which the mixer has reached none, and one that nobody asked for.
  private func pauseTooOften(on rig: HostRig) {
    for _ in 0..<8 {
      _ = rig.ask("engine.pause")
      _ = rig.ask("engine.resume")
    }
    rig.step(microseconds: 1_000_000)
    _ = rig.ask("engine.resume")
  }

  /// Changes of music each before the last, so that all are made anew, until no more are.
  private func turnTooOften(on rig: HostRig) {
    _ = rig.ask("music.play", #"{"track":"main","loop":true}"#)
    rig.step(microseconds: 500_000)
    let soon = rig.host.now.microseconds + 90_000
    let fired = rig.ask("cue.fire", #"{"cue":"turn","atUs":\#(soon)}"#)
    for before in 1...60 { _ = rig.ask("music.gain", #"{"gain":1,"atUs":\#(soon - 1_000 * Int64(before))}"#) }
    let cue = fired.firstMatch(of: #/"id":(\d+),"lateUs"/#).map { String($0.1) }
    _ = rig.ask("cue.stop", #"{"id":\#(cue ?? "0")}"#)
    _ = rig.ask("music.cancel", #"{"plan":1}"#)
    rig.step(microseconds: 1_000_000)
    #expect(rig.ask("music.stop").contains("plan"))
    rig.step(microseconds: 1_000_000)
  }

  /// Fills the shares of a client: of the music around one instant, of players, of their changes, and of all plans.
  private func planTooMuch(on rig: HostRig) throws {
    let later = rig.host.now.microseconds + 60_000_000
    #expect(rig.ask("music.play", #"{"track":"main","loop":true}"#).contains("plan"))
    rig.step(microseconds: 100_000)
    _ = rig.ask("music.gain", #"{"gain":1,"stem":"no"}"#)
    for _ in 0..<64 { _ = rig.ask("music.gain", #"{"gain":1,"atUs":\#(later)}"#) }
    for method in ["music.play", "music.stop", "music.pause", "music.resume", "music.gain", "music.seek"] {
      let more = ["music.play": #","track":"main""#, "music.gain": #","gain":1"#, "music.seek": #","positionUs":0"#]
      _ = rig.ask(method, #"{"atUs":\#(later)\#(more[method] ?? "")}"#)
    }
    let player = rig.ask("haptics.continuous", #"{"durationUs":30000000}"#)
    let id = try #require(
      player.firstMatch(of: #/"player":(\d+)/#).map { String($0.1) }, "no player in \(player)")
    for _ in 0..<512 + 32 { _ = rig.ask("haptics.set", #"{"player":\#(id),"gain":1,"atUs":\#(later)}"#) }
    _ = rig.ask("haptics.gain", #"{"gain":1}"#)
    for (method, more) in Self.changes { _ = rig.ask(method, #"{"player":\#(id),"atUs":\#(later)\#(more)}"#) }
    for _ in 0..<16 { _ = rig.ask("haptics.continuous", #"{"durationUs":30000000}"#) }
    _ = rig.ask("haptics.transient")
    _ = rig.ask("haptics.play", #"{"pattern":"thud"}"#)
    let sound = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(later)}"#)
    let voice = try #require(sound.firstMatch(of: #/"id":(\d+),"lateUs"/#).map { String($0.1) }, "no id in \(sound)")
    for index in 0..<1_024 as Range<Int64> {
      _ = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(later + index * 1_000)}"#)
    }
    _ = rig.ask("sound.set", #"{"id":\#(voice),"gain":1}"#)
    _ = rig.ask("sound.stop", #"{"atUs":\#(later)}"#)
    _ = rig.ask("haptics.stop", #"{"atUs":\#(later)}"#)
    _ = rig.ask("parameter.set", #"{"parameter":"low","value":1,"atUs":\#(later)}"#)
    _ = rig.ask("cue.fire", #"{"cue":"click","atUs":\#(later)}"#)
  }

  /// The methods that change a player, with what they cannot do without.
  private static let changes = [
    ("haptics.pause", ""), ("haptics.resume", ""), ("haptics.seek", #","positionUs":0"#),
    ("haptics.set", #","gain":1"#), ("haptics.sendParameters", #","intensity":1"#),
    ("haptics.scheduleCurve", #","control":"intensity","points":[{"timeUs":0,"value":1}]"#),
  ]

  private static let pattern =
    #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": []}}]}"#

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}, "lost": {"file": "lost.wav"}},
     "patterns": {"thud": {"file": "thud.ahap"}, "lost": {"file": "lost.ahap"}},
     "cues": {"click": {"steps": [{"at": 0, "sound": "sfx_click"}]}, "turn": {"steps": [{"music": {"gain": 0.5}}]}},
     "parameters": {"low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}},
     "chapters": {
       "one": {"title": "One", "track": "main", "length": 5, "beats": [{"at": 0.5}, {"at": 4}]},
       "lost": {"title": "Lost", "track": "main", "length": 5, "beats": "lost.json"}}}
    """
}
