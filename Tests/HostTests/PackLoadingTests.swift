// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import GamePacks
import Glibc
import Host
import Testing
import Wire

@Suite struct PackLoadingTests {
  @Test func aMissingFileIsAProblemOfItsPackAndTheRestPlays() throws {
    let rig = try HostRig(files: ["main", "sfx_click"])
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains("scheduledUs"))
    let refused = rig.ask("music.play", #"{"track":"finale"}"#)
    #expect(refused.contains(#""kind":"unavailable""#))
    #expect(refused.contains("finale.wav"))
    #expect(rig.host.status().problems.count == 1)
    #expect(rig.ask("pack.list").contains(#""available":false"#))
  }

  @Test func aPackWithoutAnyOfItsAudioSaysSoFirst() throws {
    let rig = try HostRig(files: [])
    let told = rig.host.status().problems
    #expect(told.count == 4)
    #expect(
      told.first?.description
        == "pack game: none of its 3 audio files is in \(rig.directory); copy the pack with its audio")
    #expect(try HostRig(files: ["main"]).host.status().problems.count == 2)
  }

  /// As of a copy of Starlight's source: that its name is wrong is not the likeliest.
  @Test func ofAudioThatIsRenderedItIsSaidByWhat() throws {
    let manifest = HostRig.manifest.replacing(
      #""version": "1""#, with: #""version": "1", "renderedBy": "`make sounds` in its source""#)
    let told = try HostRig(manifest: manifest, files: []).host.status().problems
    #expect(told.count == 4)
    #expect(
      told.first?.remedy
        == "it is rendered by `make sounds` in its source: run that, and use the pack where it puts it")
    #expect(
      told.dropFirst().allSatisfy {
        $0.remedy == "run `make sounds` in its source, which renders it, or check its name"
      }, "\(told)")
  }

  /// The rest of it plays, so it is no fault of the pack; whoever loads it is told all the same.
  @Test func whatOfAPatternDoesNotPlayIsAWarningWithItsPlace() throws {
    let manifest = #"{"name": "game", "title": "Game", "version": "1", "patterns": {"buzz": {"file": "buzz.ahap"}}}"#
    let rig = try HostRig(manifest: manifest, files: []) { directory in
      let text = """
        {"Pattern": [
          {"Event": {"Time": 0, "EventType": "HapticTransiant"}},
          {"Event": {"Time": 0.1, "EventType": "HapticTransient"}}]}
        """
      try Data(text.utf8).write(to: URL(filePath: directory + "/buzz.ahap"))
    }
    let loaded: PackReading = try rig.result("pack.load", #"{"path":"\#(rig.directory)"}"#)
    #expect(loaded.taken && loaded.problems.isEmpty)
    let warning = try #require(loaded.warnings.first)
    #expect(loaded.warnings.count == 1 && warning.kind == .unknownName)
    #expect(warning.where.file == rig.directory + "/buzz.ahap" && warning.where.line == 2)
    #expect(warning.where.asset == .init(.pattern, "buzz"))
    #expect(warning.reason.contains("did you mean HapticTransient?"), "\(warning)")
  }

  @Test func whoNamesAManifestOrAFolderOfPacksIsToldWhichFolderToName() throws {
    let rig = try HostRig { directory in
      let pack = directory + "/packs/one"
      try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
      try Data(HostRig.manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    }
    func told(_ path: String) throws -> [String] {
      let reading: PackReading = try rig.result("pack.load", #"{"path":"\#(rig.directory)\#(path)"}"#)
      #expect(!reading.taken)
      return reading.problems.map(\.description)
    }
    #expect(
      try told("/pack.json") == [
        "\(rig.directory)/pack.json is a manifest, and a pack is named by its folder; name \(rig.directory)"
      ])
    #expect(
      try told("/packs") == [
        "\(rig.directory)/packs is a folder of packs, and has no pack.json itself; name a pack in it, as in "
          + "\(rig.directory)/packs/one"
      ])
    #expect(try told("/none").first?.contains("/none/pack.json does not exist") == true)
  }

  @Test func aMarkerBehindItsTracksEndIsAProblemAndLeftOut() throws {
    let rig = try HostRig(
      manifest:
        #"{"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "markers": {"in": 2.999, "out": 3}}}}"#,
      files: ["main"])
    #expect(
      rig.host.status().problems.map(\.description) == [
        "pack game: track main: \(rig.directory)/pack.json:1:123: tracks.main.markers.out: marker out at 3.0 s is not inside "
          + "the track, which lasts 3.0 s; move it into the track; then run `starlight pack reload game`; until then the marker is left out"
      ])
    let listed = rig.ask("pack.list")
    #expect(listed.contains(#""markers":[{"name":"in","positionUs":2999000}]"#))
  }

  @Test func aLoopOfMoreMarkersThanAreToldInEachTurnIsWarnedOf() throws {
    func rig(_ end: String) throws -> HostRig {
      try HostRig(
        manifest:
          #"{"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "loop": {"start": 0, "end": \#(end)}, "markers": {"a": 0, "b": 0.01, "c": 1}}}}"#,
        files: ["main"])
    }
    let crowded = try rig("0.1")
    #expect(crowded.host.status().problems.isEmpty)
    #expect(
      PackLoader(rate: 48_000).catalog(of: PackFolders(named: [crowded.directory])).packs.flatMap(\.warnings)
        .map(\.description) == [
          "track main: \(crowded.directory)/pack.json:1:136: tracks.main.markers: are told in the first turn of the loop alone: 2 "
            + "lie in its 0.1 s; a loop of so many is told again and again from 0.12 s on: remove some, or loop more"
        ])
    let calm = try rig("0.12")
    #expect(
      PackLoader(rate: 48_000).catalog(of: PackFolders(named: [calm.directory])).packs.flatMap(\.warnings).isEmpty)
  }

  /// The names of a pack and of what is in it are bounded so that both and a colon are a name on the socket.
  @Test func theLongestNameThatIsListedCanBeSent() throws {
    let (pack, sound) = (String(repeating: "p", count: 63), String(repeating: "s", count: 64))
    func rig(_ pack: String) throws -> HostRig {
      try HostRig(
        manifest:
          #"{"name": "\#(pack)", "title": "Game", "version": "1", "sounds": {"\#(sound)": {"file": "sfx.wav"}}}"#,
        files: ["sfx"])
    }
    let longest = try rig(pack)
    #expect(longest.ask("pack.list").contains("\(pack):\(sound)"))
    #expect(longest.ask("sound.play", #"{"sound":"\#(pack):\#(sound)"}"#).contains("scheduledUs"))
    #expect(try rig(pack + "p").host.status().problems.first?.reason.contains("use 1 to 63 of a-z") == true)
  }

  /// Beats are looked for as long as somebody is subscribed to them.
  @Test func beatsAreToldAheadAndAtTheirInstantsWhileTheirTopicIsHeard() throws {
    let rig = try HostRig(
      manifest:
        #"{"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "bpm": 120}}}"#,
      files: ["main"])
    func beats() -> [Int64] { rig.host.takeNotifications().filter { $0.topic == .beats }.map(\.tUs) }
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 600_000)
    #expect(beats() == [])
    rig.host.topics = [.beats]
    let start = rig.host.now.microseconds
    rig.step(microseconds: 1_000_000)
    let told = beats()
    #expect(told.count == 4 && told == told.sorted())
    #expect(told[1] - told[0] == 300_000 && told[3] - told[1] == 500_000 && told[0] >= start)
    rig.host.topics = []
    rig.step(microseconds: 1_000_000)
    #expect(beats() == [])
  }

  /// Loaded on two threads, each is told with its own reason, and the others play.
  @Test func manyFilesAreLoadedAndEachRefusalIsItsOwn() throws {
    let names = (0..<12).map { "sfx_\($0)" }
    let entries = names.map { #""\#($0)": {"file": "\#($0).wav"}"# }.joined(separator: ", ")
    let rig = try HostRig(
      manifest: #"{"name": "game", "title": "Game", "version": "1", "sounds": {\#(entries)}}"#, files: names
    ) { directory in
      for number in [1, 4, 7] { try Data("no sound".utf8).write(to: URL(filePath: directory + "/sfx_\(number).wav")) }
      for number in [2, 5] { try Data().write(to: URL(filePath: directory + "/sfx_\(number).wav")) }
    }
    let told = rig.host.status().problems.map(\.description)
    #expect(told.count == 5)
    for number in [1, 4, 7] { #expect(told.contains { $0.contains("/sfx_\(number).wav is not a sound file") }) }
    for number in [2, 5] { #expect(told.contains { $0.contains("/sfx_\(number).wav is empty") }) }
    for number in [0, 3, 6, 8, 9, 10, 11] {
      #expect(rig.ask("sound.play", #"{"sound":"sfx_\#(number)"}"#).contains("scheduledUs"))
    }
  }

  @Test func aManifestThatCannotBeReadIsLeftOutNamingFileAndPlace() throws {
    let rig = try HostRig(
      manifest: #"{"name": "game", "title": "Game", "version": "1", "sounds": {"a": {"fiel": "x"}}}"#)
    let problem = try #require(rig.host.status().problems.first).description
    #expect(problem.contains("pack.json:1:68: sounds.a.fiel: is no field of this object; did you mean file?"))
    #expect(problem.contains("left out"))
    #expect(rig.ask("pack.list").contains(#""packs":[]"#))
  }

  /// Mending one fault after another takes a start of the daemon each.
  @Test func ofAManifestAtFaultWhatIsWrongWithItsFilesIsToldToo() throws {
    let rig = try HostRig(
      manifest:
        #"{"name": "game", "titel": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}}, "sounds": {"a": {"file": "a.wav"}, "b": {"file": "/b.wav"}, "c": {"gain": 1}}, "chapters": {"one": {"title": "One", "track": "main", "length": 2, "beats": [{"at": 3}]}, "two": {"title": "Two", "track": "main", "length": 0, "beats": "two.json"}}}"#,
      files: ["main"]
    ) { directory in
      try Data(#"{"beats": [{"at": 1}, {"at": 0.5}, {"at": -1}]}"#.utf8).write(
        to: URL(filePath: directory + "/two.json"))
    }
    let told = rig.host.status().problems.map(\.cause)
    for said in [
      "titel: is no field", "sounds.b.file: \"/b.wav\" is absolute", "sounds.c.file: is missing",
      "chapters.one.beats[0]: ",
      "chapters.two.length: ", "sound a: ", "/two.json:1:43: beats[2].at: is -1 s",
    ] {
      #expect(told.count { $0.contains(said) } == 1, "\(said): \(told)")
    }
    #expect(told.count == 7, "\(told)")
    #expect(rig.ask("pack.list").contains(#""packs":[]"#))
  }

  @Test func aChapterWhoseBeatsAreAtFaultIsLeftOutAndTheRestOfItsPackPlays() throws {
    let rig = try HostRig(
      manifest:
        #"{"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}}, "chapters": {"one": {"title": "One", "track": "main", "length": 2, "beats": [{"at": 1}, {"at": 3}]}}}"#,
      files: ["main"])
    let told = rig.host.status().problems.map(\.description)
    #expect(told.count == 1 && told[0].hasPrefix("pack game: chapter one: "), "\(told)")
    #expect(told[0].contains("beats[1]: beat 1 at 3 s is outside the chapter"), "\(told)")
    #expect(
      told[0].hasSuffix(
        "; move it into the chapter, or make the chapter's length more than 3; then run `starlight pack reload "
          + "game`; until then the chapter is left out"),
      "\(told)")
    #expect(rig.ask("rhythm.start", #"{"chapter":"one"}"#).contains(#""kind":"unavailable""#))
    #expect(rig.ask("music.play", #"{"track":"main"}"#).contains("scheduledUs"))
  }

  @Test func everyFaultOfAManifestIsAProblemOfItsOwn() throws {
    let rig = try HostRig(manifest: #"{"name": "game", "title": "", "version": "1", "sounds": {"a": {"gain": -1}}}"#)
    let problems = rig.host.status().problems.map(\.description)
    #expect(problems.count == 3)
    for field in ["title", "sounds.a.gain", "sounds.a.file"] {
      #expect(problems.contains { $0.contains(": \(field): ") && $0.contains("left out") }, "\(field)")
    }
  }

  @Test func aManifestThatIsHugeOrNoFileIsRefusedUnread() throws {
    var template = Array("/tmp/starlight-host-XXXXXX".utf8CString)
    #expect(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = folder + "/pack.json"
    defer { rmdir(folder) }
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [folder]
    close(open(path, O_WRONLY | O_CREAT, 0o600))
    #expect(truncate(path, 6 << 30) == 0)
    #expect(
      try Host(configuration).status().problems.map(\.description) == [
        "\(path) is larger than 8 MiB; make it smaller; then run `starlight pack load \(folder)`; until then the whole pack is left out"
      ])
    unlink(path)
    // Nobody writes to it.
    mkfifo(path, 0o600)
    #expect(try Host(configuration).status().problems.count == 1)
    unlink(path)
  }

  @Test func anUnknownActivePackNamesThoseFound() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.activePack = "nonesuch"
    #expect(throws: HostError.self) { try Host(configuration) }
  }

  @Test func aFaultyPackThatIsToBeActiveSaysWhatIsWrongFirst() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-faulty-\(UInt64.random(in: 0 ... .max))"
    let pack = folder + "/games/broken"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = #"{"name": "broken", "title": "Broken", "version": "1", "tracks": {"main": {"fil": "main.wav"}}}"#
    try Data(text.utf8).write(to: URL(filePath: pack + "/pack.json"))
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [folder + "/games"]
    configuration.activePack = "broken"
    let error = #expect(throws: HostError.self) { try Host(configuration) }
    #expect(error?.message == "no pack is called broken")
    #expect(error?.details.count == 2)
    #expect(error?.details.first?.hasPrefix("\(pack)/pack.json:1:") == true)
    #expect(error?.details.first?.contains("tracks.main") == true)
    // There is no daemon that a tool could have read it.
    #expect(error?.details.first?.contains("run `starlight") == false, "\(error?.details ?? [])")
    #expect(error?.details.first?.hasSuffix("; write file") == true, "\(error?.details ?? [])")
    #expect(error?.details.last == "no pack was found in \(folder)/games; name the folder of one with --packs")
  }

  /// A pack of patterns alone, as for menus, is none of a game, whatever its name.
  @Test func whereNoneIsChosenTheFirstPackOfAGameIsActive() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-active-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, sounds) in [("a", ""), ("b", #", "sounds": {"s": {"file": "s.wav"}}"#), ("c", "")] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      try Data(#"{"name": "\#(name)", "title": "T", "version": "1"\#(sounds)}"#.utf8).write(
        to: URL(filePath: "\(folder)/\(name)/pack.json"))
    }
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [folder]
    #expect(try HostRig(configuration).ask("pack.list").contains(#""active":"b""#))
  }

  /// `--pack` where `--packs` is meant.
  @Test func ofAFolderInPlaceOfAnActivePackTheOtherFlagIsTold() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-meant-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.activePack = folder
    let error = #expect(throws: HostError.self) { try Host(configuration) }
    #expect(
      error?.details.first == "\(folder) is a folder here: --packs \(folder) has packs looked for in it",
      "\(error?.details ?? [])")
    // Where that is done already it is no advice.
    configuration.packFolders = [folder]
    let again = #expect(throws: HostError.self) { try Host(configuration) }
    #expect(again?.details.contains { $0.contains("--packs \(folder)") } == false, "\(again?.details ?? [])")
  }

  @Test func aMistypedActivePackIsToldWithTheNearest() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-near-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(#"{"name": "lighthouse", "title": "L", "version": "1"}"#.utf8).write(
      to: URL(filePath: folder + "/pack.json"))
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [folder]
    configuration.activePack = "light"
    let error = #expect(throws: HostError.self) { try Host(configuration) }
    #expect(error?.message == "no pack is called light; did you mean lighthouse?")
  }

  /// Bare names are of another pack than its author thinks.
  @Test func aPackThatIsActiveInPlaceOfOneLeftOutIsTold() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-place-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func write(_ place: String, _ text: String) throws {
      try FileManager.default.createDirectory(atPath: folder + "/" + place, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: folder + "/" + place + "/pack.json"))
    }
    let usual = [folder + "/usual"]
    try write("usual/game", #"{"name": "game", "title": "Game", "version": "1"}"#)
    try write("mine", #"{"name": "mine", "titel": "Mine", "version": "1", "tracks": {"a": {"file": "a.wav"}}}"#)
    func told(_ active: String? = nil) throws -> [String] {
      var configuration = HostConfiguration()
      configuration.clock = .stepped
      (configuration.packFolders, configuration.usualPackFolders) = ([folder + "/mine"], usual)
      configuration.activePack = active
      return try Host(configuration).problems.filter(\.tellsOfStandIn).map(\.description)
    }
    #expect(
      try told() == [
        "pack game: active in place of \(folder)/mine, which is left out; mend that pack, or choose one with --pack"
      ])
    #expect(try told("game") == [])
    // One of patterns alone would not be active.
    try write("mine", #"{"name": "mine", "titel": "Mine", "version": "1", "patterns": {"a": {"file": "a.ahap"}}}"#)
    #expect(try told() == [])
    // What cannot be read at all may be a game.
    try write("mine", "nothing")
    #expect(try told().count == 1)
  }

  @Test func foldersWithoutAPackAreNamedWithWhatToDo() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = ["/nonexistent/one", "/nonexistent/two"]
    #expect(
      try Host(configuration).status().problems.map(\.description) == [
        "no game pack is in /nonexistent/one, /nonexistent/two; name with --packs a pack's folder, which has a pack.json "
          + "(docs/packs.md), or a folder of such"
      ])
  }

  /// A pack of one's own, changed from one that comes with the program, is meant to count.
  @Test func aPackFurtherBehindGivesWayAndIsNoProblem() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-ranks-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for place in ["named/mine", "own/game", "built-in/game", "built-in/other", "built-in/twin"] {
      try FileManager.default.createDirectory(atPath: folder + "/" + place, withIntermediateDirectories: true)
      let name = place.hasSuffix("mine") || place.hasSuffix("twin") ? "game" : String(place.split(separator: "/")[1])
      try Data(#"{"name": "\#(name)", "title": "\#(place)", "version": "1"}"#.utf8).write(
        to: URL(filePath: folder + "/" + place + "/pack.json"))
    }
    let usual = [folder + "/own", folder + "/nowhere", folder + "/built-in"]
    func catalog(_ named: [String]) -> Catalog {
      PackLoader(rate: 48_000).catalog(of: PackFolders(named: named, usual: usual))
    }
    let found = catalog([])
    #expect(found.packs.map(\.manifest.title) == ["own/game", "built-in/other"] && found.problems.isEmpty)
    #expect(found.packs.map(\.hides) == [["built-in/game", "built-in/twin"].map { folder + "/" + $0 }, []])
    let named = catalog([folder + "/named"])
    #expect(named.packs.map(\.manifest.title) == ["named/mine", "built-in/other"] && named.problems.isEmpty)
    #expect(named.packs.first?.hides.count == 3)
    // Named by hand, and nothing there: that is told, whatever else is found.
    let empty = catalog([folder + "/nowhere"])
    #expect(empty.packs.count == 2)
    #expect(empty.problems.map(\.reason) == ["no game pack is in \(folder)/nowhere"])
  }

  @Test func withoutAnyPackTheHostRunsAndSaysSo() throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    let host = try Host(configuration)
    #expect(host.summary.contains("no packs"))
    #expect(host.status().problems.isEmpty)
  }
}

extension PackLoadingTests {
  /// The problems of a host over packs that `make` puts into a folder.
  private func problems(_ make: (_ folder: String) throws -> Void) throws -> (folder: String, problems: [String]) {
    var template = Array("/tmp/starlight-packs-XXXXXX".utf8CString)
    let folder = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try make(folder)
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [folder]
    return (folder, try Host(configuration).status().problems.map(\.description))
  }

  private func makePack(_ folder: String, _ manifest: String) throws {
    mkdir(folder, 0o755)
    try Data(manifest.utf8).write(to: URL(filePath: folder + "/pack.json"))
  }

  @Test func filesThatLeadOutOfTheirPackAreRefusedByEveryReader() throws {
    let manifest = """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}},
       "sounds": {"click": {"file": "click.wav"}}, "patterns": {"thud": {"file": "thud.ahap"}, "own": {"file": "own.ahap"}},
       "chapters": {"one": {"title": "One", "track": "main", "length": 2, "beats": "one.json"}}}
      """
    let sounding = """
      {"Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "click.wav"}}]}
      """
    let (folder, problems) = try problems { folder in
      try Data(HostRig.wave(seconds: 0.1)).write(to: URL(filePath: folder + "/secret"))
      try makePack(folder + "/game", manifest)
      for name in ["main.wav", "click.wav", "thud.ahap", "one.json"] {
        symlink("../secret", folder + "/game/" + name)
      }
      try Data(sounding.utf8).write(to: URL(filePath: folder + "/game/own.ahap"))
    }
    for (thing, file) in [
      ("track main", "main.wav"), ("sound click", "click.wav"), ("pattern thud", "thud.ahap"),
      ("chapter one", "one.json"),
      ("pattern own", "click.wav"),
    ] {
      #expect(
        problems.contains {
          $0.hasPrefix("pack game: \(thing): ")
            && $0.hasSuffix(
              "\(folder)/game/\(file) leads out of \(folder)/game through a link, to \(folder)/secret; "
                + "copy the file into the folder")
        }, "\(thing): \(problems)")
    }
    #expect(problems.count == 5)
  }

  /// What lies outside a pack is not named by it: not even as what may have been meant.
  @Test func noFileOutsideThePackIsHintedAt() throws {
    let manifest = """
      {"name": "game", "title": "Game", "version": "1", "tracks": {},
       "sounds": {"click": {"file": "sounds/clik.wav"}, "thud": {"file": "own/thudd.wav"},
                  "tick": {"file": "within/thudd.wav"}}}
      """
    let (_, problems) = try problems { folder in
      mkdir(folder + "/private", 0o755)
      try Data("secret".utf8).write(to: URL(filePath: folder + "/private/click.wav"))
      try makePack(folder + "/game", manifest)
      symlink("../private", folder + "/game/sounds")
      mkdir(folder + "/game/own", 0o755)
      symlink("own", folder + "/game/within")
      try Data(HostRig.wave(seconds: 0.1)).write(to: URL(filePath: folder + "/game/own/thud.wav"))
    }
    // One more says that none of its files is there.
    #expect(problems.count == 4 && !problems.contains { $0.contains("click.wav") }, "\(problems)")
    // One inside is, also where a link leads to it.
    #expect(problems.contains { $0.contains("write own/thud.wav, which is there") }, "\(problems)")
    #expect(problems.contains { $0.contains("write within/thud.wav, which is there") }, "\(problems)")
  }

  @Test func placesThatCannotBeLookedIntoAreTold() throws {
    let (folder, problems) = try problems { folder in
      symlink("round", folder + "/round")
      symlink("nothing", folder + "/dangling\u{1B}[31m")
      mkdir(folder + "/no pack at all", 0o755)
      try Data("notes".utf8).write(to: URL(filePath: folder + "/notes.txt"))
      mkdir(folder + "/folder", 0o755)
      mkdir(folder + "/folder/pack.json", 0o755)
      mkdir(folder + "/pipe", 0o755)
      mkfifo(folder + "/pipe/pack.json", 0o600)
      mkdir(folder + "/vast", 0o755)
      try Data().write(to: URL(filePath: folder + "/vast/pack.json"))
      truncate(folder + "/vast/pack.json", 6 << 30)
    }
    func manifest(_ pack: String) -> String {
      "put a manifest that may be read there; then run `starlight pack load \(folder)/\(pack)`; until then the whole pack is "
        + "left out"
    }
    #expect(
      problems == [
        "cannot look for game packs in \(folder)/dangling\\u001b[31m (No such file or directory); it is a link to nothing; "
          + "mend the link",
        "cannot look for game packs in \(folder)/round (Too many levels of symbolic links); "
          + "it is a link that leads round to itself; mend the link",
        "\(folder)/folder/pack.json is a directory; \(manifest("folder"))",
        "\(folder)/pipe/pack.json is no regular file; \(manifest("pipe"))",
        "\(folder)/vast/pack.json is larger than 8 MiB; make it smaller; then run `starlight pack load \(folder)/vast`; until then "
          + "the whole pack is left out",
      ])
  }

  @Test func aFolderThatMayNotBeReadIsTold() throws {
    let (folder, problems) = try asNobody {
      try self.problems { folder in mkdir(folder + "/closed", 0) }
    }
    #expect(
      problems == [
        "cannot look for game packs in \(folder)/closed (Permission denied); let this user read and enter it: chmod a+rx"
      ])
  }

  /// Does it as one who may not read everything, as root may: in this thread alone, files are another user's affair.
  private func asNobody<Value>(_ body: () throws -> Value) throws -> Value {
    if getuid() != 0 { return try body() }
    typealias SetUser = @convention(c) (uid_t) -> Int32
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    _ = setUser(65_534)
    defer { _ = setUser(0) }
    return try body()
  }

  /// As what `pack import` and `pack new` make before it is whole.
  @Test func hiddenFoldersAreNotLookedInto() throws {
    let (_, problems) = try problems { folder in
      try makePack(folder + "/game", #"{"name": "game", "title": "Game", "version": "1"}"#)
      try makePack(folder + "/.game.starlight-1", #"{"name": "game", "title": "Game", "version": "1"}"#)
      symlink("nothing", folder + "/.lock")
    }
    #expect(problems.isEmpty, "\(problems)")
    // Who names one means it.
    let rig = try HostRig()
    try makePack(rig.directory + "/.mine", #"{"name": "mine", "title": "Mine", "version": "1"}"#)
    let catalog = PackLoader(rate: 48_000).catalog(of: PackFolders(named: [rig.directory + "/.mine"]))
    #expect(catalog.packs.map(\.manifest.name) == ["mine"])
  }

  @Test func aPackThatIsALinkIsAPack() throws {
    let (_, problems) = try problems { folder in
      try makePack(folder + "/game", #"{"name": "game", "title": "Game", "version": "1"}"#)
      symlink("game", folder + "/linked")
    }
    #expect(problems.isEmpty)
  }

  /// What was loaded is kept open, whoever takes its name away.
  @Test func aTrackWhoseFileIsGonePlaysAsItWasLoaded() throws {
    let rig = try HostRig()
    unlink(rig.directory + "/main.wav")
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 1_000_000)
    #expect(rig.host.status().problems.isEmpty)
    #expect(rig.ask("music.status").contains(#""state":"playing""#))
  }

  @Test func aTrackThatCannotBeReadWhenItPlaysIsToldAtOnce() throws {
    let rig = try HostRig()
    // Written to in place, at whatever time.
    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, rig.directory + "/main.wav", &times, 0) == 0)
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 10_000)
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    #expect(told.contains { $0.contains("engine.problem") && $0.contains("main.wav has changed since it was loaded") })
    #expect(rig.host.status().problems.contains { $0.kind == .changed })
    // The head is faded out, and then nothing is said to play.
    rig.step(microseconds: 1_000_000)
    #expect(rig.ask("music.status").contains(#""state":"stopped""#))
  }
}
