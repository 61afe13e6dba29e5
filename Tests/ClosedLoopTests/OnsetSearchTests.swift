// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import ClosedLoop

@Suite("The search for a chirp") struct OnsetSearchTests {
  static let rate = 48_000

  @Test("finds each chirp to the sample, at any level and either sign", arguments: 0..<CodedChirp.codes)
  func toTheSample(code: Int) throws {
    let chirp = CodedChirp(code: code, rate: Self.rate)
    let gain: Float = code.isMultiple(of: 2) ? 0.01 : -0.7
    let sound = Self.silence(24_000, with: chirp, at: 7_001 + 37 * code, gain: gain)
    let onset = try #require(OnsetSearch(chirp).find(in: sound, among: 0..<20_000))
    #expect(onset.frame == 7_001 + 37 * code)
    #expect(onset.likeness > 0.999)
  }

  @Test("finds it in noise twice as strong", arguments: 1...8) func inNoise(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    let chirp = CodedChirp(code: Int(seed), rate: Self.rate)
    var sound = Self.silence(24_000, with: chirp, at: 9_000, gain: 0.1)
    // Uniform noise of 2 x the chirp's 0.035 RMS.
    for index in sound.indices { sound[index] += Float(Double.random(in: -0.122...0.122, using: &numbers)) }
    let onset = try #require(OnsetSearch(chirp).find(in: sound, among: 0..<20_000))
    #expect(abs(onset.frame - 9_000) <= 1)
  }

  @Test("finds nothing in noise", arguments: 1...8) func noise(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    let sound = (0..<24_000).map { _ in Float(Double.random(in: -0.5...0.5, using: &numbers)) }
    #expect(OnsetSearch(CodedChirp(code: 3, rate: Self.rate)).find(in: sound, among: 0..<20_000) == nil)
  }

  @Test("finds nothing in silence, or where the chirp is cut") func silence() {
    let chirp = CodedChirp(code: 1, rate: Self.rate)
    let search = OnsetSearch(chirp)
    #expect(search.find(in: [Float](repeating: 0, count: 24_000), among: 0..<24_000) == nil)
    #expect(search.find(in: Array(chirp.samples.prefix(2_000)), among: 0..<2_000) == nil)
    #expect(search.find(in: [], among: 0..<10) == nil)
  }

  @Test("takes no other code for it", arguments: 0..<CodedChirp.codes) func otherCodes(code: Int) throws {
    let chirp = CodedChirp(code: code, rate: Self.rate)
    for other in 0..<CodedChirp.codes where other != code {
      let sound = Self.silence(12_000, with: chirp, at: 5_000, gain: 1)
      let onset = OnsetSearch(CodedChirp(code: other, rate: Self.rate)).find(in: sound, among: 0..<9_000)
      #expect((onset?.likeness ?? 0) < 0.45, "code \(other) in \(code)")
    }
  }

  @Test("takes the direct sound where an echo is stronger") func echo() throws {
    let chirp = CodedChirp(code: 5, rate: Self.rate)
    var sound = Self.silence(24_000, with: chirp, at: 6_000, gain: 0.4)
    for (index, sample) in chirp.samples.enumerated() { sound[6_310 + index] += 0.5 * sample }
    #expect(try #require(OnsetSearch(chirp).find(in: sound, among: 0..<20_000)).frame == 6_000)
  }

  static func silence(_ count: Int, with chirp: CodedChirp, at frame: Int, gain: Float) -> [Float] {
    var sound = [Float](repeating: 0, count: count)
    for (index, sample) in chirp.samples.enumerated() { sound[frame + index] += gain * sample }
    return sound
  }
}
