// SPDX-License-Identifier: Apache-2.0

import CALSA

/// How a card is told to take its samples.
struct SampleLayout: Equatable {
  enum Format: String { case float, s16, packed24, s32 }

  var format = Format.float
  var channels = 2
  /// Frames a second.
  var rate = RigPack.rate

  var sampleBytes: Int {
    switch format {
    case .float, .s32: 4
    case .packed24: 3
    case .s16: 2
    }
  }

  var frameBytes: Int { sampleBytes * channels }

  /// Bits of an integer sample; nil for floats.
  var bits: Int? {
    switch format {
    case .float: nil
    case .s32: 32
    case .packed24: 24
    case .s16: 16
    }
  }

  var alsa: snd_pcm_format_t {
    switch format {
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .s16: SND_PCM_FORMAT_S16_LE
    }
  }

  /// For reports: `s16x2x48000`.
  var name: String { "\(format.rawValue)x\(channels)x\(rate)" }

  init(_ format: Format = .float, channels: Int = 2, rate: Int = RigPack.rate) {
    self.format = format
    self.channels = channels
    self.rate = rate
  }
}
