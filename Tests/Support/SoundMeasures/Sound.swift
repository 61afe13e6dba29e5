// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Sound of a file that a pack plays: stereo at 48 kHz.
public struct Sound: Sendable, CustomStringConvertible {
  /// Samples of the left channel, -1 to 1.
  public let left: [Float]
  /// Samples of the right channel, -1 to 1.
  public let right: [Float]

  /// How long it is.
  public var frames: Int { left.count }
  /// How long it is, in seconds.
  public var seconds: Double { Double(frames) / 48_000 }

  /// Not its samples, of which there are millions.
  public var description: String { "\(seconds) s of sound" }

  /// A sound of these samples, both channels of one length.
  public init(left: [Float], right: [Float]) {
    self.left = left
    self.right = right
  }

  /// Reads a WAV file of 16 bits.
  public init(wave path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // The one layout that there is here: a format of 16 bytes, then the samples.
    guard bytes.count >= 44, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[36..<40].elementsEqual("data".utf8),
      number(20, 2) == 1, number(22, 2) == 2, number(24, 4) == 48_000, number(34, 2) == 16,
      number(40, 4) == bytes.count - 44
    else { throw UnreadableSound(path: path) }
    let values = bytes.withUnsafeBytes { bytes in
      (0..<(bytes.count - 44) / 2).map {
        Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 44 + 2 * $0, as: Int16.self))) / 32_768
      }
    }
    left = stride(from: 0, to: values.count - 1, by: 2).map { values[$0] }
    right = stride(from: 1, to: values.count, by: 2).map { values[$0] }
  }

  /// What both sides have in common.
  public var middle: [Float] { zip(left, right).map { ($0 + $1) / 2 } }

  /// The largest size of a sample.
  public var peak: Float { zip(left, right).reduce(0) { max($0, abs($1.0), abs($1.1)) } }

  /// Whether two samples in a row are as large as a file can hold them.
  public var isClipped: Bool {
    [left, right].contains { channel in
      zip(channel, channel.dropFirst()).contains { abs($0) > 0.9999 && abs($1) > 0.9999 }
    }
  }

  /// The direct current of each channel.
  public var means: [Double] {
    [left, right].map { $0.reduce(0) { $0 + Double($1) } / Double($0.count) }
  }

  /// A part of it.
  public subscript(range: Range<Int>) -> Sound { Sound(left: Array(left[range]), right: Array(right[range])) }

  /// What is heard as a loop comes round: `frames` of its end, and as many of its beginning.
  public func acrossSeam(_ frames: Int) -> Sound {
    Sound(left: left.suffix(frames) + left.prefix(frames), right: right.suffix(frames) + right.prefix(frames))
  }

  /// Root mean square of a part, in dB of full scale.
  public func level(_ range: Range<Int>) -> Double {
    var sum = 0.0
    for frame in range {
      sum += Double(left[frame]) * Double(left[frame]) + Double(right[frame]) * Double(right[frame])
    }
    return decibels(sum / Double(max(1, 2 * range.count)))
  }

  /// Levels of `frames` each, one after the other.
  public func levels(every frames: Int) -> [Double] {
    stride(from: 0, to: self.frames - frames + 1, by: frames).map { level($0..<$0 + frames) }
  }
}

/// A file that is no 16-bit stereo WAV at 48 kHz.
public struct UnreadableSound: Error {
  /// Where it is.
  public let path: String
}

/// Decibels of an energy: -200 for none.
public func decibels(_ energy: Double) -> Double { energy > 1e-20 ? 10 * log10(energy) : -200 }
