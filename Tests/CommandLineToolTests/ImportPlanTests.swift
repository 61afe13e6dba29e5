// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct ImportPlanTests {
  @Test func whatIsKnownOfPaddingIsByCodecAndFormat() {
    func padding(_ codec: String, _ format: String, startsLater: Bool = false, frames: Int64? = nil)
      -> ForeignAudio.Padding
    {
      ForeignAudio.padding(codec: codec, format: format, startsLater: startsLater, length: nil, frames: frames)
    }
    let movie = "mov,mp4,m4a,3gp,3g2,mj2"
    #expect(padding("pcm_s16le", "wav") == .stripped && padding("alac", movie) == .stripped)
    #expect(padding("aac", movie, frames: 5) == .endsAfter(5))
    #expect(padding("opus", "matroska,webm") == .stripped && padding("vorbis", "ogg") == .stripped)
    #expect(padding("mp3", "mp3", startsLater: true) == .stripped)
    for untold in [padding("aac", movie), padding("aac", "aac"), padding("mp3", "mp3"), padding("wmav2", "asf")] {
      if case .untold = untold { continue }
      Issue.record("\(untold)")
    }
  }

  @Test func whatAFileIsItsNameTells() {
    #expect(ImportSources.kind("a.M4A") == .foreign && ImportSources.kind("b.flac") == .kept)
    #expect(ImportSources.kind("x/c.osu") == .beats(.osu) && ImportSources.kind("c.txt") == .beats(.times))
    #expect(ImportSources.kind("thud.ahap") == .pattern && ImportSources.kind("beats.json") == .beatMap)
    #expect(ImportSources.kind("movie.mp4") == nil && ImportSources.kind("README") == nil)
    #expect(ImportSources.File.stem(of: "a.b/c.d.wav") == "a.b/c.d" && ImportSources.File.stem(of: "a.b/c") == "a.b/c")
  }

  @Test func aFolderMayTellWhatASoundIs() {
    func file(_ relative: String) -> ImportPlan.File {
      ImportPlan.File(
        source: .init(path: relative, relative: relative, kind: .foreign), destination: relative, content: .sound(nil))
    }
    #expect(file("Music/a.wav").saysMusic == true && file("sfx/a.wav").saysMusic == false)
    #expect(file("a.wav").saysMusic == nil && file("voice/a.wav").isVoice && !file("a/b.wav").isVoice)
  }
}
