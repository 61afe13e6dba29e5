// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Problems

/// Writes interleaved floats to a WAV file, in order, from one thread; RF64 from 4 GiB on. The header is brought up to
/// date by `checkpoint` and `finish`, so that a recording cut short can be played up to the last checkpoint.
///
/// A pipe is written to as well; its header stays as it was at first. One whose reader does not read for 2 s fails.
public struct WaveWriter: ~Copyable {
  /// How samples are kept.
  public enum Encoding: Sendable {
    /// 32-bit float: exactly what was rendered.
    case float32
    /// 16-bit integer, rounded and clipped like an output device's.
    case signed16

    var sampleBytes: Int { self == .float32 ? 4 : 2 }
  }

  /// Where it writes.
  public let path: String
  private let name: String
  /// Frames taken so far.
  public private(set) var frames: Int64 = 0

  private let descriptor: Int32
  private let channels: Int
  private let encoding: Encoding
  private let header: WaveHeader
  /// Bytes in the file, the header's among them.
  private var written: Int64 = 0
  private var pending: [UInt8] = []

  private static let flushThreshold = 64 * 1_024
  /// How long the reader of a pipe is waited for, in milliseconds.
  private static let pipePatience: Int32 = 2_000

  /// Creates (or empties) the file. `channels` and `rate` are at least 1; `riffLimit` is what a RIFF size can say.
  /// A pipe that nobody reads is refused. Problems call it `name`, where that is given.
  public init(
    path: String, named name: String? = nil, rate: Int, channels: Int = 2, encoding: Encoding = .float32,
    riffLimit: Int64 = 0xFFFF_FFFF
  ) throws(Problem) {
    let name = name ?? "the recording \(path)"
    let opened = openSolelyAnew(path, mode: 0o644)
    guard opened >= 0 else {
      let (why, remedy) =
        switch errno {
        case ENXIO: ("nobody reads this pipe", "start its reader first")
        case EBUSY: (reasonNotOpened(EBUSY), "choose another path")
        case let code: (reasonNotOpened(code), "choose a path that can be written")
        }
      throw Problem(.recordingFailed, file: path, "cannot create \(name): \(why)", remedy: remedy)
    }
    self.path = path
    self.name = name
    self.channels = channels
    self.encoding = encoding
    descriptor = opened
    header = WaveHeader(channels: channels, rate: rate, encoding: encoding, riffLimit: riffLimit)
    pending = header.bytes(frames: 0)
  }

  deinit { closeSole(descriptor) }

  /// Appends `samples.count / channels` frames; a sample too many is dropped.
  public mutating func write(_ samples: UnsafeBufferPointer<Float>) throws(Problem) {
    let count = samples.count / channels
    append(UnsafeBufferPointer(rebasing: samples.prefix(count * channels)))
    frames += Int64(count)
    if pending.count >= Self.flushThreshold { try flush() }
  }

  /// Appends frames of silence.
  public mutating func writeSilence(frames count: Int64) throws(Problem) {
    let block = [Float](repeating: 0, count: 1_024 * channels)
    var left = count
    while left > 0 {
      let part = Int(min(left, 1_024))
      var failure: Problem?
      block.withUnsafeBufferPointer { samples in
        do throws(Problem) {
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
  public mutating func checkpoint() throws(Problem) {
    try flush()
    try writeHeader()
  }

  /// Finishes the file: what is known of it now is all that will be. The descriptor is closed when the writer goes.
  public mutating func finish() throws(Problem) {
    try checkpoint()
    try checkWhole()
    if let code = deferredFailure(of: descriptor) { throw failed(code) }
  }

  /// All at once: minutes of sound go through here, also in builds that are not optimised.
  private mutating func append(_ samples: UnsafeBufferPointer<Float>) {
    #if _endian(big)
      #error("a WAVE file's samples are little-endian, and are written as they lie in memory")
    #endif
    switch encoding {
    case .float32: pending.append(contentsOf: UnsafeRawBufferPointer(samples))
    case .signed16:
      let words = samples.map { Int16(truncatingIfNeeded: quantise($0, scale: 0x1p15)) }
      words.withUnsafeBytes { pending.append(contentsOf: $0) }
    }
  }

  private mutating func flush() throws(Problem) {
    try checkWhole()
    var start = 0
    while start < pending.count {
      let count = pending.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        try awaitReader()
        continue
      }
      guard count > 0 else {
        let code = errno
        // What did get in can be played.
        try? writeHeader()
        throw failed(code)
      }
      start += count
      written += Int64(count)
    }
    pending.removeAll(keepingCapacity: true)
  }

  private func checkWhole() throws(Problem) {
    guard let damage = FileDamage(to: descriptor, after: written) else { return }
    throw Problem(
      .recordingFailed, file: path, "cannot write \(name): \(damage.reason)",
      remedy: "leave it in place, and record anew")
  }

  /// Has the header say what is in the file; nothing in a pipe.
  private func writeHeader() throws(Problem) {
    let data = max(0, written - Int64(header.count))
    let bytes = header.bytes(frames: data / Int64(channels * encoding.sampleBytes))
    // A file that is open for appending is written at its end, wherever one asks (pwrite(2)). Samples are appended, so that a file
    // which is cut short is not made long again.
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK | O_APPEND) }
    let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count || errno == ESPIPE else { throw failed(errno) }
  }

  private func awaitReader() throws(Problem) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, Self.pipePatience) == 0 else { return }
    throw Problem(
      .recordingFailed, file: path, "cannot write \(name): its reader took nothing for \(Self.pipePatience / 1_000) s"
    )
  }

  private func failed(_ code: Int32) -> Problem {
    let remedy =
      switch code {
      case ENOSPC, EDQUOT: "free some space and record anew"
      case EFBIG: "raise the limit on the size of files (ulimit -f, LimitFSIZE) and record anew"
      case EPIPE: "start its reader again and record anew"
      default: "record anew, elsewhere"
      }
    return Problem(
      .recordingFailed, file: path, "cannot write \(name): \(reason(code))", remedy: "it ends here: " + remedy)
  }
}

/// The system's words for an errno.
func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
