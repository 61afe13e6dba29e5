// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments

/// An MPEG-4 file whose boxes are changed as other encoders have them (ISO/IEC 14496-12).
struct MPEG4Boxes {
  private var bytes: [UInt8]

  init(_ path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(filePath: path))) }

  func write(_ path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

  /// Has the one entry of the edit list begin elsewhere, and last as long, in the file's own units.
  mutating func setEdit(length: UInt32, start: UInt32) throws {
    guard let at = bytes.firstRange(of: Array("elst".utf8)) else { throw ProcessFailure("no edit list") }
    put(length, at: at.upperBound + 8)
    put(start, at: at.upperBound + 12)
  }

  /// Adds what iTunes writes of the padding. The box of the movie must be the last.
  mutating func addGaplessNote(priming: Int, padding: Int, frames: Int) throws {
    guard let movie = bytes.firstRange(of: Array("moov".utf8)) else { throw ProcessFailure("no movie") }
    let start = movie.lowerBound - 4
    func hex(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let note =
      " 00000000 \(hex(priming, 8)) \(hex(padding, 8)) \(hex(frames, 16))" + String(repeating: " 00000000", count: 8)
    let zeros = [UInt8](repeating: 0, count: 4)
    let entry = box(
      "----",
      box("mean", zeros + Array("com.apple.iTunes".utf8)) + box("name", zeros + Array("iTunSMPB".utf8))
        + box("data", [0, 0, 0, 1] + zeros + Array(note.utf8)))
    let handler = box("hdlr", zeros + zeros + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
    let more = box("udta", box("meta", zeros + handler + box("ilst", entry)))
    put(UInt32(bytes.count - start + more.count), at: start)
    bytes += more
  }

  private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    let size = UInt32(body.count + 8)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(kind.utf8) + body
  }

  private mutating func put(_ number: UInt32, at offset: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
  }
}
