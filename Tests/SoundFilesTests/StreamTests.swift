// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Testing

@testable import Mixing
@testable import SoundFiles

@Suite struct StreamTests {
  let directory = TestDirectory()

  /// What the mixer would read: up to `frames` frames, given back to the ring.
  func consume(_ stream: OpenStream, _ frames: Int) -> [Float] {
    let ring = stream.ring
    var samples: [Float] = []
    let end = min(ring.pointee.readableEnd, ring.pointee.framesConsumed + Int64(frames))
    while ring.pointee.framesConsumed < end {
      let from = ring.pointee.framesConsumed
      let piece = ring.pointee.piece(at: from)
      let count = min(piece.frames, Int(end - from))
      samples += Array(UnsafeBufferPointer(start: piece.samples, count: 2 * count))
      ring.pointee.consume(upTo: from + Int64(count))
    }
    return samples
  }

  func ready(_ stream: OpenStream) -> Int {
    Int(stream.ring.pointee.framesWritten - stream.ring.pointee.framesConsumed)
  }

  func isComplete(_ stream: OpenStream) -> Bool { stream.ring.pointee.isComplete }

  @Test func aTrackTellsItsLengthAndLoopAndKeepsItsHead() throws {
    let path = directory.sound(.ogg, rate: 44_100, channels: 2, frames: 88_200, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: 48_000)
    #expect(track.frames == 96_000)
    #expect(track.seconds == 2)
    #expect(track.loop == 0..<96_000)
    #expect(track.residentBytes == 14_400 * 8)
    // A head that covers the file ends with it, and is kept a second time as it goes on when the track repeats.
    let covered = try StreamedTrack(path: path, rate: 48_000, loop: .none, headSeconds: 3)
    #expect(covered.residentBytes == 96_000 * 8 + 144_000 * 8)
    #expect(try StreamedTrack(path: path, rate: 48_000, loop: .seconds(start: 0.5, end: 1)).loop == 24_000..<48_000)
  }

  @Test func aWavsOwnLoopPointsAreTakenUnlessOthersAreAskedFor() throws {
    let path = directory.bytes("own.wav", wav(frames: 8_820, smpl: [(type: 0, start: 441, end: 4_850)]))
    #expect(try StreamedTrack(path: path, rate: 48_000).loop == 480..<5_280)
    #expect(try StreamedTrack(path: path, rate: 48_000, loop: .wholeFile).loop == 0..<9_600)
    #expect(try StreamedTrack(path: path, rate: 48_000, loop: .none).loop == nil)
  }

  @Test(arguments: [(Format.wav16, 4), (.wav, 8)]) func theHeadIsInTheRingAtOnceAndTheRestFollows(
    format: Format, bytesPerFrame: Int
  ) throws {
    let path = directory.sound(format, rate: 48_000, channels: 2, frames: 60_000, signal: busySignal)
    let all = sequentialDecode(path)
    let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 0.5)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: .none, headSeconds: 0.25)
    #expect(track.residentBytes == 12_000 * bytesPerFrame)
    let stream = try feeder.open(track)
    #expect(stream.framesReady == 12_000 && ready(stream) == 12_000)
    var heard = consume(stream, 500)
    while !(isComplete(stream) && ready(stream) == 0) {
      feeder.pump()
      heard += consume(stream, 1_000)
    }
    #expect(heard == all)
    #expect(feeder.drainFailures().isEmpty)
  }

  /// As an editor saves: what was loaded goes on as it was, from whatever frame.
  @Test func whatBeginsBehindAReplacedFileIsWhatWasLoaded() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 60_000, signal: busySignal)
    let all = sequentialDecode(path)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: .none, headSeconds: 0.25)
    let other = directory.sound(.wav, rate: 48_000, channels: 2, frames: 60_000, named: "other") { _, _ in 0.5 }
    #expect(rename(other, path) == 0)
    let feeder = StreamFeeder(rate: 48_000, streams: 1, ringSeconds: 2)
    let stream = try feeder.open(track)
    var heard: [Float] = []
    while !(isComplete(stream) && ready(stream) == 0) {
      feeder.pump()
      heard += consume(stream, 1_000)
    }
    #expect(heard == all && feeder.drainFailures().isEmpty)
  }

  /// What was loaded is not there any more: its head is, and nothing of the other behind it.
  @Test func whatWasWrittenToIsNotReadForWhatWasLoaded() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 60_000, signal: busySignal)
    let all = sequentialDecode(path)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: .none, headSeconds: 0.25)
    let file = open(path, O_WRONLY)
    // Whatever the clock of the file system, it is another time.
    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    #expect(futimens(file, &times) == 0)
    close(file)
    let feeder = StreamFeeder(rate: 48_000, streams: 1, ringSeconds: 2)
    let stream = try feeder.open(track)
    feeder.pump()
    #expect(isComplete(stream))
    let heard = consume(stream, 60_000)
    #expect(Array(heard.prefix(24_000)) == Array(all.prefix(24_000)) && heard.count < 26_000)
    #expect(feeder.drainFailures().map(\.error.kind) == [.changed])
  }

  @Test func aRingIsFilledAndNeverOverfilledHoweverSlowTheListener() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 50_000, signal: busySignal)
    let feeder = StreamFeeder(rate: 48_000, streams: 1, ringSeconds: 0.5)
    let stream = try feeder.open(try StreamedTrack(path: path, rate: 48_000, headSeconds: 0.1))
    let capacity = stream.ring.pointee.capacityFrames
    #expect(capacity == 32_768)
    var heard: [Float] = []
    for step in 0..<100 {
      feeder.pump()
      feeder.pump()
      #expect(ready(stream) > capacity - StreamReader.chunk && ready(stream) <= capacity)
      heard += consume(stream, step % 3 == 0 ? 1 : 1_500)
    }
    let all = sequentialDecode(path)
    #expect(heard == Array((all + all)[..<heard.count]))
    #expect(heard.count > 2 * 90_000)
  }

  @Test func loopsGoOnInTheRingForEver() throws {
    let path = directory.sound(.ogg, rate: 48_000, channels: 2, frames: 30_000, signal: busySignal)
    let all = sequentialDecode(path)
    let track = try StreamedTrack(
      path: path, rate: 48_000, loop: .seconds(start: 0.125, end: 0.5), headSeconds: 1)
    let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 1)
    let stream = try feeder.open(track)
    var heard: [Float] = []
    for _ in 0..<40 {
      feeder.pump()
      heard += consume(stream, 4_321)
    }
    #expect(heard.count == 2 * 172_840)
    // The loop's end is at 24 000 frames, its start at 6 000.
    let expected = (0..<172_840).map { (position: Int) -> Float in
      let frame = position < 24_000 ? position : 6_000 + (position - 24_000) % 18_000
      return all[2 * frame]
    }
    let left = (0..<172_840).map { (frame: Int) -> Float in heard[2 * frame] }
    #expect(left == expected)
  }

  @Test func aTrackPlaysOnceOrRepeatsWhateverItWasLoadedToDo() throws {
    let path = directory.sound(.flac, rate: 48_000, channels: 2, frames: 90_000, signal: busySignal)
    let all = sequentialDecode(path)
    // A head that covers the whole file cannot serve both ways; a short one can.
    for headSeconds in [0.25, 60] {
      let looping = try StreamedTrack(path: path, rate: 48_000, headSeconds: headSeconds)
      let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 4)
      let once = try feeder.open(looping.playing(loops: false))
      feeder.pump()
      #expect(isComplete(once))
      #expect(consume(once, 200_000) == all)
      let again = try feeder.open(looping.playing(loops: false).playing(loops: true))
      feeder.pump()
      #expect(consume(again, 100_000) == Array((all + all)[..<200_000]))
    }
  }

  @Test func turnedThereAndBackATrackRepeatsItsOwnLoopEvenWithItsFileGone() throws {
    let path = directory.sound(.flac, rate: 48_000, channels: 2, frames: 20_000, signal: busySignal)
    let all = sequentialDecode(path)
    let loop = TrackLoop.seconds(start: 0.125, end: 0.375)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: loop, headSeconds: 2)
    unlink(path)
    let once = try track.playing(loops: false)
    let again = try once.playing(loops: true)
    #expect(once.loop == nil && once.headFrames == 20_000 && again.loop == 6_000..<18_000)
    #expect((0..<40_000).map { once.head.samples[$0] } == all)
    for frame in [0, 17_999, 18_000, 29_999, 30_000, 95_999] {
      let source = frame < 18_000 ? frame : 6_000 + (frame - 18_000) % 12_000
      #expect(again.head.samples[2 * frame] == all[2 * source], "frame \(frame)")
    }
  }

  @Test(arguments: [1, 2, 3, 100, 146, 147, 148, 280, 300, 441, 1_000, 2_204])
  func aTrackTooShortToRepeatPlaysOnce(frames: Int) throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: frames, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: .none)
    #expect(track.headFrames == track.frames && track.residentBytes == 8 * Int(track.frames))
    #expect(throws: Problem.self) { try track.playing(loops: true) }
  }

  @Test func aStreamFromBehindTheHeadBeginsAtTheExactFrame() throws {
    let path = directory.sound(.mp3, rate: 44_100, channels: 2, frames: 80_000, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: .none, headSeconds: 0.1)
    let all = try TrackReader(path: path, plan: track.plan).readAll()
    let feeder = StreamFeeder(rate: 48_000, ringSeconds: 2)
    for start in [0, 4_799, 4_800, 50_000, 87_074] {
      let stream = try feeder.open(track, fromFrame: Int64(start))
      #expect(stream.position == Int64(start))
      #expect(stream.framesReady == max(0, 4_800 - start))
      feeder.pump()
      #expect(isComplete(stream))
      #expect(greatestDifference(consume(stream, 100_000), all[(2 * start)...]) < 2e-6, "from \(start)")
      feeder.close(stream.id)
    }
  }

  @Test func aStreamFromTheEndIsCompleteAtOnce() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 4_000, signal: busySignal)
    let feeder = StreamFeeder(rate: 48_000)
    let track = try StreamedTrack(path: path, rate: 48_000, loop: .none)
    let end = try feeder.open(track, fromFrame: .max)
    #expect(end.position == 4_000)
    #expect(isComplete(end) && ready(end) == 0)
    // All of a track that is no longer than its head.
    let whole = try feeder.open(track, fromFrame: -10)
    #expect(whole.position == 0)
    #expect(isComplete(whole) && ready(whole) == 4_000)
  }

  @Test func aFullPoolRefusesAndAClosedStreamIsUsedAgain() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 50_000, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: 48_000)
    let feeder = StreamFeeder(rate: 48_000, streams: 3)
    let streams = try (0..<3).map { _ in try feeder.open(track) }
    #expect(Set(streams.map(\.ring)).count == 3)
    let error = #expect(throws: Problem.self) { try feeder.open(track) }
    #expect(error?.kind == .busy)
    #expect(
      error?.description == "\(path): all 3 streams are in use, or not let go of yet; ask again in some milliseconds")
    feeder.pump()
    feeder.close(streams[1].id)
    feeder.close(streams[1].id)
    let again = try feeder.open(track, fromFrame: 10)
    #expect(again.ring == streams[1].ring)
    #expect(again.id != streams[1].id)
    #expect(ready(again) == 14_400 - 10)
    // A late second close of the old id must not hit the new stream.
    feeder.close(streams[1].id)
    feeder.pump()
    #expect(feeder.openCount == 3)
    #expect(consume(again, 40_000) == Array(sequentialDecode(path)[20..<80_020]))
  }

  /// Pages of a ring's first layer that are in memory.
  func residentPages(_ stream: OpenStream) -> Int {
    let bytes = stream.ring.pointee.capacityFrames * 2 * MemoryLayout<Float>.stride
    var pages = [UInt8](repeating: 0, count: bytes / Int(getpagesize()))
    let samples = UnsafeMutableRawPointer(mutating: stream.ring.pointee.piece(at: 0).samples)
    #expect(mincore(samples, bytes, &pages) == 0)
    return pages.count { $0 & 1 == 1 }
  }

  @Test func whatACrowdOfStreamsTookIsGivenBackAndTheirRingsPlayAgain() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 100_000, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: 48_000)
    let feeder = StreamFeeder(rate: 48_000, streams: 6)
    let streams = try (0..<6).map { _ in try feeder.open(track) }
    feeder.pump()
    let page = Int(getpagesize())
    let filled = (Int(streams[0].ring.pointee.framesWritten) * 8 + page - 1) / page
    #expect(filled > 50_000 * 8 / page)
    // Others may have touched more of it before.
    #expect(streams.allSatisfy { residentPages($0) >= filled })
    for stream in streams { feeder.close(stream.id) }
    feeder.pump()
    #expect(streams.map { residentPages($0) >= filled } == [true, true, true, true, false, false])
    #expect(streams.suffix(2).map(residentPages) == [0, 0])
    let again = try (0..<6).map { try feeder.open(track, fromFrame: Int64($0)) }
    feeder.pump()
    let decoded = sequentialDecode(path)
    for (index, stream) in again.enumerated() {
      let samples = consume(stream, 65_536)
      #expect(samples.count > 2 * 50_000)
      #expect(samples == Array(decoded[(2 * index)..<(2 * index + samples.count)]))
    }
  }

  @Test func aFileThatBreaksOffEndsItsOwnStreamFadedAndIsTold() throws {
    _ = directory.sound(.flac, rate: 48_000, channels: 2, frames: 40_000) { _, _ in 0.5 }
    let good = directory.sound(.wav, rate: 48_000, channels: 2, frames: 40_000, signal: busySignal)
    let noisy = directory.sound(.flac, rate: 48_000, channels: 2, frames: 40_001, signal: busySignal)
    let feeder = StreamFeeder(rate: 48_000, ringSeconds: 1)
    let track = try StreamedTrack(path: noisy, rate: 48_000, loop: .none, headSeconds: 0.1)
    directory.loseEnd("flac-48000-2-40001")
    let broken = try feeder.open(track)
    let other = try feeder.open(try StreamedTrack(path: good, rate: 48_000, loop: .none))
    feeder.pump()
    let failures = feeder.drainFailures()
    #expect(failures.map(\.id) == [broken.id])
    #expect(failures.first?.error.kind == .truncated)
    #expect(feeder.drainFailures().isEmpty)
    #expect(isComplete(broken))
    let heard = consume(broken, 40_000)
    let fade = heard.suffix(2 * 240)
    #expect(heard.suffix(2) == [0, 0])
    #expect(zip(fade, fade.dropFirst(2)).allSatisfy { abs($0) >= abs($1) && abs($0 - $1) < 0.003 })
    #expect(isComplete(other) && ready(other) == 40_000)
  }

  /// Faded over 5 ms.
  @Test(arguments: [(44_100, 4_410 + 220), (48_000, 4_800 + 240), (96_000, 9_600 + 480), (192_000, 19_200 + 960)])
  func aFileThatIsGoneEndsItsStreamBehindTheHead(rate: Int, frames: Int) throws {
    let path = directory.sound(.wav, rate: rate, channels: 2, frames: 40_000, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: rate, headSeconds: 0.1)
    _ = directory.bytes("wav-\(rate)-2-40000", [])
    let feeder = StreamFeeder(rate: rate)
    let stream = try feeder.open(track)
    feeder.pump()
    #expect(feeder.drainFailures().first?.error.kind == .changed)
    #expect(isComplete(stream))
    #expect(ready(stream) == frames)
  }

  @Test func theDecodeThreadFillsWhatIsOpen() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 200_000, signal: busySignal)
    let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 1)
    let stream = try feeder.open(try StreamedTrack(path: path, rate: 48_000, headSeconds: 0.1))
    let thread = try DecodeThread(feeder, everyMilliseconds: 60_000)
    thread.wake()
    thread.stop(withinMilliseconds: 60_000)
    #expect(ready(stream) > stream.ring.pointee.capacityFrames - StreamReader.chunk)
  }

  @Test func aFileThatDoesNotAnswerKeepsNobodyFromTheOthers() throws {
    let feeder = StreamFeeder(rate: 48_000, streams: 3, ringSeconds: 1)
    func open(_ frames: Int) throws -> OpenStream {
      let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: frames, signal: busySignal)
      return try feeder.open(try StreamedTrack(path: path, rate: 48_000, headSeconds: 0.1))
    }
    let slow = try open(100_000)
    var other: OpenStream?
    // While one piece is read, as by a thread that waits for its file, another pumps.
    var isFirst = true
    var failure: (any Error)?
    feeder.pump { isReading in
      guard isReading, isFirst else { return }
      isFirst = false
      do {
        other = try open(100_001)
        #expect(feeder.pump())
        feeder.close(slow.id)
        #expect(feeder.pump())
        #expect(feeder.openCount == 2, "who is at it frees it")
      } catch {
        failure = error
      }
    }
    #expect(failure == nil)
    let read = try #require(other)
    #expect(ready(read) > read.ring.pointee.capacityFrames - StreamReader.chunk)
    #expect(feeder.openCount == 1)
  }

  @Test func aFeederIsToBePumpedAgainWhileAStreamIsNotAtItsEnd() throws {
    let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 1)
    #expect(!feeder.pump())
    let short = directory.sound(.wav, rate: 48_000, channels: 2, frames: 20_000, signal: busySignal)
    let track = try StreamedTrack(path: short, rate: 48_000, headSeconds: 0.1)
    let ending = try feeder.open(track.playing(loops: false))
    #expect(!feeder.pump(), "all of it is in its ring")
    let long = directory.sound(.wav, rate: 48_000, channels: 2, frames: 200_000, signal: busySignal)
    let lasting = try feeder.open(try StreamedTrack(path: long, rate: 48_000, headSeconds: 0.1))
    #expect(feeder.pump())
    feeder.close(lasting.id)
    feeder.close(ending.id)
    #expect(!feeder.pump())
    #expect(feeder.openCount == 0)
  }

  @Test func nineLongTracksFitInTheirMemory() throws {
    let feeder = StreamFeeder(rate: 48_000)
    let path = directory.sound(.flac, rate: 48_000, channels: 2, frames: 96_000, signal: busySignal)
    let track = try StreamedTrack(path: path, rate: 48_000)
    // Length does not matter to what a track keeps: 9 heads of 0.3 s and 12 rings of 1.4 s.
    #expect(9 * track.residentBytes + feeder.ringBytes == 9 * 57_600 + 12 * 524_288)
  }
}
