import AudioOutput
import Testing

@Suite struct WaveWriterTests {
  private func write(_ samples: [Float], to writer: inout WaveWriter) throws(AudioOutputError) {
    let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
    _ = copy.initialize(from: samples)
    defer { copy.deallocate() }
    try writer.write(UnsafeBufferPointer(copy))
  }

  @Test func sixteenBitFilesAreTheseBytes() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000, encoding: .signed16)
    try write([0.5, -0.5, 1, -1], to: &writer)
    try writer.close()
    let expected: [UInt8] =
      [0x52, 0x49, 0x46, 0x46, 44, 0, 0, 0, 0x57, 0x41, 0x56, 0x45]
      + [0x66, 0x6D, 0x74, 0x20, 16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0x00, 0xEE, 0x02, 0, 4, 0, 16, 0]
      + [0x64, 0x61, 0x74, 0x61, 8, 0, 0, 0]
      + [0, 0x40, 0, 0xC0, 0xFF, 0x7F, 0, 0x80]
    #expect(file.bytes == expected)
  }

  @Test func floatFilesAreTheseBytes() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 44_100, encoding: .float32)
    try write([1, -2], to: &writer)
    try writer.close()
    let expected: [UInt8] =
      [0x52, 0x49, 0x46, 0x46, 58, 0, 0, 0, 0x57, 0x41, 0x56, 0x45]
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
    #expect(file.bytes[54...57] == [8, 0, 0, 0])
    #expect(file.floats(after: 58) == [0.25, 0.75])
    try write([0.5, 0.5], to: &writer)
    try writer.close()
    #expect(file.bytes[54...57] == [16, 0, 0, 0])
    #expect(file.floats(after: 58) == [0.25, 0.75, 0.5, 0.5])
  }

  @Test func silenceOfManyBlocksIsAllThere() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000)
    try writer.writeSilence(frames: 20_000)
    try write([1, 1], to: &writer)
    #expect(writer.frames == 20_001)
    try writer.close()
    let floats = file.floats(after: 58)
    #expect(floats.count == 40_002)
    #expect(floats.dropLast(2).allSatisfy { $0 == 0 })
    #expect(floats.suffix(2) == [1, 1])
  }

  @Test func aFullFileSaysSoAndStaysWhole() throws {
    let file = TemporaryFile()
    var writer = try WaveWriter(path: file.path, rate: 48_000, encoding: .signed16, byteLimit: 44 + 8)
    try write([0, 0, 0, 0], to: &writer)
    #expect(throws: AudioOutputError.self) { try self.write([0, 0], to: &writer) }
    try writer.close()
    #expect(file.bytes.count == 52)
  }

  @Test func aPathThatCannotBeWrittenIsNamed() {
    do throws(AudioOutputError) {
      _ = try WaveWriter(path: "/nowhere/at/all.wav", rate: 48_000)
      Issue.record("the file was created")
    } catch {
      #expect(error.code == .recordingFailed)
      #expect(error.message.contains("/nowhere/at/all.wav"))
      #expect(error.message.contains("No such file or directory"))
    }
  }

  @Test func aFullDiskIsAnError() throws {
    var writer = try WaveWriter(path: "/dev/full", rate: 48_000)
    do throws(AudioOutputError) {
      try writer.writeSilence(frames: 100_000)
      Issue.record("the device took it")
    } catch {
      #expect(error.message.contains("No space left on device"))
    }
  }
}
