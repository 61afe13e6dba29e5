// SPDX-License-Identifier: Apache-2.0

import CTagLib
import Files

/// The loop that the tags LOOPSTART, LOOPLENGTH and LOOPEND of a FLAC, Ogg Vorbis or Opus file tell.
enum LoopTags {
  /// A kind of file that has such tags.
  enum Kind {
    case flac
    case vorbis
    /// Its tags count frames of 48 kHz, whatever rate it is decoded to.
    case opus
  }

  /// The frames that repeat, at `rate`; nil where there is no loop, or it does not lie inside `frames`.
  static func loop(in file: RegularFile, kind: Kind, rate: Int, frames: Int64) -> Range<Int64>? {
    let format =
      switch kind {
      case .flac: tag_file_flac
      case .vorbis: tag_file_vorbis
      case .opus: tag_file_opus
      }
    guard let descriptor = try? file.openAgain() else { return nil }
    var tags = tag_file_read_loop(descriptor, format)
    let range = range(
      start: number(&tags.start), length: number(&tags.length), end: number(&tags.end),
      frames: kind == .opus ? FrameRatio(source: rate, engine: 48_000).engineFrames(frames) : frames)
    guard let range, kind == .opus, rate != 48_000 else { return range }
    let ratio = FrameRatio(source: 48_000, engine: rate)
    return ratio.engineFrames(range.lowerBound)..<min(ratio.engineFrames(range.upperBound), frames)
  }

  /// From the start on for so long, else to the end told, else to the file's; nil where that is no part of the file.
  static func range(start: Int64?, length: Int64?, end: Int64?, frames: Int64) -> Range<Int64>? {
    guard let start, start < frames else { return nil }
    guard let last = length.map({ start + $0 }) ?? end ?? .some(frames), start < last, last <= frames else {
      return nil
    }
    return start..<last
  }

  /// A whole number of at most 18 digits; nil for anything else.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func number<Tuple>(_ tuple: inout Tuple) -> Int64? {
    withUnsafeBytes(of: &tuple) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return number(text)
    }
  }
}
