// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight pack import`: what ffmpeg makes of sound, to the sample.
@Suite(.enabled(if: ImportedSound.hasFFmpeg, "ffmpeg is not installed")) struct PackImportTests {
  let folder: String

  init() throws { folder = try makeTemporaryDirectory() }

  private func imports(_ words: [String]) throws -> (code: Int32, output: String) {
    try runTool(["pack", "import"] + words, in: folder, environment: [])
  }

  /// The click of `original`, at `frame`, is at its sample in the pack's file, which is as long.
  private func expectInPlace(_ file: String, _ original: [Int16], at frame: Int, _ what: String) throws {
    let heard = try ImportedSound.read("pack/" + file, in: folder)
    #expect(heard.count == original.count, "\(what)")
    #expect(ImportedSound.lag(of: heard, behind: original, at: frame) == 0, "\(what)")
    // What is loud of it is where the codec's blocks may smear it, and nowhere else.
    let loudest = heard.indices.max { abs(Int32(heard[$0])) < abs(Int32(heard[$1])) } ?? 0
    #expect((frame..<(frame + 400)).contains(loudest), "\(what): \(loudest)")
  }

  @Test(arguments: [44_100, 48_000, 22_050], [["-c:a", "aac", "-b:a", "128k"], ["-c:a", "alac"]])
  func aClickThroughAnM4AStaysAtItsSample(rate: Int, codec: [String]) throws {
    defer { removeDirectory(folder) }
    let original = ImportedSound.click(at: 30_000, of: 100_000)
    try ImportedSound.write(original, rate: rate, "a.m4a", as: codec, in: folder)
    let run = try imports(["a.m4a", "--into", "pack"])
    #expect(run.code == 0, "\(run.output)")
    try expectInPlace("a.flac", original, at: 30_000, "\(rate) \(codec)")
  }

  @Test(arguments: [
    ("a.mp3", ["-c:a", "libmp3lame"]), ("a.webm", ["-c:a", "libopus"]), ("a.mp4", ["-c:a", "libopus"]),
    ("a.aiff", []), ("a.wav", ["-c:a", "pcm_f32le"]), ("a.mka", ["-c:a", "flac"]),
  ])
  func andThroughWhatElseTellsItsPadding(file: String, codec: [String]) throws {
    defer { removeDirectory(folder) }
    let original = ImportedSound.click(at: 30_000, of: 96_001)
    try ImportedSound.write(original, rate: 48_000, file, as: codec, in: folder)
    let run = try imports([file, "--into", "pack"])
    #expect(run.code == 0 && !run.output.contains("may begin"), "\(run.output)")
    try expectInPlace("a.flac", original, at: 30_000, file)
  }

  @Test(arguments: [
    ("a.aac", ["-c:a", "aac"]), ("a.mka", ["-c:a", "aac"]), ("a.mp3", ["-write_xing", "0"]), ("a.wma", []),
  ])
  func whatCannotTellItsPaddingIsSaidSo(file: String, codec: [String]) throws {
    defer { removeDirectory(folder) }
    try ImportedSound.write(ImportedSound.click(at: 30_000, of: 96_001), rate: 48_000, file, as: codec, in: folder)
    let run = try imports([file, "--into", "pack"])
    #expect(run.code == 0 && run.output.contains("what is heard may begin 5 to 50 ms off"), "\(run.output)")
  }

  /// An encoder that puts 2112 frames before the sound, as Apple's does, and another that tells of that by iTunSMPB alone.
  @Test func thePaddingOfOtherEncodersIsTakenAwayToo() throws {
    defer { removeDirectory(folder) }
    let original = ImportedSound.click(at: 30_000, of: 100_000)
    let padded = [Int16](repeating: 0, count: 2_112 - 1_024) + original
    try ImportedSound.write(padded, rate: 44_100, "apple.m4a", as: ["-c:a", "aac"], in: folder)
    try ImportedSound.write(padded, rate: 44_100, "itunes.m4a", as: ["-c:a", "aac", "-use_editlist", "0"], in: folder)
    var apple = try MPEG4Boxes(folder + "/apple.m4a")
    // In thousandths: 100000 frames are 2267.57.
    try apple.setEdit(length: 2_268, start: 2_112)
    try apple.write(folder + "/apple.m4a")
    var itunes = try MPEG4Boxes(folder + "/itunes.m4a")
    try itunes.addGaplessNote(priming: 2_112, padding: 288, frames: 100_000)
    try itunes.write(folder + "/itunes.m4a")
    for name in ["apple", "itunes"] {
      let run = try imports([name + ".m4a", "--into", "pack"])
      #expect(run.code == 0 && !run.output.contains("may begin"), "\(run.output)")
      try expectInPlace(name + ".flac", original, at: 30_000, name)
    }
    // Without the note nobody can know.
    try ImportedSound.write(padded, rate: 44_100, "bare.m4a", as: ["-c:a", "aac", "-use_editlist", "0"], in: folder)
    #expect(try imports(["bare.m4a", "--into", "pack"]).output.contains("neither an edit list nor iTunSMPB"))
  }

  @Test func aLoopKeepsItsSeam() throws {
    defer { removeDirectory(folder) }
    // 100 rounds of 441 frames: where the file ends it goes on at its beginning.
    let loop = (0..<44_100).map { Int16(12_000 * sin(2 * Double.pi * Double($0) / 441)) }
    try ImportedSound.write(loop, rate: 44_100, "loop.m4a", as: ["-c:a", "aac", "-b:a", "256k"], in: folder)
    #expect(try imports(["loop.m4a", "--into", "pack"]).code == 0)
    let heard = try ImportedSound.read("pack/loop.flac", in: folder)
    try #require(heard.count == 44_100)
    // A step of the tone is 171 at most.
    #expect(abs(Int32(heard[0]) - Int32(heard[44_099])) < 600, "\(heard.suffix(3)) \(heard.prefix(3))")
  }

  @Test func whatLosesNothingIsTheSameToTheBit() throws {
    defer { removeDirectory(folder) }
    let original = ImportedSound.click(at: 3_000, of: 30_000)
    try ImportedSound.write(original, rate: 44_100, "a.wav", in: folder)
    try ImportedSound.write(original, rate: 44_100, "b.flac", in: folder)
    try ImportedSound.ffmpeg(
      ["-f", "lavfi", "-i", "anoisesrc=d=0.5:r=48000:a=0.5", "-c:a", "pcm_s24le", "c.wav"], in: folder)
    #expect(try imports(["a.wav", "b.flac", "c.wav", "--into", "pack"]).code == 0)
    #expect(try ImportedSound.read("pack/a.flac", in: folder) == original)
    #expect(
      try Data(contentsOf: URL(filePath: folder + "/b.flac"))
        == Data(contentsOf: URL(filePath: folder + "/pack/b.flac")))
    for file in ["c.wav", "pack/c.flac"] {
      try ImportedSound.ffmpeg(["-i", file, "-f", "s24le", file + ".raw"], in: folder)
    }
    #expect(
      try Data(contentsOf: URL(filePath: folder + "/c.wav.raw"))
        == Data(contentsOf: URL(filePath: folder + "/pack/c.flac.raw")))
  }

  @Test func opusHasItsClickAndItsLoopAtTheSameTime() throws {
    defer { removeDirectory(folder) }
    let original = ImportedSound.click(at: 30_000, of: 96_001)
    try ImportedSound.write(original, rate: 48_000, "a.wav", in: folder)
    try ImportedSound.write(
      [Int16](repeating: 50, count: 44_100), rate: 44_100, "b.flac",
      as: ["-metadata", "LOOPSTART=4410", "-metadata", "LOOPLENGTH=22050"], in: folder)
    let run = try imports(["a.wav", "b.flac", "--to", "opus", "--into", "pack"])
    #expect(run.code == 0 && run.output.contains("48000 frames of 48000 Hz"), "\(run.output)")
    try expectInPlace("a.opus", original, at: 30_000, "opus")
    let tags = String(
      decoding: try Data(contentsOf: URL(filePath: folder + "/pack/b.opus")).prefix(1_000), as: UTF8.self)
    // Frames of 48 kHz.
    #expect(tags.contains("LOOPSTART=4800") && tags.contains("LOOPLENGTH=24000"), "\(tags)")
    let check = try runTool(["pack", "check", "pack"], in: folder, environment: [])
    #expect(check.code == 0 && check.output.isEmpty, "\(check.output)")
  }

  @Test func theLoopOfAWAVComesAlong() throws {
    defer { removeDirectory(folder) }
    try ImportedSound.write(
      [Int16](repeating: 50, count: 1_000), rate: 48_000, "a.wav", as: ["-fflags", "+bitexact"], in: folder)
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/a.wav")))
    // A smpl chunk with one loop, from frame 100 to frame 899, which is its last.
    let words: [UInt32] = [0, 0, 0, 60, 0, 0, 0, 1, 0, 0, 0, 100, 899, 0, 0]
    bytes += Array("smpl".utf8) + [60, 0, 0, 0]
    for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
    try Data(bytes).write(to: URL(filePath: folder + "/a.wav"))
    #expect(try imports(["a.wav", "--into", "pack"]).code == 0)
    let tags = String(
      decoding: try Data(contentsOf: URL(filePath: folder + "/pack/a.flac")).prefix(1_000), as: UTF8.self)
    #expect(tags.contains("LOOPSTART=100") && tags.contains("LOOPLENGTH=800"), "\(tags)")
  }
}
