// SPDX-License-Identifier: Apache-2.0

import Glibc
import MusicOracle
import Timing
import Wire

/// The music of the simulated packs, and what lines and cues do to it, in the model's words.
enum SimulatedMusic {
  private static let tracks: [MusicModel.Track] = [
    .init(
      name: "main", frames: 96_000,
      loop: frames(SimulatedPack.loopUs.lowerBound)..<frames(SimulatedPack.loopUs.upperBound),
      gain: 1, pack: "game", stems: ["bells"]),
    .init(name: "finale", frames: 72_000, loop: 0..<72_000, gain: 0.8, pack: "game"),
    .init(name: "once", frames: 33_600, loop: 0..<33_600, gain: 1, pack: "game"),
    .init(name: "main", frames: 72_000, loop: 0..<72_000, gain: 1, pack: "other"),
  ]

  /// By a pack's settings; 500 ms where it has none.
  private static let crossfadesUs: [String: Int64] = ["game": 300_000, "other": 500_000]

  /// What cues do to the music, and how long after their zeros.
  static let stepsOfCues: [String: [(afterUs: Int64, action: MusicModel.Action)]] = [
    "game:over": [(0, begin(1, fadeUs: 300_000, fadesInAlone: true))],
    "game:hush": [
      (0, .stop(fade(200_000, true))), (600_000, begin(2, fadeUs: 300_000, fadesInAlone: false)),
      (1_000_000, .gain(0.5, fade(100_000, false))), (1_100_000, .stem("bells")),
    ],
    "other:over": [(0, begin(3, fadeUs: 300_000, fadesInAlone: true))],
  ]

  private static func begin(_ track: Int, fadeUs: Int64, fadesInAlone: Bool) -> MusicModel.Action {
    .play(
      tracks[track], position: 0, late: 0, loops: track != 2, gain: 1, continues: false, fade(fadeUs, true),
      fadesInAlone: fadesInAlone)
  }

  /// What a granted line does, on `track` where it begins one; nil where that is not known.
  static func action(_ method: String, _ line: [UInt8], _ track: String?, lateUs: Int64) -> MusicModel.Action? {
    switch method {
    case MusicPlay.name: params(MusicPlay.Params.self, line).flatMap { play($0, track, lateUs) }
    case MusicSeek.name:
      params(MusicSeek.Params.self, line).map {
        .seek(frames($0.positionUs), late: frames(lateUs), fade($0.crossfadeUs ?? 20_000, true))
      }
    case MusicStop.name: params(FadeParams.self, line).map { .stop(fade($0.fadeUs ?? 500_000, true)) }
    case MusicPause.name: params(FadeParams.self, line).map { .pause(.client, fade($0.fadeUs ?? 5_000, false)) }
    case MusicResume.name: params(FadeParams.self, line).map { .resume(.client, fade($0.fadeUs ?? 5_000, false)) }
    case MusicGain.name:
      params(MusicGain.Params.self, line).map { params in
        if let stem = params.stem { return .stem(stem) }
        let gain = params.gain ?? pow(10, (params.gainDb ?? 0) / 20)
        return .gain(sample(gain), fade(params.fadeUs ?? 50_000, false))
      }
    default: nil
    }
  }

  /// Whether a line names no instant.
  static func isForNow(_ line: [UInt8]) -> Bool { params(FadeParams.self, line).map { $0.atUs == nil } ?? false }

  /// The plan that a line calls off.
  static func cancelled(_ line: [UInt8]) -> Int64? { params(MusicCancel.Params.self, line)?.plan }

  /// A gain as what is multiplied by it: the least numbers are silence.
  private static func sample(_ gain: Double) -> Double { Double(Float(gain)) }

  private static func play(_ params: MusicPlay.Params, _ key: String?, _ lateUs: Int64) -> MusicModel.Action? {
    guard let track = tracks.first(where: { $0.key == key }) else { return nil }
    let isCurved = params.fadeCurve != .linear
    let standard = crossfadesUs[track.pack] ?? 0
    let isApart = params.fadeInUs != nil || params.fadeOutUs != nil
    return .play(
      track, position: frames(params.positionUs ?? 0), late: frames(lateUs),
      loops: params.loop ?? (track.name != "once"), gain: sample(params.gain ?? 1), continues: params.from == .continue,
      fade(params.fadeInUs ?? params.crossfadeUs ?? standard, isCurved),
      out: isApart ? fade(params.fadeOutUs ?? standard, isCurved) : nil,
      fadesInAlone: params.fadeInUs ?? params.crossfadeUs ?? 0 > 0)
  }

  private struct Line<Params: Decodable>: Decodable { var params: Params? }

  private static func params<Params: Decodable>(_ type: Params.Type, _ line: [UInt8]) -> Params? {
    // A line without params asks for nothing but what is usual.
    (try? decodeJSON(Line<Params>.self, from: line[...]))?.params
      ?? (try? decodeJSON(Params.self, from: Array("{}".utf8)[...]))
  }

  private static func frames(_ us: Int64) -> Int64 { Interval.microseconds(us).frames(rate: 48_000) }

  /// The frames of a fade: 5 ms at least.
  private static func fade(_ us: Int64, _ isEqualPower: Bool) -> MusicModel.Length {
    .init(frames: max(frames(us), 240), isEqualPower: isEqualPower)
  }
}
