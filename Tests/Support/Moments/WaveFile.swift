// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import WaveBytes

/// Reads back what the daemon recorded: 32-bit float or 16-bit PCM, found by its chunks.
package struct WaveFile {
  package let channels: Int
  package let samples: [Float]

  package init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    guard bytes.count > 44, Array(bytes[0..<4]) == Array("RIFF".utf8) else { throw ProcessFailure("\(path): no WAV") }
    var offset = 12
    var format = (tag: 0, channels: 0, bits: 0)
    var data = 0..<0
    while offset + 8 <= bytes.count {
      let size = number(offset + 4, 4)
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      if name == "fmt " {
        format = (number(offset + 8, 2), number(offset + 10, 2), number(offset + 22, 2))
      } else if name == "data" {
        // One that broke off does not say how much there is.
        data = offset + 8..<(size == 0 ? bytes.count : min(bytes.count, offset + 8 + size))
        if size == 0 { break }
      }
      offset += 8 + size + size % 2
    }
    let channels = format.channels
    self.channels = channels
    if format.bits == 32 {
      // Little end first, as every machine has it that Swift runs on here.
      samples = bytes[data].withUnsafeBytes { raw in
        [Float](unsafeUninitializedCapacity: raw.count / 4) { buffer, count in
          count = raw.count / (4 * channels) * channels
          UnsafeMutableRawBufferPointer(buffer).copyBytes(from: raw[..<(count * 4)])
        }
      }
    } else {
      samples = bytes[data].withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32_768 } }
    }
  }

  /// The samples of one channel.
  package func channel(_ index: Int) -> [Float] {
    stride(from: index, to: samples.count, by: channels).map { samples[$0] }
  }
}

package func cosine(_ angle: Double) -> Double { cos(angle) }

package func removeDirectory(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

extension WaveFile {
  /// A mono 16-bit file of `sample(frame)`.
  package static func write(_ path: String, seconds: Double, _ sample: (Int) -> Double) throws {
    let frames = Int(seconds * 48_000)
    let samples = [Int16](unsafeUninitializedCapacity: frames) { buffer, count in
      while count < frames {
        buffer[count] = Int16(sample(count) * 32_768)
        count += 1
      }
    }
    try Data(waveBytes(samples)).write(to: URL(filePath: path))
  }
}
