// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight pack import` of sound that goes above full scale, as what is decoded of lossy formats does.
@Suite(.enabled(if: ImportedSound.hasFFmpeg, "ffmpeg is not installed")) struct PackImportLoudTests {
  let folder: String

  init() throws { folder = try makeTemporaryDirectory() }

  /// A tone whose highest sample is `peak`, encoded.
  private func write(_ file: String, peak: Double, as words: [String]) throws {
    let tone = (0..<48_000).map { Int16((16_384 * sin(Double($0) * 0.0625)).rounded()) }
    try ImportedSound.write(
      tone, rate: 48_000, file, as: ["-af", "aformat=sample_fmts=flt,volume=\(peak * 2):precision=float"] + words,
      in: folder)
  }

  private func gain() throws -> Double? {
    let text = try String(contentsOfFile: folder + "/pack/pack.json", encoding: .utf8)
    return text.firstMatch(of: /"gain": ([\d.]+)/).flatMap { Double($0.1) }
  }

  @Test func itIsWrittenSofterAndItsGainMakesUpForIt() throws {
    defer { removeDirectory(folder) }
    try write("loud.wav", peak: 1.5, as: ["-c:a", "pcm_f32le"])
    let run = try runTool(["pack", "import", "loud.wav", "--into", "pack"], in: folder, environment: [])
    #expect(run.code == 0 && run.output.contains("peaks 3.5 dB above full scale"), "\(run.output)")
    let gain = try #require(try gain())
    #expect(abs(gain - 1.5) < 0.001)
    let heard = try ImportedSound.read("pack/loud.flac", in: folder)
    let worst = heard.enumerated().map { index, sample in
      abs(Double(sample) * gain - 1.5 * 32_768 * sin(Double(index) * 0.0625))
    }.max()
    // Of 16 bits, as it was made of.
    #expect(try #require(worst) < 4, "\(String(describing: worst))")
  }

  @Test func soIsWhatIsDecodedOfALossyFormat() throws {
    defer { removeDirectory(folder) }
    try write("loud.m4a", peak: 1.4, as: ["-c:a", "aac", "-b:a", "256k"])
    let run = try runTool(["pack", "import", "loud.m4a", "--into", "pack"], in: folder, environment: [])
    #expect(run.code == 0 && run.output.contains("dB above full scale"), "\(run.output)")
    let gain = try #require(try gain())
    let heard = try ImportedSound.read("pack/loud.flac", in: folder)
    // Not flattened: few samples are at the top.
    #expect(gain > 1.3 && heard.count { abs(Int($0)) > 32_700 } < 100, "\(gain)")
  }

  @Test func whatFitsHasNoGain() throws {
    defer { removeDirectory(folder) }
    try write("fits.m4a", peak: 0.5, as: ["-c:a", "aac"])
    let run = try runTool(["pack", "import", "fits.m4a", "--into", "pack"], in: folder, environment: [])
    #expect(run.code == 0 && !run.output.contains("full scale"), "\(run.output)")
    #expect(try gain() == nil)
  }
}
