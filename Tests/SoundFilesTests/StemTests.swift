// SPDX-License-Identifier: Apache-2.0

import Problems
import Testing

@testable import Mixing
@testable import SoundFiles

/// Stems of tracks, read from their files: each frame of a stream is the same frame of all of them.
@Suite struct StemTests {
  let directory = TestDirectory()

  /// A track of two seconds and a bit with two stems: itself turned over, and half of it.
  private func track(
    _ format: Format = .wav, rate: Int = 48_000, loop: TrackLoop = .none, head: Double = 0.1
  ) throws -> StreamedTrack {
    func file(_ name: String, _ factor: Float) -> String {
      directory.sound(format, rate: rate, channels: 2, frames: 100_001, named: name) { busySignal($0, $1) * factor }
    }
    return try StreamedTrack(
      path: file("track", 0.5), rate: 48_000, loop: loop, headSeconds: head,
      stems: [file("over", -0.5), file("half", 0.25)])
  }

  /// Reads `frames` frames of a stream as the mixer does, in all layers; the track's, and the first at which a stem is not
  /// what it should be.
  private func read(_ stream: OpenStream, _ feeder: StreamFeeder, frames: Int) -> (track: [Float], fault: Int?) {
    var track: [Float] = []
    var fault: Int?
    while track.count < 2 * frames {
      feeder.pump()
      let ring = stream.ring
      let from = ring.pointee.framesConsumed
      let piece = ring.pointee.piece(at: from)
      let count = min(piece.frames, Int(ring.pointee.readableEnd - from))
      guard count > 0 else { break }
      let over = ring.pointee.piece(at: from, layer: 1).samples
      let half = ring.pointee.piece(at: from, layer: 2).samples
      for index in 0..<2 * count {
        if over[index] != -piece.samples[index] || half[index] != piece.samples[index] * 0.5 {
          fault = fault ?? Int(from) + index / 2
        }
        track.append(piece.samples[index])
      }
      ring.pointee.consume(upTo: from + Int64(count))
    }
    return (track, fault)
  }

  static let loops: [TrackLoop] = [.none, .wholeFile, .seconds(start: 0.25, end: 0.7501)]

  @Test(arguments: [48_000, 44_100], loops)
  func theyGoWithTheirTrackThroughLoopsAndFromAnyPlace(rate: Int, loop: TrackLoop) throws {
    let track = try track(rate: rate, loop: loop)
    let plain = try StreamedTrack(path: track.path, rate: 48_000, loop: loop, headSeconds: 0.1)
    #expect(track.frames == plain.frames && track.loop == plain.loop)
    for start in [0, 1_000, 30_000, 70_000] as [Int64] {
      let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 0.5)
      let (with, without) = (
        try feeder.open(track, fromFrame: start), try feeder.open(plain, fromFrame: start)
      )
      let heard = read(with, feeder, frames: 300_000)
      #expect(heard.fault == nil)
      var alone: [Float] = []
      while alone.count < heard.track.count {
        feeder.pump()
        let from = without.ring.pointee.framesConsumed
        let piece = without.ring.pointee.piece(at: from)
        let count = min(piece.frames, Int(without.ring.pointee.readableEnd - from))
        guard count > 0 else { break }
        alone += UnsafeBufferPointer(start: piece.samples, count: 2 * count)
        without.ring.pointee.consume(upTo: from + Int64(count))
      }
      #expect(heard.track == Array(alone.prefix(heard.track.count)))
    }
  }

  @Test func turnedToRepeatOrToPlayOnceTheyTurnWithIt() throws {
    let track = try track(loop: .none)
    let feeder = StreamFeeder(rate: 48_000, streams: 1, ringSeconds: 0.5)
    let stream = try feeder.open(try track.playing(loops: true), fromFrame: 90_000)
    #expect(read(stream, feeder, frames: 40_000).fault == nil)
  }

  @Test func theirHeadsAreKeptToo() throws {
    let track = try track()
    #expect(track.residentBytes == 3 * 4_800 * 8)
    #expect(track.layers.map { $0.headFrames } == [4_800, 4_800, 4_800])
  }

  @Test func oneOfAnotherLengthOrRateIsRefused() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 20_000, signal: busySignal)
    let longer = directory.sound(.wav, rate: 48_000, channels: 2, frames: 20_001, signal: busySignal)
    let slower = directory.sound(.wav, rate: 44_100, channels: 2, frames: 20_000, signal: busySignal)
    for (file, has) in [(longer, "20001 frames at 48000 Hz"), (slower, "20000 frames at 44100 Hz")] {
      let refused = #expect(throws: Problem.self) {
        try StreamedTrack(path: path, rate: 48_000, stems: [file])
      }
      #expect(refused?.kind == .invalidValue)
      #expect(refused?.reason.hasSuffix("has \(has), and the track that it goes with 20000 at 48000 Hz") == true)
    }
    #expect(throws: Problem.self) { try StreamedTrack(path: path, rate: 48_000, stems: [directory("none.wav")]) }
  }

  @Test func whereOneBreaksOffAllEndTogetherFaded() throws {
    let track = try track(.flac)
    directory.loseEnd("flac-48000-2-100001over")
    let feeder = StreamFeeder(rate: 48_000, streams: 1, ringSeconds: 4)
    let stream = try feeder.open(track)
    feeder.pump()
    #expect(feeder.drainFailures().map(\.error.kind) == [.truncated])
    let isComplete = stream.ring.pointee.isComplete
    #expect(isComplete)
    let end = Int(stream.ring.pointee.framesWritten)
    #expect(end > 20_000 && end < 90_000)
    for layer in 0..<3 {
      let last = stream.ring.pointee.piece(at: Int64(end - 1), layer: layer).samples
      #expect(last[0] == 0 && last[1] == 0)
    }
  }
}
