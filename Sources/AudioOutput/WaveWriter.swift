import Glibc

/// Writes interleaved floats to a RIFF WAV file, in order, from one thread. The header is brought up to date by
/// `checkpoint` and `close`, so that a recording cut short can be played up to the last checkpoint.
public struct WaveWriter: ~Copyable {
  /// How samples are kept.
  public enum Encoding: Sendable {
    /// 32-bit float: exactly what was rendered.
    case float32
    /// 16-bit integer, rounded and clipped like an output device's.
    case signed16
  }

  /// Where it writes.
  public let path: String
  /// Frames written so far.
  public private(set) var frames: Int64 = 0

  private let descriptor: Int32
  private let channels: Int
  private let rate: Int
  private let encoding: Encoding
  private let frameLimit: Int64
  private var pending: [UInt8] = []

  private static let flushThreshold = 64 * 1_024

  /// Creates (or empties) the file. `channels` and `rate` are at least 1; `byteLimit` is what a RIFF size can say.
  public init(
    path: String, rate: Int, channels: Int = 2, encoding: Encoding = .float32, byteLimit: Int64 = 0xFFFF_FFFF
  ) throws(AudioOutputError) {
    let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw AudioOutputError(
        .recordingFailed, "cannot create the recording \(path): \(reason(errno)); choose a path that can be written")
    }
    self.path = path
    self.rate = rate
    self.channels = channels
    self.encoding = encoding
    descriptor = opened
    let headerBytes = Int64(encoding == .float32 ? 58 : 44)
    frameLimit = (byteLimit - headerBytes) / Int64(channels * (encoding == .float32 ? 4 : 2))
    pending = header()
  }

  deinit { Glibc.close(descriptor) }

  /// Appends `samples.count / channels` frames; a sample too many is dropped.
  public mutating func write(_ samples: UnsafeBufferPointer<Float>) throws(AudioOutputError) {
    let count = samples.count / channels
    guard frames + Int64(count) <= frameLimit else {
      throw AudioOutputError(
        .recordingFull, "the recording \(path) is full: a WAV file holds at most 4 GiB; begin another one")
    }
    for sample in samples.prefix(count * channels) { append(sample) }
    frames += Int64(count)
    if pending.count >= Self.flushThreshold { try flush() }
  }

  /// Appends frames of silence.
  public mutating func writeSilence(frames count: Int64) throws(AudioOutputError) {
    let block = [Float](repeating: 0, count: 1_024 * channels)
    var left = count
    while left > 0 {
      let part = Int(min(left, 1_024))
      var failure: AudioOutputError?
      block.withUnsafeBufferPointer { samples in
        do throws(AudioOutputError) {
          try write(UnsafeBufferPointer(rebasing: samples[..<(part * channels)]))
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      left -= Int64(part)
    }
  }

  /// Writes out what is pending and a header that says so much.
  public mutating func checkpoint() throws(AudioOutputError) {
    try flush()
    let bytes = header()
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == bytes.count || errno == ESPIPE else { throw failed(errno) }
  }

  /// Finishes the file. The descriptor is closed when the writer goes.
  public consuming func close() throws(AudioOutputError) {
    try checkpoint()
  }

  private mutating func append(_ sample: Float) {
    switch encoding {
    case .float32: appendLittleEndian(sample.bitPattern)
    case .signed16: appendLittleEndian(UInt16(bitPattern: Int16(truncatingIfNeeded: quantise(sample, scale: 0x1p15))))
    }
  }

  private mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { pending.append(contentsOf: $0) }
  }

  private mutating func flush() throws(AudioOutputError) {
    var start = 0
    while start < pending.count {
      let written = pending.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw failed(errno) }
      start += written
    }
    pending.removeAll(keepingCapacity: true)
  }

  private func failed(_ code: Int32) -> AudioOutputError {
    AudioOutputError(
      .recordingFailed, "cannot write the recording \(path): \(reason(code)); free some space or record elsewhere")
  }

  /// RIFF, fmt, for floats the fact chunk that the format asks for, and the start of data.
  private func header() -> [UInt8] {
    let isFloat = encoding == .float32
    let sampleBytes = isFloat ? 4 : 2
    let dataBytes = UInt32(frames * Int64(channels * sampleBytes))
    var bytes: [UInt8] = []
    func four(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    func two(_ value: Int) {
      withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += Array("RIFF".utf8)
    four(dataBytes + (isFloat ? 50 : 36))
    bytes += Array("WAVEfmt ".utf8)
    four(isFloat ? 18 : 16)
    two(isFloat ? 3 : 1)
    two(channels)
    four(UInt32(truncatingIfNeeded: rate))
    four(UInt32(truncatingIfNeeded: rate * channels * sampleBytes))
    two(channels * sampleBytes)
    two(8 * sampleBytes)
    if isFloat {
      two(0)
      bytes += Array("fact".utf8)
      four(4)
      four(UInt32(truncatingIfNeeded: frames))
    }
    bytes += Array("data".utf8)
    four(dataBytes)
    return bytes
  }
}

/// The system's words for an errno.
func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
