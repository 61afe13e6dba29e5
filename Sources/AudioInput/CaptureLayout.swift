// SPDX-License-Identifier: Apache-2.0

import CALSA

/// How a PCM gives its frames: interleaved, little-endian.
struct CaptureLayout: Sendable {
  /// The formats that are read, the best first.
  enum Format: CaseIterable, Sendable {
    case float32
    case signed32
    case signed16

    var alsa: snd_pcm_format_t {
      switch self {
      case .float32: SND_PCM_FORMAT_FLOAT_LE
      case .signed32: SND_PCM_FORMAT_S32_LE
      case .signed16: SND_PCM_FORMAT_S16_LE
      }
    }

    var byteCount: Int { self == .signed16 ? 2 : 4 }
  }

  var format: Format
  var channels: Int

  /// Numbers of channels in the order in which they are asked for.
  static let channelCounts = [2, 1, 4, 6, 8]

  var frameByteCount: Int { channels * format.byteCount }

  /// Adds what `frames` frames that begin at `bytes` have on the channels `kept`.
  func append(_ bytes: UnsafeRawBufferPointer, frames: Int, keeping kept: [Int], to samples: inout [[Float]]) {
    for (place, channel) in kept.enumerated() {
      for frame in 0..<frames {
        samples[place].append(sample(bytes, at: frame * frameByteCount + channel * format.byteCount))
      }
    }
  }

  private func sample(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
    switch format {
    case .float32: Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    case .signed32: Float(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))) / 0x1p31
    case .signed16: Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 0x1p15
    }
  }
}
