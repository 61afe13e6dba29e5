// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import Testing
import Timing
import Wire

@testable import Host

/// Packs that are read while a host runs.
@Suite struct PackReloadingTests {
  private func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func reading(_ reply: String) throws -> PackReading {
    guard case .reply(_, .success(let bytes))? = ServerMessage(line: Array(reply.utf8)) else {
      throw NoReply(text: reply)
    }
    if let all = try? decodeJSON(PackReload.Result.self, from: bytes) { return try #require(all.packs.first) }
    return try decodeJSON(PackReading.self, from: bytes)
  }

  private struct NoReply: Error { var text: String }

  private func told(_ rig: HostRig) -> [String] {
    rig.host.takeNotifications().filter { $0.topic == .packs }.map {
      String(decoding: $0.line(seq: 1), as: UTF8.self)
    }
  }

  @Test func aSoundOfAnotherLengthIsThatFromTheReloadOn() throws {
    let rig = try HostRig()
    #expect(rig.ask("pack.list").contains(#""durationUs":50000"#))
    try Data(HostRig.wave(seconds: 0.125)).write(to: URL(filePath: rig.directory + "/sfx_click.wav"))
    let reading = try reading(rig.ask("pack.reload", #"{"pack":"game"}"#))
    #expect(reading.taken && reading.generation == 2 && reading.problems.isEmpty && reading.path == rig.directory)
    #expect(rig.ask("pack.list").contains(#""durationUs":125000"#))
    let told = told(rig)
    #expect(told.count == 1 && told[0].contains(#""change":"taken""#))
    #expect(told[0].contains(#""counts":{"chapters":0,"cues":0,"parameters":0,"patterns":0,"sounds":1,"tracks":2}"#))
  }

  @Test(arguments: [false, true])
  func aParameterThatNobodyHasSetHasItsNewDefaultThoughSomebodyIsTo(isPlanned: Bool) throws {
    func manifest(_ standard: Double) -> String {
      """
      {"name": "game", "title": "Game", "version": "1", "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
       "parameters": {"low": {"default": \(standard), "targets": [{"bus": "sound", "gain": {"power": 1}}]}}}
      """
    }
    let rig = try HostRig(manifest: manifest(0.5), files: ["sfx_click"])
    if isPlanned {
      let planned = rig.ask(
        "parameter.set", #"{"parameter":"low","value":0.25,"atUs":\#(rig.host.now.microseconds + 1_000_000)}"#)
      #expect(planned.contains(#""result""#), "\(planned)")
    }
    #expect(rig.ask("parameter.list").contains(#""value":0.5"#))
    try write(manifest(1), rig.directory + "/pack.json")
    #expect(try reading(rig.ask("pack.reload")).taken)
    #expect(rig.ask("parameter.list").contains(#""value":1"#))
    rig.step(microseconds: 2_000_000)
    #expect(rig.ask("parameter.list").contains(#""value":\#(isPlanned ? "0.25" : "1")"#))
  }

  @Test func aPackWithFaultsStaysAsItWasAndTellsThemAll() throws {
    let rig = try HostRig()
    let faulty = """
      {"name": "game", "title": "Game", "version": "1",
       "tracks": {"main": {"file": "main.wav", "gain": -1}},
       "sounds": {"sfx_click": {"file": "sfx_clik.wav"}},
       "patterns": {"thud": {"fil": "thud.ahap"}}}
      """
    try write(faulty, rig.directory + "/pack.json")
    let reading = try reading(rig.ask("pack.reload"))
    #expect(!reading.taken && reading.generation == 1)
    let places = reading.problems.compactMap(\.where.line)
    #expect(Set(places) == [2, 3, 4] && reading.problems.allSatisfy { $0.where.column != nil && $0.remedy != nil })
    #expect(reading.problemCount == reading.problems.count)
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains(#""result""#))
    #expect(told(rig).last?.contains(#""change":"refused""#) == true)
    let logged = rig.host.takeProblems().map(\.description)
    #expect(logged.count == reading.problemCount + 1)
    #expect(logged.last?.hasSuffix("what was read of it before plays on") == true)
    // A whole manifest again, of which a file is missing.
    try write(HostRig.manifest, rig.directory + "/pack.json")
    rig.remove("finale.wav")
    let missing = try self.reading(rig.ask("pack.reload"))
    #expect(!missing.taken && missing.problems.map(\.kind) == [.missing])
    #expect(
      rig.ask("pack.list").contains(
        #"{"available":true,"durationUs":3000000,"loops":true,"markers":[],"name":"game:finale""#))
  }

  @Test func whatWasNotTakenIsToldUntilALaterReadingIs() throws {
    let rig = try HostRig()
    #expect(rig.host.status().untaken == nil)
    rig.step(microseconds: 250_000)
    try write(HostRig.manifest.replacing("main.wav", with: "../main.wav"), rig.directory + "/pack.json")
    _ = rig.ask("pack.reload")
    rig.step(microseconds: 250_000)
    let untaken = try #require(rig.host.status().untaken)
    #expect(untaken.count == 1 && untaken[0].pack == "game" && untaken[0].path == rig.directory)
    #expect(untaken[0].atUs == 1_250_000 && untaken[0].generation == 1 && untaken[0].problemCount == 1)
    let place = untaken[0].problem.where
    #expect(
      place.pack == "game" && place.file == rig.directory + "/pack.json" && place.line == 2
        && place.field == "tracks.main.file", "\(place)")
    #expect(rig.ask("engine.status").contains(#""untaken":[{"atUs":1250000,"generation":1,"pack":"game""#))
    // Another reading that is not taken takes its place.
    try write("{", rig.directory + "/pack.json")
    _ = rig.ask("pack.reload")
    #expect(rig.host.status().untaken?.map(\.problem.kind) == [.syntax])
    #expect(rig.host.status().untaken?.map(\.atUs) == [1_500_000])
    try write(HostRig.manifest, rig.directory + "/pack.json")
    _ = rig.ask("pack.reload")
    #expect(rig.host.status().untaken == nil)
  }

  @Test func ofSeveralProblemsTheOneThatIsNewIsToldAsWhyItWasNotTaken() throws {
    let rig = try HostRig(files: ["main", "sfx_click"])
    rig.remove("sfx_click.wav")
    _ = rig.ask("pack.reload")
    let untaken = try #require(rig.host.status().untaken?.first)
    #expect(untaken.problem.where.asset == .init(.sound, "sfx_click") && untaken.problemCount == 2, "\(untaken)")
    // Of a pack that is taken out nothing plays on.
    _ = rig.ask("pack.unload", #"{"pack":"game"}"#)
    #expect(rig.host.status().untaken == nil)
  }

  @Test func aFolderThatNeverWasAPackIsNoneThatPlaysOn() throws {
    let rig = try HostRig()
    _ = rig.ask("pack.load", #"{"path":"/nowhere"}"#)
    #expect(rig.host.status().untaken == nil)
  }

  @Test func whatPlaysPlaysOnAndItsMemoryGoesWithIt() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
    rig.step(microseconds: 500_000)
    let bytes = rig.host.bank.residentBytes
    _ = rig.ask("pack.reload")
    rig.step(microseconds: 500_000)
    #expect(rig.host.bank.earlierCount == 1 && rig.host.bank.residentBytes == 2 * bytes)
    _ = rig.ask("sound.stop")
    rig.step(microseconds: 500_000)
    #expect(rig.host.bank.earlierCount == 1)
    _ = rig.ask("music.stop")
    rig.step(microseconds: 2_000_000)
    #expect(rig.host.bank.earlierCount == 0 && rig.host.bank.residentBytes == bytes)
    #expect(rig.host.holdings.values.allSatisfy { $0 == 0 })
  }

  /// Taken back by the switch and let come again, both before the mixer says anything of the first.
  @Test func whatASwitchLetsComeAgainKeepsItsMemoryToo() throws {
    let rig = try HostRig()
    rig.step(microseconds: 100_000)
    let at = rig.host.now.microseconds + 60_000
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true,"atUs":\#(at)}"#)
    rig.step(microseconds: 10_000)
    _ = rig.ask("settings.set", #"{"sound":false}"#)
    _ = rig.ask("settings.set", #"{"sound":true}"#)
    rig.step(microseconds: 200_000)
    #expect(rig.host.status().audio.activeVoices == 1)
    _ = rig.ask("pack.reload")
    rig.step(microseconds: 200_000)
    #expect(rig.host.bank.earlierCount == 1)
    _ = rig.ask("sound.stop")
    rig.step(microseconds: 500_000)
    #expect(rig.host.bank.earlierCount == 0 && rig.host.holdings.values.allSatisfy { $0 == 0 })
  }

  /// Control is not let run between looking at the time and telling the mixer.
  @Test(arguments: ["one", "all", "off", "turned"])
  func aLoopThatIsTakenBackTooLateIsNotHeardForEver(stop: String) throws {
    let rig = try HostRig()
    rig.step(microseconds: 100_000)
    let at = rig.host.now.microseconds + 60_000
    let reply = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true,"atUs":\#(at)}"#)
    guard case .reply(_, .success(let bytes))? = ServerMessage(line: Array(reply.utf8)) else {
      throw NoReply(text: reply)
    }
    let id = try #require(try decodeJSON(SoundPlay.Result.self, from: bytes).id)
    rig.step(microseconds: 10_000)
    rig.host.handsOverLate = .always(by: .milliseconds(80))
    switch stop {
    case "one": _ = rig.ask("sound.stop", #"{"id":\#(id)}"#)
    case "all": _ = rig.ask("sound.stop")
    default:
      _ = rig.ask("settings.set", #"{"sound":false}"#)
      if stop == "turned" { _ = rig.ask("settings.set", #"{"sound":true}"#) }
    }
    rig.step(microseconds: 500_000)
    // Its instant has come before the switch is on again.
    #expect(rig.host.status().audio.activeVoices == 0)
    #expect(rig.host.holdings.values.allSatisfy { $0 == 0 })
  }

  @Test func aFolderIsLoadedAndTakenOutAgain() throws {
    let rig = try HostRig()
    let folder = rig.directory + "/more"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try write(
      HostRig.manifest.replacing(#""name": "game""#, with: #""name": "more""#), folder + "/pack.json")
    for file in ["main", "finale", "sfx_click"] {
      try Data(HostRig.wave(seconds: 0.5)).write(to: URL(filePath: "\(folder)/\(file).wav"))
    }
    let reading = try reading(rig.ask("pack.load", #"{"path":"\#(folder)"}"#))
    #expect(reading.taken && reading.pack == "more" && reading.generation == 2)
    #expect(rig.ask("sound.play", #"{"sound":"more:sfx_click"}"#).contains(#""result""#))
    #expect(rig.ask("pack.unload", #"{"pack":"more"}"#).contains(#""result""#))
    #expect(rig.ask("sound.play", #"{"sound":"more:sfx_click"}"#).contains("unknownName"))
    rig.step(microseconds: 500_000)
    #expect(rig.host.bank.earlierCount == 0)
    // With none left there is no active pack, and the next that comes is.
    #expect(rig.ask("pack.unload", #"{"pack":"game"}"#).contains(#""result""#))
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains("no game pack is loaded"))
    _ = rig.ask("pack.load", #"{"path":"\#(rig.directory)"}"#)
    #expect(rig.ask("pack.list").contains(#""active":"game""#))
  }

  /// Longer than a name may be, as a path is allowed to.
  @Test func aPackDeepInFoldersIsLoaded() throws {
    let rig = try HostRig()
    let folder = rig.directory + String(repeating: "/a-folder-of-some-length", count: 10)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(#"{"name": "deep", "title": "Deep", "version": "1"}"#, folder + "/pack.json")
    #expect(folder.utf8.count > 256)
    let reading = try reading(rig.ask("pack.load", #"{"path":"\#(folder)"}"#))
    #expect(reading.taken && reading.pack == "deep")
  }

  @Test func aNewPackIsTakenAsFarAsItCanBeHad() throws {
    let rig = try HostRig()
    _ = rig.ask("pack.unload", #"{"pack":"game"}"#)
    rig.remove("finale.wav")
    let reading = try reading(rig.ask("pack.load", #"{"path":"\#(rig.directory)"}"#))
    #expect(reading.taken && reading.problems.map(\.kind) == [.missing])
    let nothing = try self.reading(rig.ask("pack.load", #"{"path":"/nowhere"}"#))
    #expect(!nothing.taken && nothing.pack == nil && nothing.generation == nil)
    #expect(nothing.problems.map(\.kind) == [.missing])
  }

  @Test func whatAPackWentOnWithoutItGoesOnWithout() throws {
    let rig = try HostRig(files: ["main", "sfx_click"])
    // On another line than before.
    try write("\n" + HostRig.manifest, rig.directory + "/pack.json")
    let reading = try reading(rig.ask("pack.reload"))
    #expect(reading.taken && reading.problems.map(\.kind) == [.missing])
    rig.remove("sfx_click.wav")
    let worse = try self.reading(rig.ask("pack.reload"))
    #expect(!worse.taken && worse.problems.map(\.kind) == [.missing, .missing])
  }

  @Test func aPackThatCallsItselfOtherwiseIsNotThereTwice() throws {
    let rig = try HostRig()
    try write(HostRig.manifest.replacing(#""name": "game""#, with: #""name": "play""#), rig.directory + "/pack.json")
    let reading = try reading(rig.ask("pack.reload"))
    #expect(reading.taken && reading.pack == "play")
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains("play:sfx_click"))
    #expect(rig.ask("sound.play", #"{"sound":"game:sfx_click"}"#).contains("unknownName"))
    rig.step(microseconds: 1_000_000)
    #expect(rig.host.bank.earlierCount == 0)
    _ = rig.ask("pack.unload", #"{"pack":"play"}"#)
    let nothing = rig.ask("pack.reload", errand: Errand())
    #expect(nothing.contains(#""packs":[]"#))
  }

  @Test func ofAPackThatHasLostItsManifestNoOtherIsProposed() throws {
    let rig = try HostRig()
    try FileManager.default.createDirectory(atPath: rig.directory + "/other", withIntermediateDirectories: false)
    try write(#"{"name": "other", "title": "Other", "version": "1"}"#, rig.directory + "/other/pack.json")
    try FileManager.default.removeItem(atPath: rig.directory + "/pack.json")
    let again = try reading(rig.ask("pack.reload"))
    #expect(!again.taken && again.problems.count == 1)
    #expect(!String(describing: again.problems).contains("/other"), "\(again.problems)")
    // Where the same folder is named for the first time, what lies in it may be meant.
    _ = rig.ask("pack.unload", #"{"pack":"game"}"#)
    #expect(rig.ask("pack.load", #"{"path":"\#(rig.directory)"}"#).contains("/other"))
  }

  @Test func onlyTheDaemonsOwnUserHasFoldersRead() throws {
    let rig = try HostRig()
    for (method, params) in [
      ("pack.load", #"{"path":"\#(rig.directory)"}"#), ("pack.reload", "{}"), ("pack.unload", #"{"pack":"game"}"#),
    ] {
      #expect(rig.ask(method, params, user: 1).contains("notPermitted"), "\(method)")
    }
    #expect(rig.ask("pack.load", #"{"path":"game"}"#).contains("invalidParams"))
    #expect(rig.ask("pack.load", #"{"path":"\#(rig.directory)\u0000/elsewhere"}"#).contains("a byte of zero"))
    #expect(rig.ask("pack.reload", #"{"pack":"gam"}"#).contains("did you mean game?"))
    #expect(rig.ask("pack.unload", #"{"pack":"no"}"#).contains("unknownName"))
    #expect(told(rig).isEmpty && rig.ask("pack.list").contains(#""name":"game""#))
  }

  @Test func aLiveHostReadsBesideAndAnswersWhenItIsDone() throws {
    let rig = try HostRig()
    var live = HostConfiguration()
    (live.audioDevice, live.haptics, live.packFolders, live.owner) = ("none", "none", [rig.directory], 0)
    let other = try HostRig(live)
    defer { other.host.stop() }
    let errands = [Errand(), Errand(), Errand()]
    for errand in errands { _ = other.ask("pack.reload", errand: errand) }
    #expect(errands.allSatisfy { $0.isLeft && $0.isAwaited })
    other.run { !errands.contains(where: \.isLeft) }
    let readings = try errands.map { try reading(other.ask("pack.reload", errand: $0)) }
    // What was asked for while the first was read is read once, for both.
    #expect(readings.map(\.generation) == [2, 3, 3] && readings.allSatisfy(\.taken))
    let told = told(other)
    #expect(told.filter { $0.contains(#""change":"reading""#) }.count == 2)
    #expect(told.filter { $0.contains(#""change":"taken""#) }.count == 2)
  }

  @Test func aHostThatWatchesReadsWhatIsSaved() throws {
    let rig = try HostRig()
    var live = HostConfiguration()
    (live.audioDevice, live.haptics, live.packFolders, live.watchesPacks) = ("none", "none", [rig.directory], true)
    let other = try HostRig(live)
    defer { other.host.stop() }
    try Data(HostRig.wave(seconds: 0.125)).write(to: URL(filePath: rig.directory + "/sfx_click.wav"))
    other.run { other.ask("pack.list").contains(#""durationUs":125000"#) }
    try write("{", rig.directory + "/pack.json")
    other.run { told(other).contains { $0.contains(#""change":"refused""#) } }
    try write(HostRig.manifest.replacing("sfx_click\":", with: "sfx_clack\":"), rig.directory + "/pack.json")
    other.run { other.ask("pack.list").contains("game:sfx_clack") }
  }
}
