// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import Testing

@testable import SoundFiles

@Suite struct DownmixTests {
  let directory = TestDirectory()

  /// L, R, C, surround left, surround right, surround centre, low frequency effects: places in the sums below.
  enum Place { case l, r, c, sl, sr, sc, lfe }

  static let orders: [(isOgg: Bool, places: [Place])] = [
    (false, [.l, .r, .c]), (false, [.l, .r, .sl, .sr]), (false, [.l, .r, .c, .sl, .sr]),
    (false, [.l, .r, .c, .lfe, .sl, .sr]), (false, [.l, .r, .c, .lfe, .sc, .sl, .sr]),
    (false, [.l, .r, .c, .lfe, .sl, .sr, .sl, .sr]),
    (true, [.l, .c, .r]), (true, [.l, .r, .sl, .sr]), (true, [.l, .c, .r, .sl, .sr]),
    (true, [.l, .c, .r, .sl, .sr, .lfe]), (true, [.l, .c, .r, .sl, .sr, .sc, .lfe]),
    (true, [.l, .c, .r, .sl, .sr, .sl, .sr, .lfe]),
  ]

  /// What BS.775 makes of a channel of value 1 at that place.
  static func heard(_ place: Place) -> (left: Float, right: Float) {
    let half = 1 / Float(2).squareRoot()
    return switch place {
    case .l: (1, 0)
    case .r: (0, 1)
    case .c: (half, half)
    case .sl: (half, 0)
    case .sr: (0, half)
    case .sc: (0.5, 0.5)
    case .lfe: (0, 0)
    }
  }

  @Test(arguments: orders) func everyChannelIsHeardWhereItBelongs(isOgg: Bool, places: [Place]) {
    let downmix = Downmix(channels: places.count, isOgg: isOgg)
    for (channel, place) in places.enumerated() {
      let expected = Self.heard(place)
      #expect(abs(downmix.gains[channel].x - expected.left) < 1e-7)
      #expect(abs(downmix.gains[channel].y - expected.right) < 1e-7)
    }
  }

  @Test(arguments: orders) func aFileIsMixedDownExactly(isOgg: Bool, places: [Place]) throws {
    let channels = places.count
    // Vorbis changes samples, so its places are told apart by tones alone.
    let path = directory.sound(isOgg ? .ogg : .wav, rate: 48_000, channels: channels, frames: 9_600) { frame, channel in
      isOgg ? sine(300 + 200 * Double(channel), 0.1, at: frame, rate: 48_000) : busySignal(frame, channel) / 4
    }
    let all = sequentialDecode(path)
    var decoder = try Decoder.open(path: path)
    let samples = try decoder.readAll()
    #expect(samples.count == 2 * 9_600)
    for frame in stride(from: 0, to: 9_600, by: 7) {
      var (left, right): (Float, Float) = (0, 0)
      for (channel, place) in places.enumerated() {
        let heard = Self.heard(place)
        left += heard.left * all[frame * channels + channel]
        right += heard.right * all[frame * channels + channel]
      }
      #expect(abs(samples[2 * frame] - left) < 1e-6 && abs(samples[2 * frame + 1] - right) < 1e-6, "frame \(frame)")
    }
  }

  @Test func theOrderThatAFileTellsGoesBeforeTheUsualOne() throws {
    let path = directory("mapped.wav")
    var info = SF_INFO()
    (info.samplerate, info.channels) = (48_000, 4)
    info.format = Int32(SF_FORMAT_WAVEX | SF_FORMAT_FLOAT)
    let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
    // WAV keeps places in the order of its mask: left, right, low frequency effects, behind.
    var map = [SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_REAR_CENTER].map(
      Int32.init)
    #expect(sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, 16) == SF_TRUE)
    let frame: [Float] = [0.25, 0.5, 0.125, 0.0625]
    sf_writef_float(file, frame, 1)
    sf_close(file)
    var decoder = try Decoder.open(path: path)
    #expect(try decoder.readAll() == [0.25 + 0.03125, 0.5 + 0.03125])
  }

  @Test func anUnknownMapIsNone() {
    #expect(Downmix(map: [Int32(SF_CHANNEL_MAP_AMBISONIC_B_W), Int32(SF_CHANNEL_MAP_AMBISONIC_B_X), 0]) == nil)
    #expect(Downmix(map: [Int32](repeating: Int32(SF_CHANNEL_MAP_LFE), count: 3)) == nil)
    #expect(Downmix(channels: 12, isOgg: false).gains[..<3] == [SIMD2(1, 0), SIMD2(0, 1), SIMD2(0, 0)])
  }

  @Test func effectsAndTracksOfManyChannelsAreMixedAlike() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 6, frames: 4_800) { frame, channel in
      channel == 3 ? 0.9 : busySignal(frame, channel) / 4
    }
    var decoder = try Decoder.open(path: path)
    let expected = try decoder.readAll()
    let sound = try LoadedSound(path: path, rate: 48_000)
    let track = try StreamedTrack(path: path, rate: 48_000)
    withExtendedLifetime(sound) {
      #expect((0..<9_600).map { sound.source(loop: false).samples[$0] } == expected)
      #expect((0..<9_600).map { track.head.samples[$0] } == expected)
    }
  }

  @Test func samplesOfManyChannelsThatAreNoNumbersAreSilence() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 3, frames: 2) { frame, channel in
      [[0.5, 0.25, .nan], [3e38, .infinity, 0.5]][frame][channel]
    }
    var decoder = try Decoder.open(path: path)
    #expect(try decoder.readAll() == [0.5, 0.25, 0.5 * Downmix.half, 0.5 * Downmix.half])
  }
}
