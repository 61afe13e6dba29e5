// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import MusicOracle
import Timing
import Wire

@testable import Engine

/// A pack whose tracks tell where they are by their samples, and the mixer that plays them.
final class MusicOracleFixture {
  static let tracks = [
    MusicModel.Track(name: "main", frames: 44_000, loop: 4_000..<40_000, gain: 0.8, pack: "game"),
    MusicModel.Track(name: "other", frames: 30_000, loop: 0..<30_000, gain: 1, pack: "game"),
    MusicModel.Track(name: "far", frames: 96_000, loop: 0..<96_000, gain: 0.5, pack: "night"),
  ]
  static let heads: [String: Int64] = ["main": 24_000, "other": 30_000, "far": 24_000]

  /// The track of the fixture that is told as that, `game:main`; what is told otherwise is no track's.
  static func name(in told: String) -> String { tracks.first { $0.key == told }?.name ?? "?" + told }

  let controller = MixerController()
  private var samples: [String: UnsafeMutablePointer<Float>] = [:]
  /// The left side of all that was put out.
  private(set) var heard: [Float] = []
  private var block = [Float](repeating: 0, count: 2 * 256)

  init() {
    for track in Self.tracks {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Int(track.frames))
      for frame in 0..<track.frames {
        let value = Float(Self.sample(track, frame))
        memory[2 * Int(frame)] = value
        memory[2 * Int(frame) + 1] = value
      }
      samples[track.name] = memory
    }
  }

  deinit { for memory in samples.values { memory.deallocate() } }

  /// A triangle of some 20 ms, zero at the track's first and last frame and the same at both ends of its loop: no step, and
  /// one frame apart is told apart.
  static func sample(_ track: MusicModel.Track, _ frame: Int64) -> Double {
    let period: Int64 = track.name == "main" ? 1_000 : track.name == "other" ? 1_200 : 1_600
    let place = frame % period
    return 1e-4 * Double(min(place, period - place))
  }

  /// `standing` are the packs whose music stands while its switch is off.
  static func engine(standing: Set<String>) throws -> Engine {
    func settings(_ pack: String) -> String {
      #""settings": {"musicOff": "\#(standing.contains(pack) ? "pause" : "mute")", "crossfade": 0.08}"#
    }
    let game = """
      {"name": "game", "title": "Game", "version": "1", \(settings("game")),
       "tracks": {"main": {"file": "main.wav", "gain": 0.8, \(BeatOracle.fields("main"))},
                  "other": {"file": "other.wav", "loop": false, \(BeatOracle.fields("other"))}},
       "sounds": {},
       "cues": {"turn": {"steps": [{"at": 0.03, "music": {"play": "other", "crossfade": 0.1}}]},
                "back": {"steps": [{"music": {"stop": true, "fade": 0.05}},
                                   {"at": 0.15, "music": {"play": "main", "crossfade": 0.02, "from": "continue"}}]}}}
      """
    let night = """
      {"name": "night", "title": "Night", "version": "1", \(settings("night")),
       "tracks": {"far": {"file": "far.wav", "gain": 0.5, \(BeatOracle.fields("far"))}},
       "sounds": {},
       "chapters": {"tap": {"title": "Tap", "track": "far", "length": 0.6, "beats": [{"at": 0.2}]}}}
      """
    return Engine(
      catalog: Catalog(packs: [try pack(game), try pack(night)], active: "game"), configuration: Engine.Configuration(),
      turn: EngineFixture.output(at: 1_000_000))
  }

  private static func pack(_ text: String) throws -> Catalog.Pack {
    let manifest = try PackManifest.parse(Array(text.utf8), path: "pack.json")
    var pack = Catalog.Pack(manifest: manifest, path: "/" + manifest.name)
    for track in tracks where track.pack == manifest.name {
      pack.tracks[track.name] = TrackInfo(
        frames: track.frames, loop: LoopRegion(start: track.loop.lowerBound, end: track.loop.upperBound),
        headFrames: heads[track.name] ?? 0)
    }
    for chapter in manifest.chapters.keys {
      if case .map(let map) = try manifest.chapter(named: chapter).beats { pack.beatMaps[chapter] = map }
    }
    return pack
  }

  /// Lets the device take all frames before `frame`.
  func render(upTo frame: Int64) {
    while controller.outputFrame < frame {
      let count = Int(min(256, frame - controller.outputFrame))
      block.withUnsafeMutableBufferPointer { out in
        if let base = out.baseAddress { controller.mixer.pointee.render(into: base, frames: count) }
      }
      for place in 0..<count { heard.append(block[2 * place]) }
    }
  }

  /// As the host carries them out.
  func submit(_ steps: [AudioStep]) -> Bool {
    controller.submit(
      steps.compactMap { step in
        switch step {
        case .command(let command): return command
        case .start(let start):
          guard case .track(let key, let loops) = start.source,
            let track = Self.tracks.first(where: { $0.name == key.name }), let memory = samples[track.name]
          else { return nil }
          let loop = Int(track.loop.lowerBound)..<Int(track.loop.upperBound)
          let source = ResidentSource(samples: .float(memory), frames: Int(track.frames), loop: loops ? loop : nil)
          return .start(start.with(.resident(source)))
        default: return nil
        }
      })
  }

  func takeEvents(into engine: inout Engine) {
    controller.drainEvents { event in
      guard case .finished(let voice, let frame, let reason) = event else { return }
      engine.voiceFinished(voice, at: frame, reason == .ended ? .ended : reason == .stolen ? .stolen : .stopped)
    }
  }
}
