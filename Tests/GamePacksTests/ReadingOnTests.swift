// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import GamePacks

/// All that is wrong with a manifest is told, with what to do about each.
@Suite struct ReadingOnTests {
  private func read(_ replacements: (String, String)...) -> PackManifest.Findings {
    PackManifest.read(Array(replaced(replacements).utf8), path: "pack.json")
  }

  private func cures(_ old: String, _ new: String) -> [String] {
    let reading = read((old, new))
    let beats = reading.manifest?.chapters.values.compactMap { chapter in
      if case .faulty(let faults) = chapter.beats { faults.cures } else { nil }
    }
    let problems = reading.faults?.cures ?? beats?.flatMap(\.self) ?? []
    return problems.map { "\($0.cause); \($0.remedy ?? "")" }
  }

  /// What is no JSON hides nothing of the rest.
  @Test func slipsOfSyntaxAreToldWithAllOtherFaults() {
    let told = read((#""name": "demo","#, #""name": "demo""#), ("85.5", "fast"), (#""gain": 0.5"#, #""gain": 9"#))
    #expect(told.faults?.faults.map(\.line) == [2, 3] && told.manifest == nil)
    let mended = read((#""name": "demo","#, #""name": "demo""#), ("85.5", "0"), (#""gain": 0.5"#, #""gain": 9"#))
    #expect(mended.faults?.faults.map(\.line) == [2, 3, 4] && mended.manifest?.name == "demo")
  }

  /// How taps are judged says nothing of where the beats may be.
  @Test(arguments: [#""window": 150"#, #""grace": "soon""#, #""spawnLead": 90"#, #""grades": {"perfect": 3}"#])
  func aChapterThatJudgesWronglyHasTheFaultsOfItsBeatsToldToo(rule: String) {
    let told = read(
      (#""assist": {"#, rule + #", "assist": {"#), (#""at": 2.1177, "lane": "right""#, #""at": 11, "lane": "up""#))
    let fields = told.faults?.faults.map(\.field) ?? []
    #expect(fields.count == 3, "\(fields)")
    #expect(fields.suffix(2) == ["chapters.one.beats[1]", "chapters.one.beats[1].lane"], "\(fields)")
    #expect(told.manifest?.chapters["one"]?.rules.length == 10_000_000)
  }

  @Test(arguments: [
    (
      #""assist": {"#, #""window": 150, "assist": {"#,
      "pack.json:14:15: chapters.one.window: is 150 s, outside 0.000001 to 10 s; times are in seconds: if 150 ms was meant, "
        + "write 0.15"
    ),
    (
      #""crossfade": 2"#, #""crossfade": 500"#,
      "pack.json:9:56: cues.go.steps[2].music.crossfade: is 500 s, outside 0 to 60 s; times are in seconds: if 500 ms was "
        + "meant, write 0.5"
    ),
    (
      #""lane": "left""#, #""lane": "middle""#,
      "pack.json:15:37: chapters.one.beats[0].lane: no lane middle; name one of the chapter's lanes: left, right"
    ),
    (
      #""lane": "left""#, #""lane": "lefd""#,
      "pack.json:15:37: chapters.one.beats[0].lane: no lane lefd; did you mean left?; write left, or name one of the "
        + "chapter's lanes: left, right"
    ),
    (
      #"{"complete": "go"}"#, #"{"hit": "xylophone"}"#,
      "pack.json:16:25: chapters.one.feedback.hit: no cue xylophone; use a cue that is there (go), or add this one"
    ),
    (
      #""gain": 0.5"#, #""color": 1"#,
      "pack.json:4:49: sounds.sfx_click.color: is no field of this object; remove it; the fields here are file, gain, bus"
    ),
    (
      #""length": 10, "#, "",
      #"pack.json:12:23: chapters.one.length: is missing; add it, as in "length": 0.5"#
    ),
    (
      "85.5", #""85.5""#, "pack.json:3:56: tracks.main.bpm: must be a number; write 85.5, without quotes"
    ),
    (
      #""at": 2.1177, "lane": "right""#, #""at": 2117, "lane": "right""#,
      "pack.json:15:46: chapters.one.beats[1]: beat 1 at 2117 s is outside the chapter, which lasts from 0 to 10 s; times are "
        + "in seconds: if 2117 ms was meant, write 2.117"
    ),
  ])
  func theCureIsOfTheVeryFault(old: String, new: String, said: String) {
    #expect(cures(old, new) == [said])
  }

  /// A text in place of an object goes where it belongs in one, and the other way round.
  @Test(arguments: [
    (#"{"file": "thud.ahap"}"#, #""thud.ahap""#, #"patterns.thud: must be an object; write {"file": "thud.ahap"}"#),
    (
      #"{"play": "main", "crossfade": 2, "fadeCurve": "linear", "from": "continue"}"#, #""main""#,
      #"cues.go.steps[2].music: must be an object; write {"play": "main"}"#
    ),
    (
      #"{"stop": true, "fade": 0}"#, "true", #"cues.go.steps[3].music: must be an object; write {"stop": true}"#
    ),
    (
      #"{"sound": "sfx_click", "gain": 0.25}"#, #""sfx_click""#,
      #"cues.go.steps[0]: must be an object; write {"sound": "sfx_click"}"#
    ),
    (
      #"{"sound": "sfx_click", "#, #"{"sound": {"name": "sfx_click"}, "#,
      #"cues.go.steps[0].sound: must be text; write "sfx_click"; what else is to be said of it stands beside it"#
    ),
    (#""track": "main""#, #""track": ["main"]"#, #"chapters.one.track: must be text; write "main", without brackets"#),
    (#""version": "1""#, #""version": 1"#, #"version: must be text; put it in double quotes: "1""#),
    (
      #"{"complete": "go"}"#, #""go""#, #"chapters.one.feedback: must be an object; write {"hit": "go"}"#
    ),
    (
      #"[{"sound": "hello", "depth": 0.3}]"#, #"["hello"]"#,
      #"ducking[0]: must be an object; write {"sound": "hello", "depth": 0.5}"#
    ),
    (
      #"[{"sound": "hello", "depth": 0.3}]"#, #"{"sound": "hello"}"#,
      #"ducking: must be a list; put it in brackets: [{"sound": "hello"}]"#
    ),
    (
      #"{"complete": "go"}"#, #"{"hit": "go"}, "grades": [0.04]"#,
      #"chapters.one.grades: must be an object of names and windows; write them by name, as in {"perfect": 0.04}"#
    ),
    (
      #"{"at": 0.1, "pattern""#, #"{"at": "100 ms", "pattern""#,
      "cues.go.steps[1].at: must be a number; write 0.1, without quotes"
    ),
    (
      #"{"at": 0.1, "pattern": "thud"}"#, #"{"sound": "hello", "loop": "yes"}"#,
      "cues.go.steps[1].loop: must be true or false; write true, without quotes"
    ),
    (
      #"{"at": 0.706, "lane": "left"}"#, "0.706", #"chapters.one.beats[0]: must be an object; write {"at": 0.706}"#
    ),
  ])
  func theWordsThatWouldBeRightAreShown(old: String, new: String, said: String) {
    let told = cures(old, new)
    #expect(told.count == 1 && told.first?.hasSuffix(": " + said) == true, "\(told)")
  }

  /// What other programs call a field is understood, at the place where it stands.
  @Test(arguments: [
    (#""gain": 0.5"#, #""volume": 0.5"#, "did you mean gain?; write gain"),
    (#""gain": 0.25"#, #""level": 0.25"#, "did you mean gain?; write gain"),
    (#"{"at": 0.1, "pattern""#, #"{"delay": 0.1, "pattern""#, "did you mean at?; write at"),
    (#"{"at": 0.1, "pattern""#, #"{"at": 0.1, "haptic""#, "did you mean pattern?; write pattern"),
    (
      #"{"at": 0.1, "pattern": "thud"}"#, #"{"track": "main"}"#,
      #"did you mean music?; write "music": {"play": "main"}"#
    ),
    (#"{"play": "main", "#, #"{"track": "main", "#, "did you mean play?; write play"),
    (#""depth": 0.3"#, #""volume": 0.3"#, "did you mean depth?; write depth"),
    (#""length": 10, "#, #""duration": 10, "#, "did you mean length?; write length"),
    (#"{"thud": {"file""#, #"{"thud": {"path""#, "did you mean file?; write file"),
    (#""bpm": 85.5"#, #""tempo": 85.5"#, "did you mean bpm?; write bpm"),
  ])
  func aFieldIsKnownByItsOtherNames(old: String, new: String, said: String) {
    let told = cures(old, new)
    #expect(told.count == 1 && told.first?.hasSuffix("is no field of this object; " + said) == true, "\(told)")
  }

  /// A word for a field that is there already is none of it.
  @Test func aFieldThatIsThereIsNotProposed() {
    let told = cures(#""gain": 0.5"#, #""gain": 0.5, "volume": 1"#)
    #expect(told.map { $0.contains("did you mean") } == [false], "\(told)")
  }

  @Test(arguments: [
    (
      #"{"sound": "sfx_click", "gain": 0.25}"#, #"{"sound": "main"}"#,
      #"sound: no sound main: main is a track; write {"music": {"play": "main"}}"#
    ),
    (
      #"{"play": "main","#, #"{"play": "hello","#,
      #"play: no track hello: hello is a sound; write {"sound": "hello"}"#
    ),
    (
      #"{"sound": "sfx_click", "gain": 0.25}"#, #"{"stop": {"sound": "thud"}}"#,
      #"stop.sound: no sound thud: thud is a pattern; write {"stop": {"pattern": "thud"}}"#
    ),
    (
      #"{"complete": "go"}"#, #"{"hit": "thud"}"#,
      "feedback.hit: no cue thud: thud is a pattern; use a cue that is there (go), or add this one"
    ),
  ])
  func aNameOfAnotherKindIsToldWithHowItIsPlayed(old: String, new: String, said: String) {
    let told = cures(old, new)
    #expect(told.count == 1 && told.first?.hasSuffix(said) == true, "\(told)")
  }

  @Test(arguments: [
    (
      #"{"go": {"steps""#, #"{"go": {"align": "sound", "steps""#,
      #"cues.go.align: is "sound"; it can be together, soundFirst, asap; write "soundFirst""#
    ),
    (
      #"{"go": {"steps""#, #"{"go": {"align": "never", "steps""#,
      #"cues.go.align: is "never"; it can be together, soundFirst, asap; write "together" or "soundFirst" or "asap""#
    ),
    (
      #""title": "One""#, #""title": """#,
      #"chapters.one.title: must have 1 to 200 bytes; write what people read, as in "title": "TEXT""#
    ),
    (#""title": "One""#, #""title": null"#, #"chapters.one.title: is null; add it, as in "title": "TEXT""#),
  ])
  func aWordOrATitleHasACure(old: String, new: String, said: String) {
    let told = cures(old, new)
    #expect(told.count == 1 && told.first?.hasSuffix(said) == true, "\(told)")
  }

  /// Whatever is written in place of any value: the cure is of that, and never to read the documents.
  @Test func noCureSendsItsReaderAway() throws {
    let text = Array(replaced([]).utf8)
    let tape = try PackFile(text, path: "pack.json").tape
    for index in tape.nodes.indices.dropFirst() {
      let node = tape.nodes[index]
      // Names of members, and their quotes.
      let quote = node.kind == .string ? 1 : 0
      let range = (Int(node.start) - quote)..<(Int(node.end) + quote)
      if text[range.upperBound...].first == UInt8(ascii: ":") { continue }
      for value in ["true", "null", "-7", "1e9", "\"\"", "\"odd one\"", "[]", "{}", "[1]", "{\"a\": 1}"] {
        var changed = text
        changed.replaceSubrange(range, with: value.utf8)
        let reading = PackManifest.read(changed, path: "pack.json")
        for problem in reading.faults?.cures ?? [] {
          #expect(problem.remedy?.contains("docs/packs.md") == false, "\(value): \(problem)")
        }
      }
    }
  }

  /// What grids are silent about otherwise.
  @Test func whatOfAGridDoesNotFitItsChapterIsWarnedOf() {
    let beats = #"[{"at": 0.706, "lane": "left"}, {"at": 2.1177, "lane": "right"}]"#
    let counted = read((beats, #"{"bpm": 60, "offset": 1, "count": 100}"#))
    #expect(
      counted.warnings.map(\.warning.description) == [
        "pack.json:15:48: chapters.one.beats.count: is 100, and 10 beats are all that fit into the chapter; write 10, or make "
          + "the chapter longer"
      ])
    let wide = read((beats, #"{"bpm": 240}"#), (#""length": 10"#, #""length": 10, "window": 0.3"#))
    #expect(
      wide.warnings.map(\.warning.description) == [
        "pack.json:13:62: chapters.one.window: is 0.3 s, and beats of a lane are 0.5 s apart: it ends half way to the next "
          + "beat; write 0.25 at most, or put the beats farther apart"
      ])
    #expect(read((beats, #"{"bpm": 60, "count": 10}"#)).warnings.isEmpty)
  }

  /// Every word leads to fields that there are.
  @Test func wordsForFieldsLeadToFields() {
    let fields = Set(allFields())
    for (word, meant) in FieldSynonyms.fields {
      #expect(meant.allSatisfy(fields.contains), "\(word): \(meant)")
      #expect(Set(meant).count == meant.count)
    }
  }

  private func allFields() -> [String] {
    func names(of rule: ValueRule) -> [String] {
      switch rule {
      case .object(let rule): rule.variants.flatMap { $0.fields.flatMap { [$0.name] + names(of: $0.rule.value) } }
      case .named(let each, _), .list(let each, _), .set(let each, _): names(of: each)
      case .anyOf(let rules): rules.flatMap(names)
      default: []
      }
    }
    return names(of: .object(ObjectRule(PackManifest.Keys.self)))
  }

  /// A bracket or a quote that is missing hides nothing of the rest.
  @Test func whatIsLeftOpenHidesNothing() {
    let quote = read((#""title": "Demo","#, "\"title\": \"Demo,\n "), ("85.5", "0"))
    #expect(
      quote.faults?.description == """
        pack.json:2:28: the string that begins here is not closed on its line; close it with a double quote; a line break in a \
        text is written \\n
        pack.json:4:56: tracks.main.bpm: is 0, outside 1 to 1000
        """)
    let bracket = read((#"{"at": 0.1, "pattern": "thud"}"#, #"{"at": 0.1, "pattern": "thud""#), ("85.5", "0"))
    #expect(bracket.faults?.faults.map(\.line) == [3, 9])
    #expect(bracket.faults?.description.contains("the { of line 8, column 5 is not closed; write } before it") == true)
  }

  /// What may be as it is, and looks as if milliseconds were meant.
  @Test func whatIsUnusuallyLongIsWarnedOf() {
    let reading = read((#"{"at": 0.1, "pattern""#, #"{"at": 250, "pattern""#))
    #expect(reading.faults == nil && reading.manifest != nil)
    #expect(
      reading.warnings.map(\.warning.description) == [
        "pack.json:8:12: cues.go.steps[1].at: is 250 s, which is unusually long; times are in seconds: if 250 ms was meant, "
          + "write 0.25"
      ])
    #expect(read().warnings.isEmpty)
  }

  /// Whoever looks at the files that a faulty manifest names finds no placeholders.
  @Test func whatIsNotAtFaultIsAsItIsWritten() throws {
    let reading = read((#""click.wav""#, #""../click.wav""#), (#""length": 10,"#, #""length": 0,"#))
    let manifest = try #require(reading.manifest)
    #expect(reading.faults?.faults.count == 2)
    #expect(manifest.sounds["sfx_click"]?.file == "" && manifest.sounds["hello"]?.file == "hello.wav")
    #expect(manifest.chapters["one"]?.isKnown == false)
  }

  private static let unknownFields = (0..<20_000).map { "\"t\($0)\":1" }.joined(separator: ",")
  private static let repeatedFields = Array(repeating: "\"title\":\"T\"", count: 20_001).joined(separator: ",")

  private static func cue(ofSteps step: String, _ count: Int) -> String {
    "\"cues\":{\"a\":{\"steps\":[" + Array(repeating: step, count: count).joined(separator: ",") + "]}}"
  }

  /// Of nothing but faults a hundred are told and the rest is counted, in a time that grows with the file: with its square
  /// each of these would take minutes.
  @Test(arguments: [
    unknownFields, repeatedFields, cue(ofSteps: "{\"sound\":\"nobody\"}", 20_000), cue(ofSteps: "{\"at\":-1}", 20_000),
  ])
  func aFileOfNothingButFaultsIsReadInATimeThatGrowsWithIt(text: String) throws {
    let manifest = "{\"name\":\"p\",\"title\":\"T\",\"version\":\"1\"," + text + "}"
    let faults = try #require(PackManifest.read(Array(manifest.utf8), path: "pack.json").faults?.faults)
    #expect(faults.count == 101)
    #expect(faults.last?.problem.reason.contains("more faults are not listed") == true)
  }

  @Test func moreNamesThanOneIsLookedUpAmongAreRefused() throws {
    let cues: [String] = (0...4_096).map { (number: Int) -> String in "\"c\(number)\":{\"steps\":[]}" }
    let manifest = "{\"name\":\"p\",\"title\":\"T\",\"version\":\"1\",\"cues\":{" + cues.joined(separator: ",") + "}}"
    let faults = try #require(PackManifest.read(Array(manifest.utf8), path: "pack.json").faults?.faults)
    #expect(faults.map { $0.problem.reason } == ["has 4097 entries; 4096 are the most"])
  }
}
