// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Glibc
import Moments
import Testing

/// `starlight pack show`: all of a pack, for terminals, browsers and programs.
@Suite struct PackShowTests {
  private static let manifest = #"""
    {"name": "game", "title": "A <b>\"Game\"</b> & \u001b[31mmore\u202e", "version": "1",
     "tracks": {"main": {"file": "main.wav", "bpm": 120, "gain": 0.5, "loop": {"start": 1, "end": 3}, "markers": {"drop": 2}},
                "end": {"file": "end.wav", "loop": false}, "lost": {"file": "lost.wav"}},
     "sounds": {"bell": {"file": "bell.wav"}, "still": {"file": "still.wav", "bus": "voice"}},
     "patterns": {"thud": {"file": "thud.ahap"}},
     "cues": {"lit": {"align": "together", "steps": [{"sound": "bell"}, {"at": 0.25, "pattern": "thud"},
                                {"at": 0.5, "music": {"play": "main"}}]},
              "quiet": {"steps": [{"music": {"stop": true, "fade": 2}}]}},
     "chapters": {"tap": {"title": "Tap", "track": "main", "length": 4, "lanes": ["left", "right"],
                          "beats": [{"at": 1, "lane": "left"}, {"at": 2, "lane": "right"}, {"at": 3.5, "lane": "left"}]}},
     "parameters": {"dim": {"targets": [{"bus": "music", "lowPass": {"power": 1, "from": 20000, "to": 500}}]}}}
    """#

  /// The pack, at `game` in a folder of its own that is removed behind `body`.
  private func withPack(
    _ manifest: String = Self.manifest, _ body: (_ directory: String, _ pack: String) throws -> Void
  )
    throws
  {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = directory + "/game"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    // 1 kHz at -20 dB.
    try WaveFile.write(pack + "/main.wav", seconds: 4) { 0.1 * sin(2 * .pi * 1_000 * Double($0) / 48_000) }
    try WaveFile.write(pack + "/end.wav", seconds: 1.5) { _ in 0.25 }
    try WaveFile.write(pack + "/bell.wav", seconds: 0.5) { 0.5 * sin(2 * .pi * 1_000 * Double($0) / 48_000) }
    try WaveFile.write(pack + "/still.wav", seconds: 0.25) { _ in 0 }
    try Data(
      #"""
      {"Version": 1.0, "Pattern": [
        {"Event": {"Time": 0, "EventType": "HapticTransient",
          "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1}]}},
        {"Event": {"Time": 0.1, "EventType": "HapticContinuous", "EventDuration": 0.3,
          "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.5}]}}]}
      """#.utf8
    ).write(to: URL(filePath: pack + "/thud.ahap"))
    try body(directory, pack)
  }

  private struct Shown: Decodable {
    struct Level: Decodable {
      var loudness: Double?
      var peakDb: Double?
      var waveform: [Double]
    }
    struct Span: Decodable, Equatable {
      var startUs: Int64
      var endUs: Int64
    }
    struct Mark: Decodable {
      var name: String
      var positionUs: Int64
    }
    struct Track: Decodable {
      var name: String
      var lengthUs: Int64?
      var loop: Span?
      var markers: [Mark]
      var level: Level?
    }
    struct Sound: Decodable {
      var name: String
      var lengthUs: Int64?
      var bus: String
      var level: Level?
    }
    struct Pattern: Decodable {
      var name: String
      var lengthUs: Int64?
      var events: Int
    }
    struct Step: Decodable, Equatable {
      var atUs: Int64
      var kind: String
      var text: String
      var lengthUs: Int64?
      var goesOn: Bool
    }
    struct Cue: Decodable {
      var name: String
      var align: String?
      var steps: [Step]
    }
    struct Chapter: Decodable {
      var name: String
      var lengthUs: Int64
      var beats: Int
      var lanes: [String]
    }
    var title: String
    var tracks: [Track]
    var sounds: [Sound]
    var patterns: [Pattern]
    var cues: [Cue]
    var chapters: [Chapter]
    var problems: [String]
  }

  @Test func whatIsShownIsWhatIsInIt() throws {
    try withPack { _, pack in
      let run = try runTool(["pack", "show", "--json", pack], socket: "/nonexistent")
      #expect(run.code == 0, "\(run.output)")
      let shown = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
      #expect(shown.title == "A <b>\"Game\"</b> & \u{1B}[31mmore\u{202E}")
      #expect(shown.tracks.map(\.name) == ["end", "lost", "main"])
      #expect(shown.tracks.map(\.lengthUs) == [1_500_000, nil, 4_000_000])
      #expect(shown.tracks.map(\.loop) == [nil, nil, Shown.Span(startUs: 1_000_000, endUs: 3_000_000)])
      #expect(shown.tracks[2].markers.map(\.positionUs) == [2_000_000])
      // Half of -20 dB, as its pack has it.
      #expect(shown.tracks[2].level?.loudness == -26 && shown.tracks[2].level?.peakDb == -26)
      #expect(shown.tracks[2].level?.waveform.allSatisfy { $0 == 0.1 } == true)
      #expect(shown.sounds.map(\.lengthUs) == [500_000, 250_000] && shown.sounds.map(\.bus) == ["sound", "voice"])
      #expect(shown.sounds[0].level?.loudness == -6 && shown.sounds[0].level?.peakDb == -6)
      #expect(shown.sounds[1].level?.loudness == nil && shown.sounds[1].level?.peakDb == nil)
      #expect(shown.patterns.map(\.lengthUs) == [400_000] && shown.patterns[0].events == 2)
      #expect(shown.cues.map(\.name) == ["lit", "quiet"] && shown.cues[0].align == "together")
      #expect(
        shown.cues[0].steps == [
          .init(atUs: 0, kind: "sound", text: "sound bell", lengthUs: 500_000, goesOn: false),
          .init(atUs: 250_000, kind: "touch", text: "pattern thud", lengthUs: 400_000, goesOn: false),
          .init(atUs: 500_000, kind: "music", text: "music main", lengthUs: nil, goesOn: true),
        ])
      #expect(shown.cues[1].steps.map(\.lengthUs) == [2_000_000])
      #expect(shown.chapters[0].lengthUs == 4_000_000 && shown.chapters[0].beats == 3)
      #expect(shown.problems.count == 1 && shown.problems[0].contains("lost.wav does not exist"), "\(shown.problems)")
    }
  }

  /// A name, a path, a manifest: it is the same pack.
  @Test func aPackIsFoundByItsNameAndItsFolder() throws {
    try withPack { directory, pack in
      let byPath = try runTool(["pack", "show", pack], socket: "/nonexistent")
      let byManifest = try runTool(["pack", "show", pack + "/pack.json"], socket: "/nonexistent")
      let byName = try runTool(["pack", "show", "game"], in: "/", environment: ["STARLIGHT_PACKS=" + directory])
      let inPlace = try runTool(["pack", "show", "game"], in: directory, environment: [])
      #expect(byPath.code == 0 && byPath.output == byManifest.output)
      #expect(byPath.output == byName.output && byPath.output == inPlace.output, "\(byName.output)")
      let mistyped = try runTool(["pack", "show", "gane"], in: "/", environment: ["STARLIGHT_PACKS=" + directory])
      #expect(mistyped.code == 1 && mistyped.output.contains("no pack gane; did you mean game?"), "\(mistyped.output)")
      let nowhere = try runTool(["pack", "show", directory + "/none"], socket: "/nonexistent")
      #expect(nowhere.code == 1, "\(nowhere.output)")
    }
  }

  @Test func inAPipeThereIsNoColourAndNothingFromThePackMovesACursor() throws {
    try withPack { _, pack in
      let text = try runTool(["pack", "show", pack], socket: "/nonexistent").output
      #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
      #expect(text.contains(#"A <b>"Game"</b> & \u001b[31mmore\u202e  game 1"#))
      for said in [
        "4.00 s, 120 bpm in 4, loops from 0:01.0 to 0:03.0, -26.0 LUFS, peak -26.0 dB",
        "not available: see the problems",
        "500 ms, -6.0 LUFS at most, peak -6.0 dB", "250 ms, silent, bus voice", "400 ms, 2 events",
        "lit  3 steps in 650 ms, align together", "  quiet  music ends",
        "Tap, 4.00 s, 3 beats, music main, window 150 ms",
        "low-pass of bus music",
      ] {
        #expect(text.contains(said), "\(said) is not in \(text)")
      }
      // A quarter and seven eighths of the way.
      let lane = text.split(separator: "\n").first { $0.hasPrefix("    left  ") }
      let places = lane?.dropFirst(10).enumerated().filter { $0.element != "·" }.map(\.offset)
      let columns = lane.map { $0.count - 10 } ?? 0
      #expect(places == [columns / 4, columns * 7 / 8], "\(lane ?? "")")
    }
  }

  @Test(arguments: [30, 40, 60, 100])
  func itFitsTerminalsOfAnyWidth(_ columns: Int) throws {
    try withPack { directory, pack in
      let text = try runToolOnTerminal(["pack", "show", pack], columns: columns)
      let lines = text.split(whereSeparator: \.isNewline)
      // Where it lies is not broken, nor are words.
      let wide = lines.filter {
        $0.count > columns && $0.contains(" ") && !$0.contains(directory) && !$0.contains("<b>")
      }
      #expect(lines.count > 20 && wide.isEmpty, "\(wide)")
    }
  }

  @Test func thePageIsWellFormedAndStandsByItself() throws {
    try withPack { directory, pack in
      let file = directory + "/page.html"
      let run = try runTool(["pack", "show", pack, "--html", file], socket: "/nonexistent")
      #expect(run.code == 0 && run.output.isEmpty, "\(run.output)")
      let page = try String(contentsOfFile: file, encoding: .utf8)
      let found = Elements(page)
      #expect(found.fault == nil, "\(found.fault ?? "")")
      // What is from the pack is text.
      #expect(!page.contains("<b>\"Game\"") && !page.contains("\u{1B}") && !page.contains("\u{202E}"))
      #expect(found.title == #"A <b>"Game"</b> & \u001b[31mmore\u202e"#, "\(found.title)")
      for outside in ["http", "src=", "href=", "url(", "@import", "<script", "<link"] {
        #expect(!page.contains(outside))
      }
      #expect(found.articles == ["tracks": 3, "sounds": 2, "patterns": 1, "cues": 2, "chapters": 1, "parameters": 1])
      // The loop takes the second and third quarter of the 160 columns; the marker stands in its middle.
      #expect(page.contains(#"<rect class="loop" x="40.00" y="0" width="80.00" height="100"/>"#))
      #expect(page.contains(##"<path class="mark" d="M80.00 0V100"/>"##))
      #expect(page.contains(#"d="M100 0V10M350 0V10""#) && page.contains(#"d="M200 0V10""#))
      #expect(page.contains("margin-left:min(38.5%,100% - 4px);width:61.5%"), "the pattern, from 250 to 650 ms")
    }
  }

  /// A pack of a thousand sounds makes a page that still opens.
  @Test func aPackOfAThousandSoundsMakesAPageOfBoundedSize() throws {
    let sounds = (0..<1_000).map { #""sound-\#($0)": {"file": "bell.wav"}"# }.joined(separator: ",")
    try withPack(#"{"name": "game", "title": "Game", "version": "1", "sounds": {\#(sounds)}}"#) { directory, pack in
      let file = directory + "/page.html"
      #expect(try runTool(["pack", "show", pack, "--html", file], socket: "/nonexistent").code == 0)
      let page = try Data(contentsOf: URL(filePath: file))
      #expect(page.count < 1_000_000, "\(page.count)")
      #expect(Elements(String(decoding: page, as: UTF8.self)).articles == ["sounds": 1_000])
    }
  }

  /// What is at fault is shown as far as it can be read, with its faults.
  @Test func aPackWithFaultsIsShownAllTheSame() throws {
    try withPack(Self.manifest.replacing(#""bus": "voice""#, with: #""bos": "voice""#)) { _, pack in
      let run = try runTool(["pack", "show", pack], socket: "/nonexistent")
      #expect(run.code == 0 && run.output.contains("sounds.still.bos: is no field"), "\(run.output)")
      #expect(run.output.contains("500 ms, -6.0 LUFS at most"))
    }
    let mistyped = Self.manifest.replacing(#"{"sound": "bell"}"#, with: #"{"sund": "bell"}"#)
    try withPack(mistyped.replacing(#"{"stop": true, "fade": 2}"#, with: #"{"stop": true, "fade": 200}"#)) { _, pack in
      let text = try runTool(["pack", "show", pack], socket: "/nonexistent").output
      #expect(text.contains("  quiet  at fault: see the problems") && text.contains("pattern thud"), "\(text)")
      let run = try runTool(["pack", "show", "--json", pack], socket: "/nonexistent")
      let shown = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
      #expect(
        shown.cues[0].steps.first
          == .init(atUs: 0, kind: "faulty", text: "at fault: see the problems", lengthUs: nil, goesOn: false))
    }
    try withPack("[") { _, pack in
      let run = try runTool(["pack", "show", pack], socket: "/nonexistent")
      #expect(run.code == 1 && run.output.contains("pack.json"), "\(run.output)")
    }
  }
}

/// A page as a reader of XML sees it.
private final class Elements: NSObject, XMLParserDelegate {
  private(set) var fault: String?
  private(set) var title = ""
  /// How many things each section shows.
  private(set) var articles: [String: Int] = [:]
  private var section = ""
  private var isInTitle = false

  init(_ page: String) {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    if !parser.parse() { fault = fault ?? "line \(parser.lineNumber): \(String(describing: parser.parserError))" }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if name == "title" { isInTitle = true }
    if name == "section" { section = attributes["id"] ?? "" }
    if name == "article" { articles[section, default: 0] += 1 }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if name == "title" { isInTitle = false }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { if isInTitle { title += text } }
}
