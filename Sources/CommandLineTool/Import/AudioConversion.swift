// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Glibc
import Problems
import SoundFiles

/// What imported sound becomes.
enum AudioTarget: String, CaseIterable {
  /// Nothing is lost; large.
  case flac
  /// Small, always of 48 kHz.
  case opus

  /// The rate of what is made of sound of that rate.
  func rate(of rate: Int) -> Int { self == .opus ? 48_000 : rate }
}

/// A sound as it is in the pack.
struct ConvertedAudio: Equatable {
  var rate: Int
  var frames: Int64
  /// What makes up for its having been written softer, linear; nil where it was not.
  var gain: Double?
  var notes: [String] = []

  var seconds: Double { Double(frames) / Double(rate) }
}

extension ForeignAudio {
  /// Writes the sound to the file `output`, without its padding and with `loop`, if it has one, in tags.
  func convert(
    to target: AudioTarget, _ output: String, loop: Range<Int64>?, interrupt: Int32
  ) throws(ToolFailure) -> ConvertedAudio {
    // Opus keeps what is above full scale, FLAC cannot.
    let above = target == .flac && isFloat ? try peak(interrupt: interrupt) : 1
    let words = words(to: target, output, loop: loop, softerBy: above)
    let result = try Self.run("ffmpeg", words, interrupt: interrupt, seconds: 3_600)
    guard result.code == 0 else {
      throw ToolFailure(
        .badFile, file: path, "\(path) cannot be converted: \(Self.firstLine(result.complaints, of: path))",
        hint: "`ffmpeg -i \(quotedForShell(path)) x.\(target.rawValue)` says more")
    }
    var converted = try Self.measure(output)
    if case .endsAfter(let frames) = padding, frames * Int64(converted.rate) / Int64(rate) > converted.frames + 1 {
      throw ToolFailure(
        .badFile, file: path, "\(path) breaks off: it has \(converted.frames) of \(frames) frames",
        hint: "export or copy it again")
    }
    if above > 1 {
      let gain = decimalText(above)
      converted.gain = above
      converted.notes.append(
        "it peaks \(fixed(20 * log10(above), 1)) dB above full scale, which FLAC cannot hold: it is written that much "
          + "softer, and \"gain\": \(gain) in pack.json has it as loud as it was")
    }
    if case .untold(let reason) = padding {
      converted.notes.append(
        "\(reason): what is heard may begin 5 to 50 ms off, and a loop has a seam; export it as WAV")
    }
    if !result.complaints.isEmpty {
      converted.notes.append("ffmpeg says of it: " + Self.firstLine(result.complaints, of: path))
    }
    return converted
  }

  /// The highest sample, to four decimals, where it is above full scale; else 1. What a pack's gain cannot make up for is not
  /// counted.
  private func peak(interrupt: Int32) throws(ToolFailure) -> Double {
    let words = [
      "-nostdin", "-v", "info", "-hide_banner", "-nostats", "-protocol_whitelist", "file", "-i", "file:" + path, "-map",
      "0:a:0", "-af", "astats=measure_perchannel=none:measure_overall=Peak_level", "-f", "null", "-",
    ]
    let result = try Self.run("ffmpeg", words, interrupt: interrupt, seconds: 3_600)
    guard let said = result.complaints.split(separator: "Peak level dB: ").dropFirst().last,
      let level = Double(said.prefix { !$0.isWhitespace }), level.isFinite, level > 0
    else { return 1 }
    // Rounded up, so that the highest sample is just below full scale.
    return min(8, ((pow(10, level / 20) * 10_000).rounded(.up) + 1) / 10_000)
  }

  private func words(
    to target: AudioTarget, _ output: String, loop: Range<Int64>?, softerBy above: Double
  ) -> [String] {
    var words = [
      "-nostdin", "-v", "error", "-protocol_whitelist", "file", "-i", "file:" + path, "-map", "0:a:0",
      // Apple's note on the padding is not true of what has none, and a loop is told by its length below.
      "-metadata", "iTunSMPB=", "-metadata", "LOOPEND=",
    ]
    var filters: [String] = []
    if case .endsAfter(let frames) = padding { filters.append("atrim=end_sample=\(frames)") }
    if above > 1 { filters.append("volume=\(1 / above):precision=double") }
    if !filters.isEmpty { words += ["-af", filters.joined(separator: ",")] }
    switch target {
    case .flac:
      words += ["-c:a", "flac", "-compression_level", "8", "-sample_fmt", bits > 16 ? "s32" : "s16"]
      if bits > 16 { words += ["-bits_per_raw_sample", "\(bits)"] }
    case .opus:
      words += ["-c:a", "libopus", "-ar", "48000", "-b:a", "\(max(96, 80 * channels))k"]
    }
    if let loop {
      func frame(_ frame: Int64) -> Int64 {
        Int64((Double(frame) * Double(target.rate(of: rate)) / Double(rate)).rounded())
      }
      let start = frame(loop.lowerBound)
      for level in ["-metadata", "-metadata:s:a:0"] {
        words += [level, "LOOPSTART=\(start)", level, "LOOPLENGTH=\(frame(loop.upperBound) - start)"]
      }
    }
    return words + ["-f", target == .flac ? "flac" : "opus", "-y", "file:" + output]
  }

  /// How long a file is that the daemon reads.
  static func measure(_ path: String) throws(ToolFailure) -> ConvertedAudio {
    do throws(Problem) {
      let decoder = try Decoder.open(path: path)
      return ConvertedAudio(rate: decoder.rate, frames: decoder.frames)
    } catch {
      throw ToolFailure(error)
    }
  }

  /// The loop that a file carries which libsndfile reads.
  static func loop(of path: String) -> Range<Int64>? {
    guard let decoder = try? Decoder.open(path: path) else { return nil }
    return decoder.fileLoop
  }
}
