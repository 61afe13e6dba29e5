// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Testing

@testable import SoundFiles

@Suite struct TrackReaderTests {
  let directory = TestDirectory()

  func reader(_ path: String, loop: Range<Int64>? = nil, from position: Int64 = 0) throws -> TrackReader {
    let decoder = try Decoder.open(path: path)
    let plan = TrackPlan(
      sourceRate: decoder.rate, engineRate: 48_000, sourceFrames: decoder.frames, loop: loop)
    return try TrackReader(decoder: decoder, plan: plan, from: position)
  }

  @Test(arguments: [8_000, 11_025, 22_050, 32_000, 44_100, 44_101, 48_000, 96_000])
  func resampledSinesAreWhatTheyShouldBe(rate: Int) throws {
    let frames = rate / 2 + 77
    let path = directory.sound(.wav, rate: rate, channels: 2, frames: frames) { frame, channel in
      sine(channel == 0 ? 440 : 1_000, 0.5, at: frame, rate: rate)
    }
    let samples = try reader(path).readAll()
    #expect(samples.count == 2 * Int((Double(frames) * 48_000 / Double(rate)).rounded()))
    let worst = (2_000..<20_000).map { frame in
      max(
        abs(samples[2 * frame] - sine(440, 0.5, at: frame, rate: 48_000)),
        abs(samples[2 * frame + 1] - sine(1_000, 0.5, at: frame, rate: 48_000)))
    }.max()
    // 20 bits of precision are 1e-6 of full scale.
    #expect(try #require(worst) < 1e-6)
  }

  @Test func equalRatesPassTheFileThroughToTheBit() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 7_000, signal: busySignal)
    #expect(try reader(path).readAll() == sequentialDecode(path))
  }

  @Test func theSizeOfReadsChangesNoBit() throws {
    let path = directory.sound(.ogg, rate: 44_100, channels: 2, frames: 20_000, signal: busySignal)
    let large = try reader(path, loop: 1_000..<9_001).read(40_000)
    let pieces = try reader(path, loop: 1_000..<9_001)
    var small: [Float] = []
    for i in 0..<400 { small += try pieces.read([1, 7, 64, 328][i % 4]) }
    #expect(small.count == 2 * 40_000)
    #expect(small == large)
  }

  @Test(arguments: [1_000, 8_000, 11_025, 44_101, 96_000, 192_000]) func anyRateCanBeEnteredInTheMiddle(
    rate: Int
  ) throws {
    let path = directory.sound(.wav, rate: rate, channels: 1, frames: rate / 4 + 13, signal: busySignal)
    let all = try reader(path).readAll()
    for start in [3_001, 8_999] {
      #expect(greatestDifference(try reader(path, from: Int64(start)).readAll(), all[(2 * start)...]) < 3e-6)
    }
  }

  @Test(arguments: [Format.wav, .flac, .ogg, .mp3]) func readingFromTheMiddleGivesWhatALinearReadHasThere(
    format: Format
  ) throws {
    let path = directory.sound(format, rate: 44_100, channels: 2, frames: 60_000, signal: busySignal)
    let all = try reader(path).readAll()
    for start in [1, 2_047, 24_000, 40_001, 64_000, 65_305] {
      let some = try reader(path, from: Int64(start)).readAll()
      #expect(greatestDifference(some, all[(2 * start)...]) < 2e-6, "from \(start)")
    }
    #expect(try reader(path, from: 65_306).readAll().isEmpty)
    #expect(try reader(path, from: 1_000_000).readAll().isEmpty)
  }

  @Test func aLoopAtTheEngineRateIsSplicedToTheFrame() throws {
    let path = directory.sound(.flac, rate: 48_000, channels: 2, frames: 9_000, signal: busySignal)
    let all = sequentialDecode(path)
    let turn = all[(2 * 1_500)..<(2 * 8_000)]
    let expected = Array(all[..<(2 * 8_000)]) + turn + turn + turn
    #expect(try reader(path, loop: 1_500..<8_000).read(8_000 + 3 * 6_500) == expected)
    // And from within any turn.
    #expect(try reader(path, loop: 1_500..<8_000, from: 20_000).read(7_500) == Array(expected[40_000..<55_000]))
  }

  @Test(arguments: [Format.ogg, .opus, .mp3]) func lossyLoopsAreSplicedToTheFrame(format: Format) throws {
    let path = directory.sound(format, rate: 48_000, channels: 2, frames: 60_000, signal: busySignal)
    let all = sequentialDecode(path)
    let expected = Array(all[..<(2 * 59_000)]) + all[(2 * 50_000)..<(2 * 59_000)] + all[(2 * 50_000)..<(2 * 59_000)]
    let looped = try reader(path, loop: 50_000..<59_000).read(59_000 + 18_000)
    #expect(greatestDifference(looped, expected) <= (format == .mp3 ? 2e-7 : 0))
  }

  /// One engine frame is 0.0654 of this tone at its steepest; its cycle is 44.1 source frames.
  func toneFile(frames: Int, offset: Float = 0) -> String {
    directory.sound(.wav, rate: 44_100, channels: 2, frames: frames) { frame, _ in
      offset + sine(1_000, 0.5, at: frame, rate: 44_100)
    }
  }

  @Test(arguments: [4_410, 44_100, 8_820 + 441]) func aLoopOfWholeCyclesIsHeardAsOneTone(frames: Int) throws {
    let samples = try reader(toneFile(frames: frames), loop: 0..<Int64(frames)).read(100_000)
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    // Before the first frame there is silence, which the resampler smears; from then on no seam may be seen.
    let worst = (200..<99_999).map { abs(left[$0] - sine(1_000, 0.5, at: $0, rate: 48_000)) }.max()
    #expect(try #require(worst) < 1e-5)
  }

  @Test func aLoopOfNoWholeEngineFramesMakesNoStep() throws {
    // 4452 source frames are 4845.71 engine frames, so that turns are 0.29 frames apart; 44.1 * 101 = 4454.1 frames
    // would be whole cycles, so that the tone itself leaps at the seam: use a constant, which must not move at all.
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 6_000) { _, _ in 0.5 }
    let samples = try reader(path, loop: 700..<5_152).read(60_000)
    #expect(samples[2_000...].allSatisfy { abs($0 - 0.5) < 1e-5 })
  }

  /// The loop's start moves through one cycle, so that the seam meets the tone at its steepest too.
  @Test(arguments: 700..<714) func aToneRoundALoopOfNoWholeEngineFramesNeverLeaps(start: Int64) throws {
    // A cycle of 3150 Hz is 14 source frames: a loop of 4438 = 14 * 317 frames holds whole cycles, but 4830.48 engine
    // frames.
    let path = directory.sound(.wav, rate: 44_100, channels: 1, frames: 5_200) { frame, _ in
      sine(3_150, 0.5, at: frame, rate: 44_100)
    }
    let samples = try reader(path, loop: start..<(start + 4_438)).read(18_000)
    let left = stride(from: 4_000, to: samples.count, by: 2).map { samples[$0] }
    // Steepest for a steady tone: 2 * 0.5 * sin(pi * 3150 / 48000) = 0.2047. A seam 0.48 frames off, unjoined, adds 0.1.
    let steepest = zip(left, left.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(steepest < 0.2062)
    #expect(left.allSatisfy { abs($0) < 0.5005 })
  }

  @Test func everyTurnOfALoopIsTheSame() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 12_000, signal: busySignal)
    let track = try reader(path, loop: 1_000..<11_001)
    let loop = try #require(track.plan.loop)
    _ = try track.read(Int(loop.upperBound))
    let second = try track.read(loop.count)
    // The second is joined to the first pass, which the resampler began elsewhere: that differs in rounding.
    let third = try track.read(loop.count)
    #expect(greatestDifference(third, second) < 1e-6)
    #expect(try track.read(loop.count) == third)
    #expect(try track.read(loop.count) == third)
    // Entered anywhere, it is the same turn, but for the join at its very start.
    let inside = try reader(path, loop: 1_000..<11_001, from: loop.upperBound + 5 * Int64(loop.count) + 200)
    #expect(greatestDifference(try inside.read(loop.count - 200), second[400...]) < 2e-6)
    // And it is what the file has there.
    let linear = try reader(path).readAll()
    let middle = (Int(loop.lowerBound) + 400)..<(Int(loop.upperBound) - 400)
    let there = linear[(2 * middle.lowerBound)..<(2 * middle.upperBound)]
    #expect(greatestDifference(second[800..<(800 + 2 * middle.count)], there) < 2e-6)
  }

  @Test func theShortestLoopsWork() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 4_000, signal: busySignal)
    let track = try reader(path, loop: 1_500..<3_706)
    let loop = try #require(track.plan.loop)
    _ = try track.read(Int(loop.upperBound) + loop.count)
    let turn = try track.read(loop.count)
    #expect(try track.read(loop.count) == turn)
    #expect(try track.read(10 * loop.count) == Array(repeatElement(turn, count: 10).joined()))
  }

  @Test func anotherFileOfTheSameNameIsNoticed() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 400, signal: busySignal)
    let plan = TrackPlan(sourceRate: 44_100, engineRate: 48_000, sourceFrames: 401, loop: nil)
    let error = #expect(throws: Problem.self) { try TrackReader(path: path, plan: plan) }
    #expect(error?.description == "\(path) has changed since it was loaded; load the pack again")
  }

  @Test func aFileThatBreaksOffGivesAllItHasAndThenItsError() throws {
    _ = directory.sound(.flac, rate: 48_000, channels: 2, frames: 40_000, signal: busySignal)
    let whole = directory.contents("flac-48000-2-40000")
    let path = directory.bytes("half.flac", Array(whole[..<(whole.count / 2)]))
    let track = try reader(path)
    var frames = 0
    let error = #expect(throws: Problem.self) {
      while case let piece = try track.read(1_000), !piece.isEmpty { frames += piece.count / 2 }
    }
    #expect(error?.kind == .truncated)
    #expect(frames > 10_000 && frames < 30_000 && Int64(frames) == track.position)
    #expect(throws: Problem.self) { try track.read(1) }
  }
}

extension TrackReader {
  func read(_ frames: Int) throws -> [Float] {
    var samples = [Float](repeating: -9, count: 2 * frames)
    let got = try samples.withUnsafeMutableBufferPointer { buffer in
      try self.read(into: buffer.baseAddress!, frames: frames)
    }
    return Array(samples.prefix(2 * got))
  }

  func readAll() throws -> [Float] {
    var samples: [Float] = []
    while case let piece = try read(1_777), !piece.isEmpty { samples += piece }
    return samples
  }
}
