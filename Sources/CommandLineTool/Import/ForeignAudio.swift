// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials

/// The sound of a file that ffmpeg reads, by what ffprobe tells of it.
struct ForeignAudio: Equatable {
  let path: String
  let codec: String
  let rate: Int
  let channels: Int
  /// Bits of a sample that hold something.
  let bits: Int
  /// Whether what is decoded is what was recorded.
  let isLossless: Bool
  /// Whether it may go above full scale, as what is decoded of lossy formats does.
  let isFloat: Bool
  /// What is known of the encoder's padding.
  let padding: Padding

  /// What surrounds the sound of most lossy formats, and has to go.
  enum Padding: Equatable {
    /// There is none, or ffmpeg leaves it out by itself.
    case stripped
    /// Behind so many frames the rest is padding.
    case endsAfter(Int64)
    /// The file does not tell; why, for people.
    case untold(String)
  }

  /// Asks ffprobe, and looks into what it does not tell.
  static func probe(_ path: String, interrupt: Int32) throws(ToolFailure) -> ForeignAudio {
    let file = try? RegularFile.open(path)
    if file?.size == 0 {
      throw ToolFailure(.badFile, file: path, "\(path) is empty (0 bytes)", hint: "export or copy it again")
    }
    let result = try run(
      "ffprobe",
      [
        "-v", "error", "-protocol_whitelist", "file", "-select_streams", "a:0", "-show_entries",
        "stream=codec_name,sample_rate,sample_fmt,channels,bits_per_raw_sample,start_pts:format=format_name:format_tags",
        "-of", "json", "file:" + path,
      ], interrupt: interrupt)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard result.code == 0, let report = try? decoder.decode(Report.self, from: Data(result.output)) else {
      throw ToolFailure(
        .badFile, file: path, "\(path) cannot be read by ffmpeg: \(firstLine(result.complaints, of: path))",
        hint: "export it again, as WAV say")
    }
    guard let stream = report.streams.first, let rate = stream.sampleRate.flatMap({ Int($0) }), rate > 0,
      let channels = stream.channels, channels > 0, let codec = stream.codecName
    else {
      throw ToolFailure(.badFile, file: path, "\(path) has no sound in it", hint: "name a sound file")
    }
    let length = file.flatMap { file in MPEG4Length(size: file.size) { file.bytes($1, from: $0) } }
    return ForeignAudio(path: path, codec: codec, rate: rate, channels: channels, stream, report.format, length)
  }

  private init(
    path: String, codec: String, rate: Int, channels: Int, _ stream: Report.Stream, _ format: Report.Format?,
    _ length: MPEG4Length?
  ) {
    (self.path, self.codec, self.rate, self.channels) = (path, codec, rate, channels)
    isLossless = Self.isLossless(codec)
    isFloat = ["flt", "fltp", "dbl", "dblp"].contains(stream.sampleFmt ?? "")
    let whole = stream.bitsPerRawSample.flatMap { Int($0) } ?? 0
    let format16 = ["u8", "u8p", "s16", "s16p"].contains(stream.sampleFmt ?? "")
    bits = !isLossless || format16 ? 16 : whole > 0 ? min(whole, 24) : 24
    let gapless = format?.tags?.first { $0.key.lowercased() == "itunsmpb" }?.value
    padding = Self.padding(
      codec: codec, format: format?.formatName ?? "", startsLater: (stream.startPts ?? 0) > 0,
      length: length, frames: length?.frames(rate: rate, gapless: gapless))
  }

  /// What of a format's padding is known, as measured with ffmpeg 5.1.
  static func padding(
    codec: String, format: String, startsLater: Bool, length: MPEG4Length?, frames: Int64?
  ) -> Padding {
    let containers = format.split(separator: ",")
    if isLossless(codec) { return .stripped }
    if containers.contains("mp4") {
      if let frames { return .endsAfter(frames) }
      return .untold("neither an edit list nor iTunSMPB says where its sound begins")
    }
    switch codec {
    case "vorbis" where containers.contains("ogg"), "opus" where containers.contains("ogg"): return .stripped
    case "vorbis" where containers.contains("matroska"), "opus" where containers.contains("matroska"): return .stripped
    // The tag of LAME has the stream begin behind the padding.
    case "mp3" where startsLater: return .stripped
    case "mp3": return .untold("no tag of LAME says where its sound begins")
    case "aac" where containers.contains("aac"): return .untold("a bare AAC stream cannot say where its sound begins")
    default: return .untold("\(codec) in \(containers.first ?? "this format") does not say where its sound begins")
    }
  }

  private static func isLossless(_ codec: String) -> Bool {
    codec.hasPrefix("pcm_") || codec.hasPrefix("adpcm_")
      || ["flac", "alac", "wavpack", "ape", "tta", "tak", "shorten", "mp4als", "truehd", "mlp"].contains(codec)
  }

  /// ffprobe's report, by its own names.
  private struct Report: Decodable {
    var streams: [Stream]
    var format: Format?

    struct Stream: Decodable {
      var codecName: String?
      var sampleRate: String?
      var sampleFmt: String?
      var channels: Int?
      var bitsPerRawSample: String?
      var startPts: Int64?
    }

    struct Format: Decodable {
      var formatName: String?
      var tags: [String: String]?
    }
  }

  /// Runs a program of ffmpeg's; says what to do where there is none.
  static func run(
    _ program: String, _ words: [String], interrupt: Int32, seconds: Int64 = 60
  ) throws(ToolFailure) -> ChildResult {
    do throws(ChildFailure) {
      return try runChild([program] + words, seconds: seconds, interrupt: interrupt)
    } catch {
      throw error.failure(of: program, package: "ffmpeg")
    }
  }

  /// The first thing that was complained of, without the file's own name.
  static func firstLine(_ complaints: String, of path: String) -> String {
    let line = complaints.split(separator: "\n").first.map(String.init) ?? "it does not say why"
    // Who of ffmpeg says it, and where that lies in memory, is of no use.
    let isMarked = line.hasPrefix("[") && line.contains(" @ 0x")
    let said = isMarked ? line.split(separator: "]", maxSplits: 1).last.map { String($0.dropFirst()) } ?? line : line
    return said.replacing("file:\(path): ", with: "")
  }
}

extension ChildFailure {
  /// The same for people, of a program that a package brings.
  func failure(of program: String, package: String) -> ToolFailure {
    switch self {
    case .notInstalled: ToolFailure("\(program) is not installed", hint: "install it: apt install \(package)")
    case .notStarted(let code): ToolFailure("cannot start \(program): error \(code)")
    case .tooLong: ToolFailure("\(program) took too long and was ended", hint: "try it with a part of the file")
    case .interrupted: ToolFailure("interrupted: nothing was changed", exit: .interrupted)
    }
  }
}
