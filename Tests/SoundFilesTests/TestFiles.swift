// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import Glibc

/// A directory that goes when the test is over.
final class TestDirectory {
  let path: String

  init() {
    var template = Array("/tmp/soundfiles-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template)!)
  }

  deinit {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { unlink(path + "/" + name) }
    }
    closedir(directory)
    rmdir(path)
  }

  /// The path of a file in the directory.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes bytes as they are and gives the path.
  func bytes(_ name: String, _ bytes: [UInt8]) -> String {
    let file = fopen(self(name), "wb")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return self(name)
  }

  /// Cuts a file in half as a bad disk does: nobody wrote to it.
  func loseEnd(_ name: String) {
    var before = stat()
    stat(self(name), &before)
    truncate(self(name), before.st_size / 2)
    var times = [before.st_atim, before.st_mtim]
    utimensat(AT_FDCWD, self(name), &times, 0)
  }

  func contents(_ name: String) -> [UInt8] {
    let file = fopen(self(name), "rb")!
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    fread(&bytes, 1, bytes.count, file)
    return bytes
  }
}

/// What libsndfile writes.
enum Format: String, CaseIterable, Sendable {
  case wav, wav8, wav16, wav24, flac, ogg, opus, mp3

  var code: Int {
    switch self {
    case .wav: SF_FORMAT_WAV | SF_FORMAT_FLOAT
    case .wav8: SF_FORMAT_WAV | SF_FORMAT_PCM_U8
    case .wav16: SF_FORMAT_WAV | SF_FORMAT_PCM_16
    case .wav24: SF_FORMAT_WAV | SF_FORMAT_PCM_24
    case .flac: SF_FORMAT_FLAC | SF_FORMAT_PCM_16
    case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
    case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
    case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
    }
  }
}

extension TestDirectory {
  /// Writes `frames` frames of `signal(frame, channel)` and gives the path.
  func sound(
    _ format: Format, rate: Int, channels: Int, frames: Int, named suffix: String = "", signal: (Int, Int) -> Float
  ) -> String {
    let path = self("\(format)-\(rate)-\(channels)-\(frames)\(suffix)")
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channels)
    info.format = Int32(format.code)
    let file = sf_open(path, Int32(SFM_WRITE), &info)!
    var samples = [Float](repeating: 0, count: frames * channels)
    for frame in 0..<frames {
      for channel in 0..<channels { samples[frame * channels + channel] = signal(frame, channel) }
    }
    sf_writef_float(file, samples, sf_count_t(frames))
    sf_close(file)
    return path
  }
}

/// What libsndfile decodes from the beginning to the end: all channels, interleaved.
func sequentialDecode(_ path: String) -> [Float] {
  var info = SF_INFO()
  let file = sf_open(path, Int32(SFM_READ), &info)!
  defer { sf_close(file) }
  var samples = [Float](repeating: 0, count: Int(info.frames + 8_192) * Int(info.channels))
  var done = 0
  samples.withUnsafeMutableBufferPointer { buffer in
    while done < Int(info.frames + 4_096) {
      let got = sf_readf_float(file, buffer.baseAddress! + done * Int(info.channels), 4_096)
      if got <= 0 { break }
      done += Int(got)
    }
  }
  return Array(samples.prefix(done * Int(info.channels)))
}

/// A sine of that frequency and amplitude, at a frame.
func sine(_ frequency: Double, _ amplitude: Double, at frame: Int, rate: Int) -> Float {
  Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
}

/// Two unlike tones under a rumble of noise, so that every frame is like no other.
func busySignal(_ frame: Int, _ channel: Int) -> Float {
  let noise = Float((frame * 7_919 + channel * 104_729) % 1_009) / 1_009 - 0.5
  return 0.2 * sin(Float(frame) * 0.031) + 0.2 * sin(Float(frame) * Float(frame) * 1e-6) * (channel == 0 ? 1 : -0.5)
    + 0.1 * noise
}

/// A rising tone and a faint steady one.
func sweep(_ frame: Int, _ channel: Int) -> Float {
  let x = Float(frame) / 44_100
  return 0.4 * sin(2 * .pi * (200 * x + 150 * x * x)) + 0.1 * sin(Float(frame) * 0.3)
}

/// The greatest difference between two runs of samples; infinite when their lengths differ.
func greatestDifference(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Float {
  a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
}
