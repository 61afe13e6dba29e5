// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import SeededNumbers
import Testing

@testable import SoundFiles

/// Files of random tags and channels, against what the formats say of them, worked out frame by frame.
@Suite struct RandomFileTests {
  let directory = TestDirectory()

  @Test func tagsOfALoopAreWhatTheirFramesSay() throws {
    try search(upTo: 8) { random in
      let format = random.pick([Format.flac, .ogg, .opus])
      // Opus counts frames of 48 kHz at any rate.
      let (rate, each) = format == .opus && random.oneIn(2) ? (24_000, 2) : (48_000, 1)
      let frames = 1_000 + random.next(below: 2_000)
      let end = each * frames
      func value() -> Int {
        each * Int(random.pick([0, 1, random.integer(0...Int64(frames)), Int64(frames), Int64(frames) + 1]))
      }
      var known: [(name: String, value: Int)] = []
      for name in ["LOOPSTART", "LOOPLENGTH", "LOOPEND"] where !random.oneIn(3) {
        known.append((random.oneIn(3) ? name.lowercased() : name, value()))
      }
      known.shuffle(using: &random)
      let path = directory.tagged(
        format, rate: rate, frames: frames, tags: known.map { ($0.name, digits($0.value, for: $0.name)) })

      func tag(_ name: String) -> Int? { known.first { $0.name.uppercased() == name }?.value }
      // A length goes before an end, and without either it is all that is left.
      var repeated: [Int] = []
      if let start = tag("LOOPSTART") {
        let last = tag("LOOPLENGTH").map { start + $0 } ?? tag("LOOPEND") ?? end
        repeated = Array(stride(from: start, to: last, by: 1))
        if !repeated.allSatisfy((0..<end).contains) { repeated = [] }
      }
      let loop = repeated.first.map { Int64($0 / each)..<Int64((repeated.count + $0) / each) }
      let read = try Decoder.open(path: path).fileLoop
      try hold(read == loop, "\(known) of \(end) frames in \(format) are read as \(read as Any), not \(loop as Any)")
    }
  }

  @Test func everyChannelIsHeardWhereItsPlaceIs() throws {
    // In the order of the mask of a WAV file, which keeps no other.
    let places: [(place: Int, heard: DownmixTests.Place)] = [
      (SF_CHANNEL_MAP_LEFT, .l), (SF_CHANNEL_MAP_RIGHT, .r), (SF_CHANNEL_MAP_CENTER, .c), (SF_CHANNEL_MAP_LFE, .lfe),
      (SF_CHANNEL_MAP_REAR_LEFT, .sl), (SF_CHANNEL_MAP_REAR_RIGHT, .sr), (SF_CHANNEL_MAP_REAR_CENTER, .sc),
      (SF_CHANNEL_MAP_SIDE_LEFT, .sl), (SF_CHANNEL_MAP_SIDE_RIGHT, .sr),
    ]
    try search(upTo: 20) { random in
      var chosen = places.filter { _ in random.oneIn(2) }
      while chosen.count < 3 || !chosen.contains(where: { $0.heard != .lfe }) {
        chosen = places.filter { _ in !random.oneIn(4) }
      }
      let channels = chosen.count
      var info = SF_INFO()
      (info.samplerate, info.channels) = (48_000, Int32(channels))
      info.format = Int32(SF_FORMAT_WAVEX | SF_FORMAT_FLOAT)
      let path = directory("placed.wav")
      let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
      var map = chosen.map { Int32($0.place) }
      let isTold = sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, Int32(4 * channels)) == SF_TRUE
      let samples = (0..<(5 * channels)).map { _ in Float.random(in: -0.1...0.1, using: &random) }
      sf_writef_float(file, samples, 5)
      sf_close(file)
      try hold(isTold, "libsndfile does not take \(chosen)")
      var decoder = try Decoder.open(path: path)
      let heard = try decoder.readAll()
      try hold(heard.count == 10, "\(heard.count) samples of five frames")
      for frame in 0..<5 {
        var (left, right): (Float, Float) = (0, 0)
        for (channel, one) in chosen.enumerated() {
          let gain = DownmixTests.heard(one.heard)
          left += gain.left * samples[frame * channels + channel]
          right += gain.right * samples[frame * channels + channel]
        }
        try hold(
          abs(heard[2 * frame] - left) < 1e-6 && abs(heard[2 * frame + 1] - right) < 1e-6,
          "of \(chosen) frame \(frame) is \(heard[2 * frame]), \(heard[2 * frame + 1]), not \(left), \(right)")
      }
    }
  }
}
