// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// From the engine's interleaved stereo floats to a device's format and channels.
///
/// Integers are rounded to the nearest step, halves away from zero, and clipped at full scale; NaN is silence. There is
/// no dither: what is captured digitally is then the same for every run, and silence stays silent. One channel gets the
/// mean of both; of more than two the first two get the pair and the others silence.
public struct OutputBridge: Equatable, Sendable, BitwiseCopyable {
  /// The device's sample format.
  public let format: SampleFormat
  /// The device's channels, at least 1.
  public let channels: Int

  /// A bridge to a device of that format and that many channels (at least 1).
  @_noLocks public init(format: SampleFormat, channels: Int) {
    self.format = format
    self.channels = max(1, channels)
  }

  /// Bytes of one frame as the device takes it.
  public var frameByteCount: Int { @_noLocks get { format.byteCount * channels } }

  /// Converts `frames` stereo frames. `destination` has room for `frames * frameByteCount` bytes.
  @_noLocks public func convert(
    _ source: UnsafePointer<Float>, frames: Int, to destination: UnsafeMutableRawPointer
  ) {
    if channels == 2 {
      convert(samples: source, count: 2 * frames, stride: 1, to: destination, step: format.byteCount)
    } else if channels == 1 {
      mix(source, frames: frames, to: destination)
    } else {
      rt_zero(destination, frames * frameByteCount)
      convert(samples: source, count: frames, stride: 2, to: destination, step: frameByteCount)
      convert(
        samples: source + 1, count: frames, stride: 2, to: destination + format.byteCount, step: frameByteCount)
    }
  }

  @_noLocks private func mix(
    _ source: UnsafePointer<Float>, frames: Int, to destination: UnsafeMutableRawPointer
  ) {
    var index = 0
    while index < frames {
      var mean = (source[2 * index] + source[2 * index + 1]) * 0.5
      convert(samples: &mean, count: 1, stride: 1, to: destination + index * format.byteCount, step: 0)
      index += 1
    }
  }

  /// `step` is the distance in bytes from one converted sample to the next.
  @_noLocks private func convert(
    samples: UnsafePointer<Float>, count: Int, stride: Int, to destination: UnsafeMutableRawPointer, step: Int
  ) {
    var index = 0
    switch format {
    case .float32:
      while index < count {
        let sample = samples[index * stride]
        destination.storeBytes(of: sample == sample ? sample : 0, toByteOffset: index * step, as: Float.self)
        index += 1
      }
    case .signed32:
      while index < count {
        let value = quantise(samples[index * stride], scale: 0x1p31)
        destination.storeBytes(of: value, toByteOffset: index * step, as: Int32.self)
        index += 1
      }
    case .signed24:
      while index < count {
        let value = quantise(samples[index * stride], scale: 0x1p23)
        destination.storeBytes(of: value, toByteOffset: index * step, as: Int32.self)
        index += 1
      }
    case .packed24:
      while index < count {
        let value = quantise(samples[index * stride], scale: 0x1p23)
        destination.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: index * step, as: UInt16.self)
        destination.storeBytes(
          of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: index * step + 2, as: UInt8.self)
        index += 1
      }
    case .signed16:
      while index < count {
        let value = quantise(samples[index * stride], scale: 0x1p15)
        destination.storeBytes(of: Int16(truncatingIfNeeded: value), toByteOffset: index * step, as: Int16.self)
        index += 1
      }
    }
  }
}

/// `sample` in steps of 1/`scale`, nearest, halves away from zero, within -`scale`...`scale` - 1.
@_noLocks func quantise(_ sample: Float, scale: Double) -> Int32 {
  let scaled = Double(sample) * scale
  if scaled >= scale - 1 { return Int32(scale - 1) }
  if scaled <= -scale { return Int32(-scale) }
  if scaled != scaled { return 0 }
  return Int32(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
}
