// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Rhythm

/// The pack that somebody taps to: a track of clicks, and a chapter with a beat at each.
struct ClickPack {
  let name: String
  let rate: Int
  let clicks: ClickTimes

  static let chapter = "clicks"
  private static let firstClickUs: Int64 = 1_500_000
  private static let endUs: Int64 = 1_500_000
  /// A knock of 1 kHz that is over in some 30 ms.
  private static let frequency = 1_000.0
  private static let decay = 0.005
  private static let length = 0.03

  /// `count` clicks at gaps drawn from `numbers`, for an engine of `rate` frames a second.
  init(name: String, rate: Int, count: Int, using numbers: inout some RandomNumberGenerator) {
    self.name = name
    self.rate = rate
    clicks = ClickTimes(count, from: Self.firstClickUs, using: &numbers)
  }

  /// What the daemon is asked for by.
  var chapterName: String { "\(name):\(Self.chapter)" }

  private var lengthUs: Int64 { (clicks.moments.last ?? 0) + Self.endUs }

  /// Writes it into `folder`, which is there.
  func write(to folder: String) throws(ToolFailure) {
    let click = (0..<Int(Self.length * Double(rate))).map { index in
      let time = Double(index) / Double(rate)
      // From its first sample on: what is tapped to is an onset.
      return Float(0.5 * exp(-time / Self.decay) * cos(2 * Double.pi * Self.frequency * time))
    }
    // Longer than the chapter, which has to end before its track.
    let samples = trackSamples(clicks.moments.map { ($0, click) }, lengthUs: lengthUs + Self.endUs, rate: rate)
    try writeWave(samples, rate: rate, to: folder + "/track.wav")
    try replaceFile(folder + "/pack.json", with: Array(manifest.utf8))
    try replaceFile(folder + "/beats.json", with: Array(beatMap.utf8))
  }

  private var manifest: String {
    """
    {"name":\(jsonString(name)),"title":"What starlight calibrate plays","version":"1",
    "tracks":{"track":{"file":"track.wav","loop":false}},
    "chapters":{"\(Self.chapter)":{"title":"Clicks","track":"track","length":\(packSeconds(lengthUs)),
    "window":\(packSeconds(ClickTimes.window)),"beats":"beats.json"}}}

    """
  }

  private var beatMap: String {
    "{\"beats\":[" + clicks.moments.map { "{\"at\":\(packSeconds($0))}" }.joined(separator: ",\n") + "]}\n"
  }
}
