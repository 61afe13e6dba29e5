// SPDX-License-Identifier: Apache-2.0

import Engine
import FuzzSupport
import GamePacks
import Haptics
import Timing
import Wire

/// Reads a manifest, or a beat map, and plays what it says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(data, count)
  checkBeatMap(input)
  let manifest: PackManifest
  do throws(PackFaults) {
    manifest = try PackManifest.parse(input, path: "pack.json")
  } catch {
    require((1...101).contains(error.faults.count), "\(error.faults.count) faults")
    let lines = input.count { $0 == 0x0A } + 1
    for fault in error.faults {
      require(fault.description.hasPrefix("pack.json"), "\(fault) names no file")
      require(!fault.reason.isEmpty && !fault.code.rawValue.isEmpty, "\(fault) says nothing")
      require(fault.description.utf8.count < 4_096, "a fault of \(fault.description.utf8.count) bytes")
      if let line = fault.line, let column = fault.column {
        require((1...lines).contains(line) && (1...input.count + 1).contains(column), "\(fault) is nowhere")
      }
    }
    let places = error.faults.compactMap { fault in fault.line.map { ($0, fault.column ?? 0) } }
    require(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "\(error) is out of order")
    return 0
  }
  require((try? PackManifest.parse(input, path: "pack.json")) == manifest, "read again it is another")
  checkBeats(of: manifest)
  play(manifest)
  return 0
}

private func checkBeatMap(_ input: [UInt8]) {
  guard let file = try? BeatMapFile.parse(input, path: "beats.json") else { return }
  for lanes in [[], ["left", "right", "top"]] {
    guard let map = try? file.map(lanes: lanes, length: 60_000_000) else { continue }
    require(zip(map.beats, map.beats.dropFirst()).allSatisfy { $0.at < $1.at }, "beats out of order")
    require(map.beats.allSatisfy { (0...60_000_000).contains($0.at) }, "a beat outside its chapter")
  }
}

private func checkBeats(of manifest: PackManifest) {
  for chapter in manifest.chapters.values {
    guard case .map(let map) = chapter.beats else { continue }
    require(zip(map.beats, map.beats.dropFirst()).allSatisfy { $0.at < $1.at }, "beats out of order")
    require(map.beats.allSatisfy { (0...chapter.rules.length).contains($0.at) }, "a beat outside its chapter")
  }
}

/// Whatever a manifest may say, the engine can do, for half a second after the beginning of each thing.
private func play(_ manifest: PackManifest) {
  var pack = Catalog.Pack(manifest: manifest, path: "/pack")
  let second = TrackInfo(frames: 48_000, loop: LoopRegion(start: 0, end: 48_000), headFrames: 24_000)
  for name in manifest.tracks.keys { pack.tracks[name] = second }
  for name in manifest.sounds.keys { pack.sounds[name] = 4_800 }
  for name in manifest.patterns.keys { pack.patterns[name] = .transient(intensity: 1, sharpness: 0.5) }
  for (name, chapter) in manifest.chapters {
    if case .map(let map) = chapter.beats { pack.beatMaps[name] = map }
  }
  var engine = Engine(
    catalog: Catalog(packs: [pack], active: manifest.name), configuration: Engine.Configuration(),
    turn: turn(at: 1_000_000))
  for name in manifest.tracks.keys.sorted().prefix(4) {
    for grid in [Quantise?.none, .beat, .bar] {
      _ = try? engine.playMusic(MusicPlay.Params(track: name, quantise: grid), by: .daemon)
      run(&engine, periods: 5)
    }
  }
  for name in manifest.cues.keys.sorted().prefix(8) {
    _ = try? engine.fireCue(CueFire.Params(cue: name), by: Cause(client: ClientID(rawValue: 1)))
    run(&engine, periods: 50)
  }
  for name in manifest.chapters.keys.sorted().prefix(4) {
    _ = try? engine.startChapter(RhythmStart.Params(chapter: name), by: .daemon)
    for _ in 0..<5 {
      _ = try? engine.tap(RhythmTap.Params(), arrival: engine.turn.now)
      run(&engine, periods: 10)
    }
    let score = engine.chapterStatus().score
    require(score.hits >= 0 && score.misses >= 0 && score.remaining >= 0, "\(score)")
    _ = try? engine.stopChapter(by: .daemon)
  }
}

/// Frames heard 10 ms after they are mixed.
private func turn(at microseconds: Int64) -> Turn {
  let now = Instant(microseconds: microseconds)
  let timeline = AudioTimeline(frame: 0, instant: Instant(microseconds: 1_000_000), rate: 48_000)
  return Turn(now: now, timeline: timeline, reachableFrame: timeline.frame(at: now) + 480, hapticLead: .zero)
}

private func run(_ engine: inout Engine, periods: Int) {
  for _ in 0..<periods {
    engine.turn = turn(at: engine.turn.now.microseconds + 10_000)
    engine.advance()
    for action in engine.takeActions() {
      guard case .notify(let notification, _) = action else { continue }
      require(notification.line(seq: 1).count <= notification.maximumLineLength, "a line longer than promised")
    }
  }
}
