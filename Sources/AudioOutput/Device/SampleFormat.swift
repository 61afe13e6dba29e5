// SPDX-License-Identifier: Apache-2.0

/// How a device takes its samples; all little-endian.
public enum SampleFormat: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// 32-bit float, full scale 1.
  case float32
  /// 32-bit integer.
  case signed32
  /// 24-bit integer in the low three bytes of four (S24_LE).
  case signed24
  /// 24-bit integer in three bytes (S24_3LE).
  case packed24
  /// 16-bit integer.
  case signed16

  /// Bytes of one sample of one channel.
  public var byteCount: Int {
    @_noLocks get {
      switch self {
      case .float32, .signed32, .signed24: 4
      case .packed24: 3
      case .signed16: 2
      }
    }
  }

  /// ALSA's name of the format.
  public var name: String {
    switch self {
    case .float32: "FLOAT_LE"
    case .signed32: "S32_LE"
    case .signed24: "S24_LE"
    case .packed24: "S24_3LE"
    case .signed16: "S16_LE"
    }
  }
}
