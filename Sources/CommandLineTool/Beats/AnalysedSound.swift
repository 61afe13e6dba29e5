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
  /// Of each 5 ms the mean of what is squared.
  private let powers: [Float]

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
      var meter = Meter(frames: max(1, rate / 200))
      guard let base = stereo.baseAddress else { throw Problem(.tooLarge, file: file, "there is no memory for it") }
      while case let count = try decoder.read(into: base, frames: room), count > 0 {
        for frame in 0..<count { mono[frame] = (stereo[2 * frame] + stereo[2 * frame + 1]) / 2 }
        meter.add(mono[..<count])
        try writer.write(UnsafeBufferPointer(rebasing: mono[..<count]))
      }
      try writer.finish()
      powers = meter.powers
    } catch {
      throw ToolFailure(error)
    }
  }

  /// What begins in it at these instants, with how much louder it is than what was there before.
  func onsets(at instants: [Int64]) -> [HeardOnset] {
    func power(_ from: Int, _ to: Int) -> Double {
      let part = powers[max(0, min(from, powers.count))..<max(0, min(to, powers.count))]
      return part.isEmpty ? 0 : Double(part.reduce(0, +)) / Double(part.count)
    }
    return instants.map { at in
      let block = Int(at / 5_000)
      return HeardOnset(
        at: at, strength: max(0, power(block - 1, block + 9) - power(block - 5, block - 1)).squareRoot())
    }
  }

  /// Gathers powers, so many frames each.
  private struct Meter {
    let frames: Int
    private(set) var powers: [Float] = []
    private var (sum, count): (Float, Int) = (0, 0)

    init(frames: Int) { self.frames = frames }

    mutating func add(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) {
      for sample in samples {
        sum += sample * sample
        count += 1
        if count == frames {
          powers.append(sum / Float(frames))
          (sum, count) = (0, 0)
        }
      }
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
