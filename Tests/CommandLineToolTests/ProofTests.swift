// SPDX-License-Identifier: Apache-2.0

import AudioInput
import ClosedLoop
import Foundation
import FoundationXML
import GamePacks
import Host
import Testing
import Timing

@testable import CommandLineTool

@Suite("The proof of what is heard, felt and told") struct ProofTests {
  /// A run as a perfect machine would have it, and what was added to each way.
  private struct Staged {
    static let rate = 48_000
    static let startUs: Int64 = 7_000_000_000

    /// Added to what is heard, felt and read.
    var soundUs: Int64 = 0
    var touchUs: Int64 = 0
    var eventUs: Int64 = 0

    let sentToToldUs: Int64 = 6_000
    let touchAfterSoundUs: Int64 = 5_000
    let readAfterBeatUs: Int64 = 100

    /// Whole frames, so that a chirp begins where it is told to: 50 chirps and 50 beats, 0.3 s apart.
    private func instant(_ index: Int) -> Int64 { Self.startUs + 2_000_000 + Int64(index) * 300_000 }

    var trials: ProofTrials {
      var trials = ProofTrials()
      for index in 0..<50 {
        let told = instant(index)
        trials.sounds.append(
          .init(
            code: index % 16, sentUs: told - sentToToldUs, toldUs: told, touchToldUs: told + touchAfterSoundUs))
      }
      for index in 50..<100 {
        let told = instant(index)
        trials.beats.append(.init(code: index % 16, toldUs: told, readUs: told + readAfterBeatUs + eventUs))
        trials.tapsUs.append(80)
      }
      return trials
    }

    var captured: CapturedSound {
      let frames = 33 * Self.rate
      var heard = [Float](repeating: 0, count: frames)
      var felt = [Float](repeating: 0, count: frames)
      func frame(_ us: Int64) -> Int { Int((us - Self.startUs) * Int64(Self.rate) / 1_000_000) }
      for index in 0..<100 {
        let first = frame(instant(index) + soundUs)
        for (offset, sample) in CodedChirp(code: index % 16, rate: Self.rate).samples.enumerated() {
          heard[first + offset] += 0.3 * sample
        }
        let moved = frame(instant(index) + touchAfterSoundUs + touchUs)
        for offset in 0..<480 where index < 50 { felt[moved + offset] = offset.isMultiple(of: 2) ? 0.2 : -0.2 }
      }
      let readings = stride(from: Int64(256), through: Int64(frames), by: 256).map {
        CapturedSound.Reading(
          frame: $0, instant: Instant(microseconds: Self.startUs) + .frames($0, rate: Self.rate))
      }
      return CapturedSound(
        device: "staged", rate: Self.rate, kept: [2, 0], channels: [heard, felt], readings: readings, biasFloor: .zero)
    }

    func proof() -> Proof { Proof(trials, heardIn: captured, felt: .captured(number: 1)) }

    /// The same with a virtual pad, at beats too, which is told 35 ms before each touch.
    func proofByPad() -> Proof {
      var trials = trials
      for index in trials.beats.indices { trials.beats[index].touchToldUs = trials.beats[index].toldUs }
      let told = trials.sounds.map { $0.toldUs + touchAfterSoundUs } + trials.beats.map(\.toldUs)
      return Proof(trials, heardIn: captured, felt: .told(atUs: told.map { $0 + touchUs - 35_000 }, leadUs: 35_000))
    }
  }

  /// What is found lies within a frame, 21 us, and the microsecond of rounding.
  private static func isNear(_ values: [Int64]?, _ expected: Int64) -> Bool {
    values.map { !$0.isEmpty && $0.allSatisfy { abs($0 - expected) <= 22 } } ?? false
  }

  @Test("finds each way's time as it was staged") func asStaged() {
    let proof = Staged().proof()
    #expect(proof.heard == 100 && proof.tried == 100)
    #expect(Self.isNear(proof.row(.commandToSound)?.valuesUs, 6_000))
    #expect(Self.isNear(proof.row(.toldToHeard)?.valuesUs, 0))
    #expect(Self.isNear(proof.row(.beatHeardToRead)?.valuesUs, 100))
    #expect(Self.isNear(proof.row(.soundToTouch)?.valuesUs, 5_000))
    #expect(proof.row(.soundToTouch)?.from.hasSuffix("on channel 1") == true)
    #expect(proof.row(.tapToVerdict)?.valuesUs == Array(repeating: 80, count: 50))
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    #expect(conclusions.map(\.outcome) == [.holds, .holds, .holds])
  }

  @Test("finds 30 ms that were added to sound") func lateSound() {
    let proof = Staged(soundUs: 30_000).proof()
    #expect(Self.isNear(proof.row(.commandToSound)?.valuesUs, 36_000))
    #expect(Self.isNear(proof.row(.toldToHeard)?.valuesUs, 30_000))
    #expect(Self.isNear(proof.row(.beatHeardToRead)?.valuesUs, -29_900))
    #expect(Self.isNear(proof.row(.soundToTouch)?.valuesUs, -25_000))
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    #expect(conclusions.map(\.outcome) == [.fails, .fails, .holds])
  }

  @Test("finds 30 ms that were added to touch") func lateTouch() {
    let proof = Staged(touchUs: 30_000).proof()
    #expect(Self.isNear(proof.row(.soundToTouch)?.valuesUs, 35_000))
    #expect(Self.isNear(proof.row(.commandToSound)?.valuesUs, 6_000))
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    #expect(conclusions.map(\.outcome) == [.holds, .fails, .holds])
  }

  @Test("takes what reaches a virtual pad for felt a lead later, fired now and at beats") func byPad() {
    let proof = Staged().proofByPad()
    #expect(Self.isNear(proof.row(.soundToTouch)?.valuesUs, 5_000))
    #expect(Self.isNear(proof.row(.beatToTouch)?.valuesUs, 0))
    #expect(proof.row(.beatToTouch)?.valuesUs.count == 50 && proof.touched == 100)
    #expect(proof.row(.soundToTouch)?.from.contains("the 35 ms that a motor is reckoned to take") == true)
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    #expect(conclusions.map(\.outcome) == [.holds, .holds, .holds, .holds])
  }

  @Test("finds 30 ms that a virtual pad was told late") func lateByPad() {
    let proof = Staged(touchUs: 30_000).proofByPad()
    #expect(Self.isNear(proof.row(.soundToTouch)?.valuesUs, 35_000))
    #expect(Self.isNear(proof.row(.beatToTouch)?.valuesUs, 30_000))
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    #expect(conclusions.map(\.outcome) == [.holds, .fails, .fails, .holds])
  }

  @Test("says so where a tap was to be felt and nothing moved") func nothingMoved() {
    var captured = Staged().captured
    captured.channels[1] = Array(repeating: 0, count: captured.channels[1].count)
    let proof = Proof(Staged().trials, heardIn: captured, felt: .captured(number: 1))
    #expect(proof.row(.soundToTouch) == nil)
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    let open = conclusions.filter { $0.outcome == .open }
    #expect(open.map(\.sentence) == ["Of 50 taps that were to be felt 0 were found"])
  }

  @Test("finds 30 ms that were added to events") func lateEvents() {
    let proof = Staged(eventUs: 30_000).proof()
    #expect(Self.isNear(proof.row(.beatHeardToRead)?.valuesUs, 30_100))
    #expect(Self.isNear(proof.row(.toldToHeard)?.valuesUs, 0))
  }

  @Test("counts what is not heard, and makes nothing of it") func missing() throws {
    var staged = Staged().captured
    // All but the first chirp is cut off.
    for frame in (2 * 48_000 + 10_000)..<staged.channels[0].count { staged.channels[0][frame] = 0 }
    let proof = Proof(Staged().trials, heardIn: staged)
    #expect(proof.heard == 1 && proof.tried == 100)
    #expect(proof.row(.commandToSound)?.valuesUs.count == 1)
    #expect(proof.row(.beatHeardToRead) == nil)
  }

  @Test("cannot tell what is nearer to the limit than the capture's clock is exact") func tooNear() {
    var proof = Staged(soundUs: 5_000).proof()
    proof.captureErrorUs = 2_000
    let conclusions = ProofReport(proof, reported: [], facts: []).conclusions
    #expect(conclusions.first?.outcome == .open)
  }

  @Test("prints quantiles only with ten samples beyond them") func quantiles() throws {
    let lines = proofLines(ProofReport(Staged().proof(), reported: [], facts: []))
    let row = try #require(lines.first { $0.hasPrefix("command to sound") })
    #expect(row.hasPrefix("command to sound"))
    #expect(row.contains("6.00 ms          -"))
  }

  @Test("is a page that is well-formed, asks for nothing from elsewhere, and escapes names") func page() throws {
    let report = ProofReport(
      Staged().proof(), reported: [.init(name: "a<b>&\"", value: "x")],
      facts: [.init(name: "device", value: "<script>")])
    let html = report.html
    let markup = html.replacing("<!DOCTYPE html>", with: "")
    let parser = XMLParser(data: Data(markup.utf8))
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    for other in ["http", "src=", "url(", "<script", "@import"] { #expect(!html.contains(other), "\(other)") }
    #expect(html.contains("a&lt;b&gt;&amp;&quot;"))
  }
}

@Suite("The pack that a proof plays") struct ProofPackTests {
  @Test("has a chirp at each beat, beats as far apart as gaps are, and is taken by the reader without a word")
  func beats() throws {
    var numbers = SystemRandomNumberGenerator()
    let pack = ProofPack(name: "latency-proof-1", rate: 48_000, beats: 40, using: &numbers)
    let gaps = zip(pack.beats, pack.beats.dropFirst()).map { $1.atUs - $0.atUs }
    #expect(gaps.allSatisfy { (299_979...500_021).contains($0) })
    #expect(pack.beats.map(\.code) == (0..<40).map { $0 % 16 })
    let folder = TemporaryFolder()
    try pack.write(to: folder.path)
    let catalog = PackLoader(rate: 48_000).catalog(of: PackFolders(named: [folder.path]))
    let read = try #require(catalog.packs.first)
    #expect(catalog.problems.isEmpty && read.problems.isEmpty && read.warnings.isEmpty)
    #expect(read.sounds.count == 16 && read.beatMaps["proof"]?.beats.count == 40)
  }
}

@Suite("Histograms") struct HistogramTests {
  @Test("count every value once, in steps of 1, 2 or 5 times a power of ten") func counts() throws {
    let histogram = try #require(Histogram([-30, -1, 0, 1, 999], steps: 40))
    #expect(histogram.counts.reduce(0, +) == 5)
    #expect(histogram.step == 50)
    #expect(histogram.least == -50)
    #expect(histogram.counts.first == 2)
  }

  @Test("hold a single value, and extremes") func extremes() throws {
    #expect(try #require(Histogram([7])).counts == [1])
    #expect(Histogram([]) == nil)
    #expect(Histogram([Int64.min, Int64.max]) == nil)
    #expect(try #require(Histogram([0, Int64.max / 2])).counts.count <= 41)
  }
}
