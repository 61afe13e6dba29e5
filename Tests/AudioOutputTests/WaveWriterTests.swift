// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import Glibc
import Problems
import Testing

@testable import AudioOutput

@Suite struct WaveWriterTests {
  /// Room for the sizes of an RF64 file.
  private let junk: [UInt8] = [0x4A, 0x55, 0x4E, 0x4B, 28, 0, 0, 0] + [UInt8](repeating: 0, count: 28)

  private func write(_ samples: [Float], to writer: inout WaveWriter) throws(Problem) {
    let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
    _ = copy.initialize(from: samples)
    defer { copy.deallocate() }
    try writer.write(UnsafeBufferPointer(copy))
  }

  @Test func sixteenBitFilesAreTheseBytes() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000, encoding: .signed16)
    try write([0.5, -0.5, 1, -1], to: &writer)
    try writer.finish()
    let expected: [UInt8] =
      [0x52, 0x49, 0x46, 0x46, 80, 0, 0, 0, 0x57, 0x41, 0x56, 0x45] + junk
      + [0x66, 0x6D, 0x74, 0x20, 16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0x00, 0xEE, 0x02, 0, 4, 0, 16, 0]
      + [0x64, 0x61, 0x74, 0x61, 8, 0, 0, 0]
      + [0, 0x40, 0, 0xC0, 0xFF, 0x7F, 0, 0x80]
    #expect(file.bytes == expected)
  }

  @Test func floatFilesAreTheseBytes() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 44_100, encoding: .float32)
    try write([1, -2], to: &writer)
    try writer.finish()
    let expected: [UInt8] =
      [0x52, 0x49, 0x46, 0x46, 94, 0, 0, 0, 0x57, 0x41, 0x56, 0x45] + junk
      + [0x66, 0x6D, 0x74, 0x20, 18, 0, 0, 0, 3, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x20, 0x62, 0x05, 0, 8, 0, 32, 0, 0, 0]
      + [0x66, 0x61, 0x63, 0x74, 4, 0, 0, 0, 1, 0, 0, 0]
      + [0x64, 0x61, 0x74, 0x61, 8, 0, 0, 0]
      + [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0]
    #expect(file.bytes == expected)
  }

  @Test func aCheckpointMakesWhatIsThereReadable() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try write([0.25, 0.75], to: &writer)
    try writer.checkpoint()
    #expect(file.bytes[90...93] == [8, 0, 0, 0])
    #expect(file.floats(after: 94) == [0.25, 0.75])
    try write([0.5, 0.5], to: &writer)
    try writer.finish()
    #expect(file.bytes[90...93] == [16, 0, 0, 0])
    #expect(file.floats(after: 94) == [0.25, 0.75, 0.5, 0.5])
  }

  @Test func silenceOfManyBlocksIsAllThere() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try writer.writeSilence(frames: 20_000)
    try write([1, 1], to: &writer)
    #expect(writer.frames == 20_001)
    try writer.finish()
    let floats = file.floats(after: 94)
    #expect(floats.count == 40_002)
    #expect(floats.dropLast(2).allSatisfy { $0 == 0 })
    #expect(floats.suffix(2) == [1, 1])
  }

  @Test func aFileBecomesRF64WhereItStandsOnceItsSizesAreTooGreat() throws {
    let file = TemporaryFile()
    // Two frames fit: 86 bytes of header behind the size, and 16 of samples.
    var writer = try WaveWriter(path: file.path, rate: 48_000, riffLimit: 86 + 16)
    try write([0.25, 0.75, 0.5, 0.5], to: &writer)
    try writer.checkpoint()
    #expect(file.bytes[0...3] == [0x52, 0x49, 0x46, 0x46])
    try write([-1, 1], to: &writer)
    try writer.finish()
    func le(_ value: UInt8, bytes: Int) -> [UInt8] { [value] + [UInt8](repeating: 0, count: bytes - 1) }
    let all = [UInt8](repeating: 0xFF, count: 4)
    let expected: [UInt8] =
      Array("RF64".utf8) + all + Array("WAVEds64".utf8) + le(28, bytes: 4) + le(86 + 24, bytes: 8) + le(24, bytes: 8)
      + le(3, bytes: 8) + le(0, bytes: 4)
      + [0x66, 0x6D, 0x74, 0x20, 18, 0, 0, 0, 3, 0, 2, 0, 0x80, 0xBB, 0, 0, 0x00, 0xDC, 0x05, 0, 8, 0, 32, 0, 0, 0]
      + Array("fact".utf8) + le(4, bytes: 4) + all + Array("data".utf8) + all
    #expect(Array(file.bytes.prefix(94)) == expected)
    #expect(file.floats(after: 94) == [0.25, 0.75, 0.5, 0.5, -1, 1])
    #expect(libsndfileReads(file.path) == [0.25, 0.75, 0.5, 0.5, -1, 1])
  }

  @Test func theSizesOfFiveGibibytesAreThereInFull() {
    let header = WaveHeader(channels: 2, rate: 48_000, encoding: .float32, riffLimit: 0xFFFF_FFFF)
    // The last that fits, and the next.
    let most: Int64 = (0xFFFF_FFFF - 86) / 8
    #expect(header.bytes(frames: most).starts(with: Array("RIFF".utf8)))
    #expect(header.bytes(frames: most)[90...93].elementsEqual([0xA8, 0xFF, 0xFF, 0xFF]))
    #expect(header.bytes(frames: most + 1).starts(with: Array("RF64".utf8)))
    let large = header.bytes(frames: 5 << 27)
    #expect(
      large[20..<44].elementsEqual([86, 0, 0, 0x40, 1, 0, 0, 0, 0, 0, 0, 0x40, 1, 0, 0, 0, 0, 0, 0, 0x28, 0, 0, 0, 0]))
  }

  /// A sparse file of 5 GiB: its header, a hole, and its last frame.
  @Test func libsndfileFindsTheLastFrameOfFiveGibibytes() throws {
    let file = TemporaryFile()
    let frames: Int64 = 5 << 27
    let header = WaveHeader(channels: 2, rate: 48_000, encoding: .float32, riffLimit: 0xFFFF_FFFF).bytes(frames: frames)
    let descriptor = open(file.path, O_RDWR)
    defer { close(descriptor) }
    let last: [Float] = [0.125, -0.5]
    #expect(pwrite(descriptor, header, header.count, 0) == header.count)
    #expect(pwrite(descriptor, last, 8, off_t(Int64(header.count) + 8 * (frames - 1))) == 8)
    var info = SF_INFO()
    let sound = try #require(sf_open(file.path, Int32(SFM_READ), &info))
    defer { sf_close(sound) }
    #expect(info.frames == frames && info.channels == 2 && info.samplerate == 48_000)
    #expect(sf_seek(sound, frames - 1, SEEK_SET) == frames - 1)
    var read: [Float] = [0, 0]
    #expect(sf_readf_float(sound, &read, 1) == 1 && read == last)
  }

  private func libsndfileReads(_ path: String) -> [Float] {
    var info = SF_INFO()
    guard let sound = sf_open(path, Int32(SFM_READ), &info) else { return [] }
    defer { sf_close(sound) }
    var samples = [Float](repeating: 0, count: Int(info.frames * Int64(info.channels)) + 8)
    let count = sf_readf_float(sound, &samples, 8)
    return Array(samples.prefix(Int(count * Int64(info.channels))))
  }

  @Test func aPipeThatNobodyReadsIsRefusedAtOnce() {
    let file = TemporaryFile()
    unlink(file.path)
    #expect(mkfifo(file.path, 0o600) == 0)
    let error = #expect(throws: Problem.self) { _ = try WaveWriter(path: file.path, rate: 48_000) }
    #expect(
      error?.description == "cannot create the recording \(file.path): nobody reads this pipe; start its reader first")
  }

  @Test func aPipeIsWrittenToAndItsReaderGetsEverySample() throws {
    let file = TemporaryFile()
    unlink(file.path)
    #expect(mkfifo(file.path, 0o600) == 0)
    let reader = open(file.path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try write([0.25, 0.75], to: &writer)
    try writer.finish()
    var bytes = [UInt8](repeating: 0, count: 200)
    #expect(read(reader, &bytes, 200) == 102)
    #expect(bytes[94..<102].elementsEqual([0, 0, 0x80, 0x3E, 0, 0, 0x40, 0x3F]))
  }

  /// Another thread may be starting a program, which has a copy of what is closed until it runs.
  private func awaitNoReader(of pipe: String) {
    while case let writing = open(pipe, O_WRONLY | O_NONBLOCK), writing >= 0 {
      close(writing)
      sched_yield()
    }
  }

  @Test func aReaderThatLeavesIsAnError() throws {
    let file = TemporaryFile()
    unlink(file.path)
    #expect(mkfifo(file.path, 0o600) == 0)
    let reader = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    close(reader)
    awaitNoReader(of: file.path)
    signal(SIGPIPE, SIG_IGN)
    let error = #expect(throws: Problem.self) { try writer.writeSilence(frames: 10_000) }
    #expect(error?.description.contains("Broken pipe") == true)
  }

  @Test func aPathThatCannotBeWrittenIsNamed() {
    do throws(Problem) {
      _ = try WaveWriter(path: "/nowhere/at/all.wav", rate: 48_000)
      Issue.record("the file was created")
    } catch {
      #expect(error.kind == .recordingFailed)
      #expect(error.description.contains("/nowhere/at/all.wav"))
      #expect(error.description.contains("No such file or directory"))
    }
  }

  @Test func aFileThatIsRemovedIsAnError() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try writer.checkpoint()
    unlink(file.path)
    let error = #expect(throws: Problem.self) { try writer.checkpoint() }
    #expect(error?.kind == .recordingFailed && error?.description.contains("it was removed") == true)
  }

  @Test func aFileThatIsCutShortIsAnErrorAndIsNotMadeLongAgain() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try writer.checkpoint()
    #expect(truncate(file.path, 10) == 0)
    try write([0.5, 0.5], to: &writer)
    let error = #expect(throws: Problem.self) { try writer.checkpoint() }
    #expect(error?.kind == .recordingFailed && error?.description.contains("another program cut it short") == true)
    #expect(file.bytes.count == 10)
  }

  @Test func aFileThatIsBeingWrittenIsRefusedAndLeftAlone() throws {
    let file = TemporaryFile()
    do {
      var writer = try WaveWriter(path: file.path, rate: 48_000)
      try write([0.25, 0.75], to: &writer)
      try writer.checkpoint()
      let error = #expect(throws: Problem.self) { _ = try WaveWriter(path: file.path, rate: 48_000) }
      #expect(
        error?.description
          == "cannot create the recording \(file.path): another program writes it; choose another path")
      try write([0.5, 0.5], to: &writer)
      try writer.finish()
      #expect(file.floats(after: 94) == [0.25, 0.75, 0.5, 0.5])
    }
    var next = try WaveWriter(path: file.path, rate: 48_000)
    try next.finish()
    #expect(file.bytes.count == 94)
  }

  /// Wherever it is cut: also behind the last look at it before a write.
  @Test func aFileThatIsCutShortAsItEndsIsAnError() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try write([0.5, 0.5], to: &writer)
    try writer.checkpoint()
    #expect(truncate(file.path, 95) == 0)
    let error = #expect(throws: Problem.self) { try writer.finish() }
    #expect(error?.description.contains("another program cut it short") == true)
  }

  @Test func aFullDiskIsAnError() throws {
    var writer = try WaveWriter(path: "/dev/full", rate: 48_000)
    do throws(Problem) {
      try writer.writeSilence(frames: 100_000)
      Issue.record("the device took it")
    } catch {
      #expect(error.description.contains("No space left on device"))
    }
  }
}
