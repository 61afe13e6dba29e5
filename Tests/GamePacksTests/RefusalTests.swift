// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing
import Timing

@Suite struct RefusalTests {
  @Test func aMistypedFieldIsNamedWithTheNearest() {
    #expect(
      refusal(#""chapters": {"#, #""chapers": {"#)
        == "pack.json:12:3: chapers: is no field of this object; did you mean chapters?")
    #expect(
      refusal(#""length": 10"#, #""lenght": 10"#)
        == "pack.json:13:38: chapters.one.lenght: is no field of this object; did you mean length?")
  }

  @Test func whatCannotBeANameIsNoCure() {
    let text =
      #"{"name": "a", "title": "A", "version": "1", "sounds": {"big bell": {"file": "b.wav"}}, "cues": {"go": {"steps": [{"sound": "bell"}]}}}"#
    let faults = PackManifest.read(Array(text.utf8), path: "pack.json").faults?.faults.map(\.description) ?? []
    #expect(faults.count == 2 && faults[0].contains("\"big bell\" is no name"), "\(faults)")
    #expect(faults.last?.hasSuffix("cues.go.steps[0].sound: no sound bell") == true, "\(faults)")
  }

  @Test func aMissingFieldIsNamed() {
    #expect(refusal(#""length": 10, "#, "") == "pack.json:12:23: chapters.one.length: is missing")
    #expect(refusal(#""title": "Demo", "#, "") == "pack.json:1:1: title: is missing")
    #expect(
      refusal(#"{"at": 0.706, "lane""#, #"{"lane""#) == "pack.json:15:15: chapters.one.beats[0].at: is missing")
  }

  @Test func aWrongTypeIsNamed() {
    #expect(refusal("85.5", #""fast""#) == "pack.json:3:56: tracks.main.bpm: must be a number")
    #expect(refusal(#"{"file": "thud.ahap"}"#, #""thud.ahap""#) == "pack.json:5:24: patterns.thud: must be an object")
    #expect(refusal(#"["left", "right"]"#, "3") == "pack.json:13:61: chapters.one.lanes: must be a list")
    #expect(
      refusal(#"{"start": 1.5, "end": 9.25}"#, #""yes""#)
        == "pack.json:3:90: tracks.main.loop: must be true, false, or an object with start and end in seconds")
    #expect(refusal("5, \"window\": 0.3", "5.5, \"window\": 0.3").contains("after: is 5.5; it must be a whole number"))
  }

  @Test func valuesOutOfRangeAreNamed() {
    #expect(refusal("85.5", "0") == "pack.json:3:56: tracks.main.bpm: is 0, outside 1 to 1000")
    #expect(refusal(#""gain": 0.5"#, #""gain": -1"#) == "pack.json:4:57: sounds.sfx_click.gain: is -1, outside 0 to 8")
    #expect(
      refusal(#"{"at": 0.1,"#, #"{"at": -0.1,"#)
        == "pack.json:8:12: cues.go.steps[1].at: is -0.1 s, outside 0 to 86400 s")
    #expect(
      refusal(#""start": 1.5"#, #""start": 9.25"#) == "pack.json:3:113: tracks.main.loop.end: must be after start")
    #expect(
      refusal(#""window": 0.3"#, #""window": 0.1"#)
        == "pack.json:14:38: chapters.one.assist.window: is 0.1 s; the least is the chapter's own, 0.15 s")
    #expect(refusal("85.5", "1e999") == "pack.json:3:56: tracks.main.bpm: is 1e999, outside 1 to 1000")
    #expect(
      refusal("\"linear\"", "\"lineal\"")
        == "pack.json:9:72: cues.go.steps[2].music.fadeCurve: is \"lineal\"; it can be equalPower, linear")
  }

  @Test func markersAreBoundedAndNoneIsTakenForABeat() throws {
    #expect(
      try manifest((#""bpm": 85.5"#, #""markers": {"drop": 1.25}"#)).tracks["main"]?.markers == [
        "drop": .milliseconds(1_250)
      ])
    #expect(
      refusal(#""bpm": 85.5"#, #""markers": {"beat": 1}"#)
        == "pack.json:3:60: tracks.main.markers: names a marker beat, which is what the next beat is waited for by"
    )
    #expect(
      refusal(#""bpm": 85.5"#, #""markers": {"drop": -1}"#).hasSuffix(
        "tracks.main.markers.drop: is -1 s, outside 0 to 86400 s"))
    #expect(
      refusal(#""bpm": 85.5"#, #""markers": {"drop": "x"}"#).hasSuffix("tracks.main.markers.drop: must be a number"))
    #expect(refusal(#""bpm": 85.5"#, #""markers": {"Drop": 1}"#).contains("is no name"))
    let many = (0...64).map { "\"m\($0)\": \($0)" }.joined(separator: ", ")
    #expect(refusal(#""bpm": 85.5"#, "\"markers\": {\(many)}").hasSuffix("has 65 markers; a track may have 64"))
  }

  @Test func aSecondDuckingRuleOfASoundIsNamed() {
    #expect(
      refusal(
        #"{"sound": "hello", "depth": 0.3}"#, #"{"sound": "hello", "depth": 0.3}, {"sound": "hello", "depth": 0}"#)
        == "pack.json:18:59: ducking[1].sound: hello has a rule already, ducking[0]")
  }

  @Test(arguments: ["attack", "hold", "release"]) func aTimeOfDuckingIsAsLongAsAFadeAtMost(field: String) throws {
    let rule = #"{"sound": "hello", "depth": 0.3}"#
    let longest = try manifest((rule, #"{"sound": "hello", "depth": 0.3, "\#(field)": 60}"#)).ducking[0].duck
    #expect([longest.attack, longest.hold, longest.release].contains(PackSettings.longestFade))
    #expect(
      refusal(rule, #"{"sound": "hello", "depth": 0.3, "\#(field)": 60.1}"#)
        .hasSuffix("ducking[0].\(field): is 60.1 s, outside 0 to 60 s"))
  }

  @Test func namesThatLeadNowhereAreNamed() {
    #expect(
      refusal(#"{"sound": "sfx_click", "#, #"{"sound": "sfx_clik", "#)
        == "pack.json:7:15: cues.go.steps[0].sound: no sound sfx_clik; did you mean sfx_click?")
    #expect(
      refusal(#""pattern": "thud""#, #""pattern": "thug""#)
        == "pack.json:8:28: cues.go.steps[1].pattern: no pattern thug; did you mean thud?")
    #expect(
      refusal(#""play": "main""#, #""play": "mian""#)
        == "pack.json:9:35: cues.go.steps[2].music.play: no track mian; did you mean main?")
    #expect(
      refusal(#""track": "main""#, #""track": "mani""#)
        == "pack.json:13:30: chapters.one.track: no track mani; did you mean main?")
    #expect(
      refusal(#"{"complete": "go"}"#, #"{"miss": "xylophone"}"#)
        == "pack.json:16:26: chapters.one.feedback.miss: no cue xylophone")
    #expect(
      refusal(#""lane": "left""#, #""lane": "lefd""#)
        == "pack.json:15:37: chapters.one.beats[0].lane: no lane lefd; did you mean left?")
    #expect(refusal(#"{"sound": "hello""#, #"{"sound": "helo""#).hasSuffix("no sound helo; did you mean hello?"))
  }

  @Test func beatsOutOfOrderAreNamed() {
    #expect(
      refusal("2.1177", "0.706")
        == "pack.json:15:46: chapters.one.beats[1]: beat 1 at 0.706 s is not after the one before it at 0.706 s")
    #expect(
      refusal("2.1177", "10.000001")
        == "pack.json:15:46: chapters.one.beats[1]: beat 1 at 10.000001 s is outside the chapter, "
        + "which lasts from 0 to 10 s")
  }

  @Test func beatsAtFaultAreToldAllAtOnceAndTheRestOfTheManifestStands() throws {
    let beats = #"{"at": 0.706, "lane": "left"}, {"at": 2.1177, "lane": "right"}"#
    let faulty =
      #"{"at": 1, "lane": "lefd"}, {"at": "2"}, {"at": 11, "lane": "left"}, {"at": 0.5}, {"at": 0.51, "lane": "left"}"#
    let read = try manifest((beats, faulty))
    guard case .faulty(let faults) = try read.chapter(named: "one").beats else {
      Issue.record("\(read.chapters)")
      return
    }
    #expect(
      faults.faults.map(\.description) == [
        "pack.json:15:33: chapters.one.beats[0].lane: no lane lefd; did you mean left?",
        "pack.json:15:49: chapters.one.beats[1].at: must be a number",
        "pack.json:15:55: chapters.one.beats[2]: beat 2 at 11 s is outside the chapter, which lasts from 0 to 10 s",
        "pack.json:15:83: chapters.one.beats[3]: beat 3 at 0.5 s is not after the one before it at 1 s",
        "pack.json:15:96: chapters.one.beats[4]: beat 4 is 0.01 s after the one before it; the least is 0.02 s",
      ])
    #expect(
      faults.leavingOutTheChapter(until: "starlight pack reload game").allSatisfy { problem in
        problem.remedy?.hasSuffix("; then run `starlight pack reload game`; until then the chapter is left out") == true
      })
    // What is told of a manifest that is refused is all of it.
    let refused = #expect(throws: PackFaults.self) {
      try manifest((beats, faulty), (#""bpm": 85.5"#, #""bpm": "fast""#))
    }
    #expect(refused?.faults.map(\.field).first == "tracks.main.bpm" && refused?.faults.count == 6)
  }

  /// What is told stays bounded, however much is wrong.
  @Test(arguments: [(16, nil), (17, 17), (200, 101)] as [(Int, Int?)])
  func aManifestWithManyChaptersAtFaultIsRefused(chapters: Int, told: Int?) throws {
    let list = (0..<chapters).map {
      #""c\#($0)": {"title": "C", "track": "main", "length": 2, "beats": [{"at": 3}]}"#
    }.joined(separator: ", ")
    let text = """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "m.wav"}}, "chapters": {\(list)}}
      """
    do throws(PackFaults) {
      let read = try PackManifest.parse(Array(text.utf8), path: "pack.json")
      #expect(told == nil && read.chapters.count == chapters)
    } catch {
      #expect(error.faults.count == told)
      #expect(chapters < 100 || error.faults.last?.reason == "\(chapters - 100) more faults are not listed")
    }
  }

  @Test func aWindowThatIsNoneIsToldOnceAndNothingIsHeldAgainstIt() {
    #expect(
      refusal(#""assist": {"#, #""window": "wide", "grades": {"good": 0.1}, "assist": {"#)
        == "pack.json:14:15: chapters.one.window: must be a number")
  }

  @Test(arguments: [
    "/etc/passwd", "../click.wav", "a/../../click.wav", "a//b.wav", "./click.wav", "", "..", "a\\u0000b", "a/",
  ])
  func filesStayInsideThePack(name: String) {
    #expect(refusal(#""click.wav""#, "\"\(name)\"").hasPrefix("pack.json:4:36: sounds.sfx_click.file: "))
  }

  @Test(arguments: ["a.wav", "audio/a b.wav", "..a.wav", "tiefe/ordner/ä.flac"])
  func filesInsideThePackAreTaken(name: String) {
    #expect(refusal(#""click.wav""#, "\"\(name)\"") == "")
  }

  @Test(arguments: ["Thud", "a b", "", "a.b", "ä", String(repeating: "a", count: 65)])
  func namesAreSmallLettersDigitsAndDashes(name: String) {
    #expect(
      refusal(#"{"thud": {"file""#, "{\"\(name)\": {\"file\"").hasPrefix(
        "pack.json:5:16: patterns: \"\(name.prefix(64))"))
  }

  @Test func aStepDoesOneThing() {
    let message =
      "pack.json:8:5: cues.go.steps[1]: must have exactly one of sound, pattern, transient, continuous, music, stop, "
      + "parameter"
    #expect(refusal(#""pattern": "thud"}"#, #""pattern": "thud", "sound": "hello"}"#) == message)
    #expect(refusal(#", "pattern": "thud"}"#, "}") == message)
    #expect(
      refusal(#""stop": true"#, #""stop": false"#).hasSuffix(
        "steps[3].music: must either play a track, or stop: true, or set the gain"))
    #expect(refusal(#""fade": 0"#, #""fadeCurve": "linear""#).hasSuffix("steps[3].music.fadeCurve: goes with play"))
  }

  @Test func aSyntaxFaultHasItsLineAndColumn() {
    #expect(
      refusal(#""pattern": "thud"},"#, #""pattern": "thud"},,"#)
        == "pack.json:8:36: found , where a value should be; remove the comma")
    #expect(
      refusal(#""name": "demo","#, #""name": "demo""#)
        == "pack.json:2:18: found \" where , or } should be; put a comma before it")
    #expect(
      refusal("85.5", "fast")
        == "pack.json:3:56: found fast where a value should be; write a value here: text goes in double quotes")
    // A comma before an end is told with the other faults, so it must not hide the true one.
    #expect(
      refusal(#""fade": 0}}"#, #""fade": 0,},,}"#)
        == "pack.json:10:48: a comma stands before the end of a list or object; remove it\n"
        + "pack.json:10:50: a comma stands before the end of a list or object; remove it\n"
        + "pack.json:10:51: found , where a key in quotes or } should be; remove the comma")
    #expect(refusal("85.5", "5.").contains("a number needs a digit after its point"))
    #expect(refusal("85.5", "// tempo").contains("JSON has none"))
  }

  @Test func hostileBytesAreRefusedQuickly() {
    func said(_ bytes: [UInt8]) -> String {
      do throws(PackFaults) {
        _ = try PackManifest.parse(bytes, path: "p")
        return ""
      } catch { return error.description }
    }
    #expect(said([]) == "p:1:1: there is no JSON in it; write an object: { ... }")
    #expect(said([0x7B, 0x22, 0xFF]) == "p:1:3: this is not UTF-8; save it as UTF-8")
    #expect(said(Array("[1]".utf8)) == "p:1:1: must be an object")
    #expect(said([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)).hasPrefix("p:1:"))
    #expect(said([UInt8](repeating: 0x20, count: 9 << 20)) == "p: is larger than 8 MiB")
    #expect(said(Array("{\"a\": \"\\ud800\"}".utf8)).hasPrefix("p"))
  }
}

/// A writer is told everything at once.
@Suite struct AllFaultsTests {
  private func faults(_ text: String) -> [String] {
    do throws(PackFaults) {
      _ = try PackManifest.parse(Array(text.utf8), path: "p")
      return []
    } catch { return error.faults.map(\.description) }
  }

  @Test func allFaultsOfAManifestAreToldInTheOrderOfItsText() {
    let text = """
      {
        "name": "Demo", "title": "", "version": "1",
        "tracks": {"main": {"file": "/main.ogg", "bpm": 0, "tempo": 85}},
        "sounds": {"bell": {"file": "bell.wav", "gain": -1,}, "bell": {"file": "b.wav"}},
        "cues": {"go": {"steps": [{"sound": "bel"}, {"at": -1, "pattern": "thud"}, {"musik": {}}]}},
        "ducking": {}
      }
      """
    #expect(
      faults(text) == [
        "p:2:11: name: \"Demo\" is no name; use 1 to 63 of a-z, 0-9, _ and -",
        "p:2:28: title: must have 1 to 200 bytes",
        "p:3:31: tracks.main.file: \"/main.ogg\" is absolute; files are named relative to the pack",
        "p:3:51: tracks.main.bpm: is 0, outside 1 to 1000",
        "p:3:54: tracks.main.tempo: is no field of this object",
        "p:4:51: sounds.bell.gain: is -1, outside 0 to 8",
        "p:4:53: a comma stands before the end of a list or object; remove it",
        "p:4:57: sounds.bell: is there twice; keep one of them",
        "p:5:39: cues.go.steps[0].sound: no sound bel; did you mean bell?",
        "p:5:54: cues.go.steps[1].at: is -1 s, outside 0 to 86400 s",
        "p:5:69: cues.go.steps[1].pattern: no pattern thud",
        "p:5:79: cues.go.steps[2].musik: is no field of this object; did you mean music?",
        "p:6:14: ducking: must be a list",
      ])
  }

  @Test func packsAreReadAsStrictlyAsTheirPageSays() {
    let start = #"{"name":"x","title":"X","version":"1""#
    #expect(faults(start + "}") == [])
    #expect(faults(start + ",}") == ["p:1:38: a comma stands before the end of a list or object; remove it"])
    #expect(faults(start + #","title":"Y"}"#) == ["p:1:39: title: is there twice; keep one of them"])
    #expect(faults(start + #","\u0074itle":"Y"}"#) == ["p:1:39: title: is there twice; keep one of them"])
    #expect(faults(start + #","settings":{"fadeCurve":"linear","fadeCurve":"linear"}}"#).count == 1)
    #expect(faults(start + #","cues":{"go":{"steps":[{"music":{"stop":true,"fade":1e-400}},]}}}"#).count == 1)
  }

  @Test func theListOfFaultsIsBounded() {
    let entries = (0..<2_000).map { "\"t\($0)\":{}" }.joined(separator: ",")
    let told = faults(#"{"name":"x","title":"X","version":"1","patterns":{\#(entries)}}"#)
    #expect(told.count == 101)
    #expect(told.last == "p: 1900 more faults are not listed")
  }

  @Test func namesOfAnyLengthAreCutBeforeTheyAreLookedForOrTold() {
    let marks = "a" + String(repeating: "\u{301}", count: 2_000)
    let start = #"{"name":"x","title":"X","version":"1","#
    for text in [
      #""sounds":{"\#(marks)":{"file":"x"}}}"#, #""ducking":[{"sound":"\#(marks)","depth":1}]}"#,
      #""settings":{"fadeCurve":"\#(marks)"}}"#, #""sounds":{"x":{"file":"/\#(marks)"}}}"#,
    ] {
      let told = faults(start + text)
      #expect(told.count == 1 && told[0].utf8.count < 250, "\(told)")
    }
  }
}
