// SPDX-License-Identifier: Apache-2.0

import ClosedLoop
import JSON

/// The pack that a proof plays: its chirps as sounds, cues of a chirp and a tap, and a chapter with a chirp at each beat.
struct ProofPack {
  /// When a beat of the chapter is, in microseconds of its track, and which chirp is heard there.
  struct Beat: Equatable {
    var atUs: Int64
    var code: Int
  }

  let name: String
  let rate: Int
  let beats: [Beat]

  /// Of the chapter: half of the least time between two beats and less, so that each has a cell of its own.
  static let windowUs: Int64 = 100_000
  private static let firstBeatUs: Int64 = 1_000_000
  private static let endUs: Int64 = 1_000_000

  /// A pack of `beats` beats for an engine of `rate` frames a second, whose gaps are drawn from `numbers`: none is a multiple
  /// of a period all along.
  init(name: String, rate: Int, beats: Int, using numbers: inout some RandomNumberGenerator) {
    self.name = name
    self.rate = rate
    var at = Self.firstBeatUs
    var list: [Beat] = []
    for index in 0..<beats {
      // Where a frame begins, so that the chirp is where the beat is.
      let frame = at * Int64(rate) / 1_000_000
      list.append(Beat(atUs: frame * 1_000_000 / Int64(rate), code: index % CodedChirp.codes))
      at += Int64.random(in: ProofTrials.gapsUs, using: &numbers)
    }
    self.beats = list
  }

  /// What the daemon is asked for by: the name in this pack.
  func named(_ asset: String) -> String { "\(name):\(asset)" }

  static let chapter = "proof"
  static func sound(_ code: Int) -> String { "chirp\(code)" }
  static func cue(_ code: Int) -> String { "touch\(code)" }
  /// A tap without a chirp, for a beat that has one.
  static let tap = "tap"

  private var lengthUs: Int64 { (beats.last?.atUs ?? 0) + Self.endUs }

  /// Writes it into `folder`, which is there.
  func write(to folder: String) throws(ToolFailure) {
    let chirps = (0..<CodedChirp.codes).map { CodedChirp(code: $0, rate: rate) }
    for chirp in chirps { try writeWave(chirp.samples, rate: rate, to: folder + "/" + Self.sound(chirp.code) + ".wav") }
    // Longer than the chapter, which has to end before its track.
    let samples = trackSamples(
      beats.map { ($0.atUs, chirps[$0.code].samples) }, lengthUs: lengthUs + Self.endUs, rate: rate)
    try writeWave(samples, rate: rate, to: folder + "/track.wav")
    try replaceFile(folder + "/pack.json", with: Array(manifest.utf8))
    try replaceFile(folder + "/beats.json", with: Array(beatMap.utf8))
  }

  private static let transient = "{\"transient\":{\"intensity\":1,\"sharpness\":1}}"

  private var manifest: String {
    let codes = 0..<CodedChirp.codes
    let sounds = codes.map { "\"\(Self.sound($0))\":{\"file\":\"\(Self.sound($0)).wav\"}" }.joined(separator: ",")
    let cues = codes.map {
      "\"\(Self.cue($0))\":{\"steps\":[{\"sound\":\"\(Self.sound($0))\"},\(Self.transient)]}"
    }
    return """
      {"name":\(jsonString(name)),"title":"What starlight latency plays","version":"1",
      "tracks":{"track":{"file":"track.wav","loop":false}},
      "sounds":{\(sounds)},
      "cues":{\(cues.joined(separator: ",")),"\(Self.tap)":{"steps":[\(Self.transient)]}},
      "chapters":{"\(Self.chapter)":{"title":"Proof","track":"track","length":\(packSeconds(lengthUs)),
      "window":\(packSeconds(Self.windowUs)),"lanes":["tap"],"beats":"beats.json"}}}

      """
  }

  private var beatMap: String {
    "{\"beats\":[" + beats.map { "{\"at\":\(packSeconds($0.atUs)),\"lane\":\"tap\"}" }.joined(separator: ",\n") + "]}\n"
  }
}

/// A track of `lengthUs` that has sounds at their instants and is silent elsewhere.
func trackSamples(_ sounds: [(atUs: Int64, samples: [Float])], lengthUs: Int64, rate: Int) -> [Float] {
  var track = [Float](repeating: 0, count: Int(lengthUs * Int64(rate) / 1_000_000))
  for sound in sounds {
    let first = Int((Double(sound.atUs) * Double(rate) / 1e6).rounded())
    for (index, sample) in sound.samples.enumerated() where first + index < track.count {
      track[first + index] = sample
    }
  }
  return track
}

/// Microseconds as a pack's files have times.
func packSeconds(_ microseconds: Int64) -> String { fixed(Double(microseconds) / 1e6, 6) }
