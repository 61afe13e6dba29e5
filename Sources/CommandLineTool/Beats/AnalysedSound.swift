// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Problems
import SoundFiles

/// A track as the daemon hears it, for programs that read WAV files: the same decoder, so that times are the same.
struct AnalysedSound {
  /// In the folder that it was made in.
  let path: String
  let rate: Int
  /// Microseconds.
  let length: Int64

  /// Writes the sound of a file, both sides mixed, into `folder`.
  init(of file: String, in folder: TemporaryFolder, interrupt: Int32) throws(ToolFailure) {
    let readable = try Self.readable(file, in: folder, interrupt: interrupt)
    path = folder.path + "/analysed.wav"
    do throws(Problem) {
      var decoder = try Decoder.open(path: readable, named: file)
      rate = decoder.rate
      length = Int64((Double(decoder.frames) * 1e6 / Double(rate)).rounded())
      var writer = try WaveWriter(path: path, named: path, rate: rate, channels: 1, encoding: .signed16)
      let room = 16_384
      let stereo = UnsafeMutableBufferPointer<Float>.allocate(capacity: room * 2)
      let mono = UnsafeMutableBufferPointer<Float>.allocate(capacity: room)
      defer {
        stereo.deallocate()
        mono.deallocate()
      }
      stereo.initialize(repeating: 0)
      mono.initialize(repeating: 0)
      guard let base = stereo.baseAddress else { return }
      while case let count = try decoder.read(into: base, frames: room), count > 0 {
        for frame in 0..<count { mono[frame] = (stereo[2 * frame] + stereo[2 * frame + 1]) / 2 }
        try writer.write(UnsafeBufferPointer(rebasing: mono[..<count]))
      }
      try writer.close()
    } catch {
      throw ToolFailure(error)
    }
  }

  /// The file itself where the daemon reads it, else what `pack import` would make of it.
  static func readable(_ file: String, in folder: TemporaryFolder, interrupt: Int32) throws(ToolFailure) -> String {
    switch ImportSources.kind(file) {
    case .foreign where ![".wav", ".mp3"].contains(where: { file.lowercased().hasSuffix($0) }):
      let output = folder.path + "/track.flac"
      let audio = try ForeignAudio.probe(file, interrupt: interrupt)
      _ = try audio.convert(to: .flac, output, loop: nil, interrupt: interrupt)
      return output
    default: return file
    }
  }
}
