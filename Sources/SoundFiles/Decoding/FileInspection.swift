// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import Files
import Glibc
import Problems

/// Looks at a file before and after libsndfile does, to say in plain words why it cannot be played.
enum FileInspection {
  /// Opens what is a readable, non-empty regular file, inside `folder` where one is given.
  static func open(_ path: String, inside folder: String?, named name: String?) throws(Problem) -> RegularFile {
    do throws(FileRefusal) {
      let file = try RegularFile.open(path, inside: folder, named: name)
      if file.size > 0 { return file }
    } catch {
      throw refusal(error)
    }
    throw Problem(
      .empty, file: name ?? path, "\(name ?? path) is empty (0 bytes)",
      remedy: "export or copy it again")
  }

  /// The refusal of a file as one of a sound.
  static func refusal(_ refusal: FileRefusal) -> Problem {
    var problem = refusal.problem
    switch refusal.reason {
    case .isFolder, .isNoRegularFile: problem.remedy = "name a sound file (\(formats))"
    case .system(EACCES), .system(EPERM): problem.remedy = "allow it: chmod a+r \(quoted(refusal.path))"
    default: break
    }
    return problem
  }

  /// Why libsndfile refused to open a file that is there, from its error and the file's first bytes.
  static func refusal(_ file: RegularFile, code: Int32, text: String) -> Problem {
    let path = file.path
    let beginning = file.bytes(4_096)
    if let format = foreignFormat(beginning) {
      return Problem(
        .unsupported, file: path,
        "\(path) is \(format), which is not read",
        remedy: "have `starlight pack import` convert it, which takes off what the encoder put around it, or: "
          + "ffmpeg -i \(quoted(path)) \(converted(path))")
    }
    switch Int(code) {
    case SF_ERR_MALFORMED_FILE:
      return Problem(
        .truncated, file: path,
        "\(path) is damaged or cut short (\(text))",
        remedy: "export or copy it again")
    case SF_ERR_UNSUPPORTED_ENCODING:
      return Problem(
        .unsupported, file: path,
        "\(path) has an encoding that is not read (\(text))",
        remedy: "convert it: ffmpeg -i \(quoted(path)) \(converted(path))")
    case SF_ERR_SYSTEM:
      return Problem(
        .unreadable, file: path,
        "\(path) cannot be read (\(text))",
        remedy: "check the file and its permissions")
    default:
      return Problem(
        .notAudio, file: path,
        "\(path) is not a sound file that can be read",
        remedy: "use \(formats)")
    }
  }

  /// Bytes of sound the header promises and bytes there are, where libsndfile saw a WAV, AIFF or the like cut short.
  static func missingData(inLog log: String) -> (promised: Int64, present: Int64)? {
    for line in log.split(separator: "\n") {
      let words = line.split(whereSeparator: { " :()".contains($0) })
      guard words.count == 5, words[0] == "data" || words[0] == "SSND", words[2] == "should", words[3] == "be",
        let promised = Int64(words[1]), let present = Int64(words[4])
      else { continue }
      // Writers to a pipe cannot know the length and put one of the greatest there are.
      return promised > present && promised < 0x7FFF_0000 ? (promised, present) : nil
    }
    return nil
  }

  /// Whether an MPEG file tells its length exactly, by a Xing, Info or VBRI frame behind any ID3v2 tag.
  static func hasMPEGLengthFrame(_ file: RegularFile) -> Bool {
    let start = file.bytes(10)
    var skipped = 0
    if start.count == 10, start.starts(with: [0x49, 0x44, 0x33]) {
      // Four bytes of seven bits each, the header itself not counted.
      skipped = 10 + start[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    let frame = file.bytes(512, from: skipped)
    return ["Xing", "Info", "VBRI"].contains { contains(Array($0.utf8), in: frame) }
  }

  /// The formats recommended to people.
  private static let formats = "WAV, FLAC, Ogg Vorbis, Opus or MP3"

  /// The name of a format that libsndfile does not read but people have.
  private static func foreignFormat(_ bytes: [UInt8]) -> String? {
    if bytes.count >= 8, contains(Array("ftyp".utf8), in: Array(bytes[4..<8])) { return "an MPEG-4 file (AAC or ALAC)" }
    if bytes.count >= 2, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { return "an AAC stream" }
    if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75]) { return "Windows Media" }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "Matroska or WebM" }
    if bytes.starts(with: Array("MAC ".utf8)) { return "Monkey's Audio" }
    if bytes.starts(with: Array("wvpk".utf8)) { return "WavPack" }
    if bytes.starts(with: Array("MThd".utf8)) { return "MIDI (notes, not sound)" }
    return nil
  }

  private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
    guard bytes.count >= needle.count else { return false }
    return (0...(bytes.count - needle.count)).contains { bytes[$0..<($0 + needle.count)].elementsEqual(needle) }
  }

  /// The file's name with `.flac` for its extension, fit for a shell.
  private static func converted(_ path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[slash...].lastIndex(of: ".") ?? path.endIndex
    return quoted(path[..<dot] + ".flac")
  }

  /// As it can be pasted into a shell.
  private static func quoted(_ path: some StringProtocol) -> String {
    let plain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    if plain { return String(path) }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
