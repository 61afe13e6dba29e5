// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Reads back what the daemon recorded: 32-bit float or 16-bit PCM, found by its chunks.
struct WaveFile {
  let channels: Int
  let samples: [Float]

  init(_ path: String) throws {
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
        data = offset + 8..<min(bytes.count, offset + 8 + size)
      }
      offset += 8 + size + size % 2
    }
    channels = format.channels
    if format.bits == 32 {
      // Little end first, as every machine has it that Swift runs on here.
      samples = bytes[data].withUnsafeBytes { raw in
        [Float](unsafeUninitializedCapacity: raw.count / 4) { buffer, count in
          count = raw.count / 4
          UnsafeMutableRawBufferPointer(buffer).copyBytes(from: raw[..<(count * 4)])
        }
      }
    } else {
      samples = bytes[data].withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32_768 } }
    }
  }

  func channel(_ index: Int) -> [Float] { stride(from: index, to: samples.count, by: channels).map { samples[$0] } }
}

func cosine(_ angle: Double) -> Double { cos(angle) }

func removeDirectory(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
