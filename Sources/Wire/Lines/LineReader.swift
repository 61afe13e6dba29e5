// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines, holding no more than one line too long to be read.
public struct LineReader: Sendable {
  /// What was cut off.
  public enum Item: Equatable, Sendable {
    /// One line without its line feed.
    case line([UInt8])
    /// A line longer than allowed: told once, as soon as it is known, and the rest of that line dropped.
    case tooLong
  }

  private let maximumLineBytes: Int
  private var buffer: [UInt8] = []
  /// Where the first line not handed out begins.
  private var start = 0
  /// Up to where no line feed was found.
  private var scanned = 0
  private var discarding = false

  /// A reader of lines of at most `maximumLineBytes` bytes, the line feed not counted.
  public init(maximumLineBytes: Int) { self.maximumLineBytes = maximumLineBytes }

  /// Bytes held and not handed out.
  public var bufferedBytes: Int { buffer.count - start }

  /// Takes what was read.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    makeRoom()
    buffer.append(contentsOf: bytes)
  }

  /// Takes what was read into memory of the reader's own.
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    makeRoom()
    buffer.append(contentsOf: bytes)
  }

  private mutating func makeRoom() {
    if start > 0, start == buffer.count || start > 65_536 {
      buffer.removeFirst(start)
      scanned -= start
      start = 0
    }
  }

  /// The next whole line, if there is one.
  public mutating func next() -> Item? {
    while true {
      guard let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) else { return unfinished() }
      let line = start..<end
      start = end + 1
      scanned = start
      if discarding {
        discarding = false
        continue
      }
      return line.count > maximumLineBytes ? .tooLong : .line(Array(buffer[line]))
    }
  }

  private mutating func unfinished() -> Item? {
    scanned = buffer.count
    let tooLong = !discarding && bufferedBytes > maximumLineBytes
    if discarding || tooLong {
      discarding = true
      buffer.removeAll()
      (start, scanned) = (0, 0)
    }
    return tooLong ? .tooLong : nil
  }
}
