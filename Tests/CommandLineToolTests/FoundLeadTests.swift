// SPDX-License-Identifier: Apache-2.0

import AudioInput
import ClosedLoop
import GamePacks
import Rhythm
import SeededNumbers
import Testing
import Timing

@testable import CommandLineTool

@Suite("The lead that a calibration finds") struct FoundLeadTests {
  private static let rate = 48_000
  private static let startUs: Int64 = 7_000_000_000

  /// 30 chirps 0.4 s apart, as the daemon told them to be heard.
  private static let chirps = (0..<30).map { index -> ProofTrials.Sound in
    let told = startUs + 2_000_000 + Int64(index) * 400_000
    return .init(code: index % CodedChirp.codes, sentUs: told - 6_000, toldUs: told)
  }

  private static func captured(_ samples: [Float]) -> CapturedSound {
    let readings = stride(from: Int64(256), through: Int64(samples.count), by: 256).map {
      CapturedSound.Reading(frame: $0, instant: Instant(microseconds: startUs) + .frames($0, rate: rate))
    }
    return CapturedSound(
      device: "staged", rate: rate, kept: [0], channels: [samples], readings: readings, biasFloor: .zero)
  }

  private static func noise(_ level: Float, seed: UInt64) -> [Float] {
    var numbers = SeededRandom(seed: seed)
    return (0..<17 * rate).map { _ in level * Float(Int32(truncatingIfNeeded: numbers.next())) * 0x1p-31 }
  }

  /// What is heard where each chirp comes `delayUs` after it was told to, in noise 20 dB below it.
  private static func heard(_ delayUs: (Int) -> Int64) -> CapturedSound {
    var samples = noise(0.03, seed: 5)
    for (index, chirp) in chirps.enumerated() {
      let first = Int((chirp.toldUs + delayUs(index) - startUs) * Int64(rate) / 1_000_000)
      for (offset, sample) in CodedChirp(code: chirp.code, rate: rate).samples.enumerated() {
        samples[first + offset] += 0.3 * sample
      }
    }
    return captured(samples)
  }

  @Test("is the delay that was put into the loop, to the sample", arguments: [7_000, 83_000, 251_000] as [Int64])
  func delays(_ delayUs: Int64) throws {
    let found = try FoundLead(Self.chirps, heardIn: Self.heard { _ in delayUs }, knownUs: 0)
    #expect(found.heard == 30 && found.tried == 30)
    // A frame, 21 us, and the microsecond of rounding.
    #expect(abs(found.deviceLeadUs - delayUs) <= 22, "\(found.deviceLeadUs)")
    #expect(found.spreadUs <= 22 && found.standardErrorUs <= 22 && abs(found.driftUs) <= 22)
  }

  @Test("counts from the lead that is in force", arguments: [7_000, 83_000, 251_000] as [Int64])
  func inForce(_ knownUs: Int64) throws {
    // With the right lead all is heard as told; with one where none is needed it is heard as much too early.
    let right = try FoundLead(Self.chirps, heardIn: Self.heard { _ in 0 }, knownUs: knownUs)
    #expect(abs(right.offByUs) <= 22 && abs(right.deviceLeadUs - knownUs) <= 22)
    let needless = try FoundLead(Self.chirps, heardIn: Self.heard { _ in -knownUs }, knownUs: knownUs)
    #expect(abs(needless.deviceLeadUs) <= 22, "\(needless.deviceLeadUs)")
  }

  @Test("is none in noise, in silence, and where the delay wanders") func refused() throws {
    for sound in [Self.captured(Self.noise(0.5, seed: 9)), Self.captured([Float](repeating: 0, count: 17 * Self.rate))]
    {
      #expect(throws: OffsetRefusal.self) { try FoundLead(Self.chirps, heardIn: sound, knownUs: 0) }
    }
    let wanders = Self.heard { Int64($0) * 1_000 }
    do throws(OffsetRefusal) {
      _ = try FoundLead(Self.chirps, heardIn: wanders, knownUs: 0)
      Issue.record("a delay that grows by 25 ms is believed")
    } catch {
      guard case .drifting(let by, 1_000) = error else { throw error }
      #expect(abs(by - 25_000) <= 44)
    }
    let twoWays = Self.heard { $0 % 2 == 0 ? 0 : 3_000 }
    #expect(throws: OffsetRefusal.self) { try FoundLead(Self.chirps, heardIn: twoWays, knownUs: 0) }
  }

  @Test("is explained with its sign") func lines() throws {
    let late = try FoundLead(Self.chirps, heardIn: Self.heard { _ in 83_000 }, knownUs: 0)
    let said = leadLines(late, device: "hw:0").joined(separator: "\n")
    #expect(said.contains("heard +83.00 ms after what is told (median of 30 of 30 chirps)"))
    #expect(said.contains("Its lead was +0.00 ms and is +83.00 ms by this: it is heard that much later"))
    // 30 values have a median and no 99th percentile.
    #expect(said.contains("median +83.00 ms, p99 -"))
  }
}

@Suite("What somebody taps to") struct ClickPackTests {
  @Test("is a pack whose every beat is a click to the sample, and each tap has a cell of its own") func pack() throws {
    var numbers = SeededRandom(seed: 3)
    let pack = ClickPack(name: "calibration", rate: 48_000, count: 40, using: &numbers)
    let folder = TemporaryFolder()
    try pack.write(to: folder.path)
    let manifest = try PackManifest.parse(readWhole(folder.path + "/pack.json", limit: 1 << 16), path: "pack.json")
    let chapter = try manifest.chapter(named: ClickPack.chapter)
    #expect(chapter.rules.window == 450_000)
    let bytes = try readWhole(folder.path + "/track.wav", limit: 1 << 26)
    let data = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound + 4
    func sample(_ frame: Int) -> Int16 {
      Int16(bitPattern: UInt16(bytes[data + 2 * frame]) | UInt16(bytes[data + 2 * frame + 1]) << 8)
    }
    for moment in pack.clicks.moments {
      let first = Int((Double(moment) * 0.048).rounded())
      #expect(sample(first - 1) == 0 && sample(first) == 16_384)
    }
  }

  @Test("tells who taps, how late, and what that means") func lines() throws {
    let samples = (0..<40).map { SteadyOffset.Sample(at: Int64($0) * 1_000_000, error: -40_000) }
    let said = tapLines(try SteadyOffset(samples), profile: "television").joined(separator: "\n")
    #expect(said.contains("television taps 40.0 ms early (median of 36 taps"))
    #expect(said.contains("offset is -40.0 ms by this: a tap that comes 40.0 ms before its beat is in the middle"))
  }
}
