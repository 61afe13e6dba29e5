// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// `starlight beats`
@Suite struct BeatsTests {
  static let hasAubio = access("/usr/bin/aubioonset", X_OK) == 0

  let folder: String

  init() throws { folder = try makeTemporaryDirectory() }

  /// A stroke every half second, the first at 0.5 s, for ten seconds.
  private func writeStrokes() throws {
    try WaveFile.write(folder + "/strokes.wav", seconds: 10) { frame in
      let since = frame % 24_000
      if frame < 24_000 || since > 4_000 { return 0 }
      return 0.5 * cosine(Double(since) * 0.2) * Double(4_000 - since) / 4_000
    }
  }

  private func beats(_ words: [String], socket: String? = nil) throws -> (code: Int32, output: String) {
    if let socket { return try runTool(["beats"] + words, socket: socket) }
    return try runTool(["beats"] + words, in: folder, environment: [])
  }

  @Test(.enabled(if: hasAubio, "aubio-tools is not installed")) func beatsAreHeldAgainstWhatIsHeard() throws {
    defer { removeDirectory(folder) }
    try writeStrokes()
    // All 20 ms early, but one, and one where nothing is.
    let times = (1...18).map { String(Double($0) / 2 - 0.02) } + ["9.6", "9.9"]
    try Data(times.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/strokes.txt"))
    let run = try beats(["check", "strokes.txt", "--json"])
    #expect(run.code == 0, "\(run.output)")
    guard case .object(let report) = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8)),
      case .array(let told)? = report["beats"], case .integer(let median)? = report["medianUs"],
      case .integer(let far)? = report["far"]
    else {
      Issue.record("\(run.output)")
      return
    }
    // aubio is known to be within some 3 ms.
    #expect(told.count == 20 && abs(median - 20_000) < 4_000 && far == 2, "\(run.output)")
    let lines = try beats(["check", "strokes.txt", "--track", "strokes.wav"]).output
    #expect(lines.contains("beat 18       9.600 s"), "\(lines)")
    #expect(lines.contains("20 beats: median +") && lines.contains("18 within 30 ms of an onset"), "\(lines)")
    #expect(lines.contains("most are early alike: --shift 0.0"), "\(lines)")
  }

  @Test(.enabled(if: hasAubio, "aubio-tools is not installed")) func beatsAreProposedAsTheReaderTakesThem() throws {
    defer { removeDirectory(folder) }
    try writeStrokes()
    let run = try beats(["detect", "--onsets", "strokes.wav", "--out", "strokes.beats.json"])
    #expect(run.code == 0 && run.output.contains("strokes.beats.json: 19 beats"), "\(run.output)")
    #expect(try runTool(["lint", "strokes.beats.json"], in: folder, environment: []).code == 0)
    let text = try String(contentsOfFile: folder + "/strokes.beats.json", encoding: .utf8)
    let times = text.matches(of: /"at": ([\d.]+)/).compactMap { Double($0.1) }
    #expect(zip(times, 1...19).allSatisfy { abs($0 - Double($1) / 2) < 0.004 }, "\(times)")
    // What is there stays, unless it is said otherwise.
    #expect(try beats(["detect", "strokes.wav", "--out", "strokes.beats.json"]).code == 1)
    #expect(try String(contentsOfFile: folder + "/strokes.beats.json", encoding: .utf8) == text)
    let proposed = try beats(["detect", "strokes.wav"])
    #expect(
      proposed.code == 0 && proposed.output.hasPrefix("{\n") && proposed.output.contains("\"beats\""), "\(proposed)")
  }

  /// Kick and snare on the beats of a fast tempo, a hat on each and between, as drum and bass has them.
  private func writeDrums(bpm: Double) throws {
    try WaveFile.write(folder + "/drums.wav", seconds: 20) { frame in
      let eighth: Double = (Double(frame) / 48_000 - 0.4) * bpm / 30
      if eighth < 0 { return 0 }
      let since: Double = (eighth - eighth.rounded(.down)) * 30 / bpm
      let random: UInt32 = UInt32(truncatingIfNeeded: frame) &* 2_654_435_761
      let noise: Double = Double(random >> 8) / 8_388_608 - 1
      let hat: Double = 0.2 * noise * exp(-since * 80)
      switch Int(eighth) % 4 {
      case 0: return hat + 0.6 * exp(-since * 30) * sin(377 * since)
      case 2: return hat + 0.35 * noise * exp(-since * 25)
      default: return hat
      }
    }
  }

  @Test(.enabled(if: hasAubio, "aubio-tools is not installed"), arguments: [100.0, 140, 170])
  func aFastTempoIsNotTakenForItsHalf(bpm: Double) throws {
    defer { removeDirectory(folder) }
    try writeDrums(bpm: bpm)
    func detected(_ words: [String]) throws -> (bpm: Double, beats: [Double], said: String) {
      let run = try beats(["detect", "drums.wav", "--out", "drums.beats.json", "--force"] + words)
      #expect(run.code == 0, "\(run.output)")
      let text = try String(contentsOfFile: folder + "/drums.beats.json", encoding: .utf8)
      let tempo = text.firstMatch(of: /"bpm": ([\d.]+)/).flatMap { Double($0.1) } ?? 0
      return (tempo, text.matches(of: /"at": ([\d.]+)/).compactMap { Double($0.1) }, run.output)
    }
    let usual = try detected([])
    #expect(abs(usual.bpm - bpm) <= 0.2 && usual.said.contains("--halve or --double"), "\(usual)")
    // From the first to the last, each where it is.
    #expect(abs(usual.beats.count - Int(19.6 * bpm / 60)) <= 2, "\(usual)")
    let off = usual.beats.map { abs(($0 - 0.4).remainder(dividingBy: 60 / bpm)) }
    #expect(off.allSatisfy { $0 < 0.02 }, "\(off)")
    let half = try detected(["--halve"])
    #expect(abs(half.bpm - bpm / 2) <= 0.2 && abs(half.beats.count * 2 - usual.beats.count) <= 1, "\(half)")
    let double = try detected(["--double"])
    #expect(abs(double.bpm - bpm * 2) <= 0.4 && double.beats.count == usual.beats.count * 2 - 1, "\(double)")
    #expect(try beats(["detect", "drums.wav", "--double", "--halve"]).code == 2)
  }

  @Test func withoutAubioTheLineThatInstallsItIsTold() throws {
    defer { removeDirectory(folder) }
    try writeStrokes()
    let run = try runTool(["beats", "detect", "strokes.wav"], in: folder, environment: ["PATH=/nowhere"])
    #expect(run.code == 1 && run.output.contains("aubioonset is not installed"), "\(run.output)")
    #expect(run.output.contains("apt install aubio-tools"))
  }

  @Test func whatIsMeantIsLookedForAndToldWhereItIsNot() throws {
    defer { removeDirectory(folder) }
    try Data("1\n".utf8).write(to: URL(filePath: folder + "/alone.txt"))
    try writeStrokes()
    for (words, said) in [
      (["check", "nothing"], "nothing is no file, and no chapter or track of a pack here"),
      (["check", "alone.txt"], "the track of alone.txt is not known"),
      (["check", "strokes.wav"], "strokes.wav has no beats"),
      (["tap", "strokes.wav"], "tapping needs a terminal with a keyboard"),
      (["play", "alone.txt", "--track", "strokes.wav"], "starlightd"),
    ] {
      let run = try beats(words)
      #expect(run.code != 0 && run.output.contains(said), "\(words): \(run.output)")
    }
  }

  @Test func aMapIsHeardWithAClickOnEachBeat() throws {
    defer { removeDirectory(folder) }
    try WaveFile.write(folder + "/quiet.wav", seconds: 2) { _ in 0 }
    try Data("0.5\n1.0\n1.25\n".utf8).write(to: URL(filePath: folder + "/quiet.txt"))
    let daemon = try DaemonProcess(
      ["--device", "none", "--record", folder + "/heard.wav"], packs: TestPack.make(in: folder))
    let run = try runTool(
      ["beats", "play", folder + "/quiet.txt", "--json"], socket: daemon.socketPath)
    #expect(run.code == 0 && run.output.contains(#"{"beats":3}"#), "\(run.output)")
    // The daemon is as it was before.
    let connection = try daemon.connect()
    let packs = try connection.listPacks().packs.map(\.name)
    #expect(packs == ["starlight-sync"])
    #expect(try connection.call(MusicStatus.self, Empty()).state != .playing)
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    let heard = try WaveFile(folder + "/heard.wav").channel(0)
    let loud = heard.indices.filter { abs(heard[$0]) > 0.01 }
    let strokes = loud.filter { frame in !heard[max(0, frame - 4_800)..<frame].contains { abs($0) > 0.01 } }
    try #require(strokes.count == 3)
    // To the sample: half a second, then a quarter, as the map has them.
    #expect(strokes[1] - strokes[0] == 24_000 && strokes[2] - strokes[1] == 12_000, "\(strokes)")
  }

  @Test func whatIsTappedIsWrittenAtTheInstantsOfTheTrack() throws {
    defer { removeDirectory(folder) }
    try WaveFile.write(folder + "/quiet.wav", seconds: 600) { _ in 0 }
    let daemon = try DaemonProcess(["--device", "none"], packs: TestPack.make(in: folder))
    let connection = try daemon.connect()
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.music]))
    var struckUs: Int64 = 0
    let run = try TerminalRun.shown(
      ["--socket", daemon.socketPath, "beats", "tap", folder + "/quiet.wav", "--lanes", "left,right"],
      striking: "\u{1B}[Cxq",
      // Once a second of it was heard.
      at: { $0.contains(/0:0[1-9]/) }, struck: { struckUs = monotonicUs() })
    let endUs = monotonicUs()
    #expect(run.code == 0 && run.text.contains("quiet.beats.json: 1 beat"), "\(run.text)")
    // When the track began the daemon tells everybody.
    var beganUs: Int64?
    while beganUs == nil, let told = try connection.nextNotification(timeoutUs: 5_000_000) {
      if let changed = try told.decode(as: MusicChanged.self), changed.change == .started {
        beganUs = told.tUs - (changed.positionUs ?? 0)
      }
    }
    let began = try #require(beganUs)
    let text = try String(contentsOfFile: folder + "/quiet.beats.json", encoding: .utf8)
    let match = try #require(text.firstMatch(of: /\{ "at": ([\d.]+), "lane": "right" \}/), "\(text)")
    let at = Int64((Double(match.1) ?? 0) * 1e6)
    #expect(at >= struckUs - began && at <= endUs - began, "\(at): \(struckUs - began) to \(endUs - began)")
    #expect(try connection.listPacks().packs.map(\.name) == ["starlight-sync"])
  }

  private func monotonicUs() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
