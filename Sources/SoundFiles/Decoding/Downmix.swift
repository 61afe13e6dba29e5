// SPDX-License-Identifier: Apache-2.0

import CSoundFile

/// How loud each channel of a file is heard left and right: ITU-R BS.775, table 2, without normalising.
///
/// Centre and surrounds are heard at 1/√2, a centre on both sides; low frequency effects are not heard. What comes from
/// behind or above in the middle is shared between the surrounds, 1/√2 each, and so heard at a half on both sides.
struct Downmix: Hashable {
  /// One pair a channel.
  let gains: [SIMD2<Float>]

  /// The usual order of a file of `channels` channels: the Vorbis specification's where `isOgg`, else that of WAV and FLAC.
  /// Of more than eight the first two are heard.
  init(channels: Int, isOgg: Bool) {
    gains =
      (isOgg ? Self.vorbisOrder : Self.waveOrder)[channels]
      ?? (0..<channels).map { $0 == 0 ? Self.left : $0 == 1 ? Self.right : Self.silent }
  }

  /// The order that a file tells, as libsndfile gives it; nil where one of its places is unknown or none is heard.
  init?(map: [Int32]) {
    var gains: [SIMD2<Float>] = []
    for place in map {
      guard let gain = Self.gain(ofPlace: Int(place)) else { return nil }
      gains.append(gain)
    }
    guard gains.contains(where: { $0 != Self.silent }) else { return nil }
    self.gains = gains
  }

  /// Mixes `frames` interleaved frames to stereo. What is no sound in `input` must be silent.
  func mix(_ input: UnsafePointer<Float>, frames: Int, into output: UnsafeMutablePointer<Float>) {
    let channels = gains.count
    for frame in 0..<frames {
      var sum = SIMD2<Float>(0, 0)
      for channel in 0..<channels { sum += gains[channel] * input[frame * channels + channel] }
      output[2 * frame] = sum.x
      output[2 * frame + 1] = sum.y
    }
  }

  /// 1/√2, which BS.775 writes 0.7071.
  static let half = Float(0.5).squareRoot()

  private static let left = SIMD2<Float>(1, 0)
  private static let right = SIMD2<Float>(0, 1)
  private static let centre = SIMD2<Float>(half, half)
  private static let behindLeft = SIMD2<Float>(half, 0)
  private static let behindRight = SIMD2<Float>(0, half)
  private static let behind = SIMD2<Float>(0.5, 0.5)
  private static let silent = SIMD2<Float>(0, 0)

  private static let vorbisOrder: [Int: [SIMD2<Float>]] = [
    3: [left, centre, right],
    4: [left, right, behindLeft, behindRight],
    5: [left, centre, right, behindLeft, behindRight],
    6: [left, centre, right, behindLeft, behindRight, silent],
    7: [left, centre, right, behindLeft, behindRight, behind, silent],
    8: [left, centre, right, behindLeft, behindRight, behindLeft, behindRight, silent],
  ]

  private static let waveOrder: [Int: [SIMD2<Float>]] = [
    3: [left, right, centre],
    4: [left, right, behindLeft, behindRight],
    5: [left, right, centre, behindLeft, behindRight],
    6: [left, right, centre, silent, behindLeft, behindRight],
    7: [left, right, centre, silent, behind, behindLeft, behindRight],
    8: [left, right, centre, silent, behindLeft, behindRight, behindLeft, behindRight],
  ]

  private static func gain(ofPlace place: Int) -> SIMD2<Float>? {
    switch place {
    case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: left
    case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: right
    case SF_CHANNEL_MAP_MONO, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER, SF_CHANNEL_MAP_TOP_FRONT_CENTER:
      centre
    case SF_CHANNEL_MAP_LFE: silent
    case SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_TOP_FRONT_LEFT,
      SF_CHANNEL_MAP_TOP_REAR_LEFT:
      behindLeft
    case SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_TOP_FRONT_RIGHT,
      SF_CHANNEL_MAP_TOP_REAR_RIGHT:
      behindRight
    case SF_CHANNEL_MAP_REAR_CENTER, SF_CHANNEL_MAP_TOP_CENTER, SF_CHANNEL_MAP_TOP_REAR_CENTER: behind
    default: nil
    }
  }
}
