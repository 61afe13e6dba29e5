// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Server

/// Lines of any length, read in pieces of any size and served whenever there is time.
@Suite struct RandomArrivalsTests {
  private static let most = 24

  /// What was sent up to a byte, and when each byte was read.
  private struct Stream {
    var bytes: [UInt8] = []
    var readAt: [Instant] = []
  }

  /// What a plain look at the whole stream says of its lines: their text, or none where they are too long, and when they were whole.
  private func lines(of stream: Stream) -> [(text: [UInt8]?, at: Instant?)] {
    var lines: [(text: [UInt8]?, at: Instant?)] = []
    var text: [UInt8] = []
    for (byte, at) in zip(stream.bytes, stream.readAt) {
      if byte != 0x0A {
        text.append(byte)
        continue
      }
      // One that is too long is told of as soon as that is known.
      lines.append(text.count > Self.most ? (nil, nil) : (text, at))
      text = []
    }
    if text.count > Self.most { lines.append((nil, nil)) }
    return lines
  }

  @Test func eachLineIsOfWhenItsLastByteWasReadHoweverTheStreamIsCut() throws {
    try search(upTo: 60) { random in
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Unmet("no sockets") }
      defer { close(ends[1]) }
      let channel = ClientChannel(id: ClientID(rawValue: 1), descriptor: ends[0], limits: Limits(), patience: 0)
      let connection = Connection(
        channel: channel, peer: Peer(user: 1, process: 1), maximumLineBytes: Self.most, toldUpTo: 0)
      var stream = Stream()
      let length = random.pick([3, 10, 40])
      var served = 0
      for reading in 1...40 as ClosedRange<Int64> {
        let at = Instant(microseconds: reading * 10)
        let longest = random.oneIn(4) ? 3 : 60
        let piece = (0..<random.next(below: longest)).map { _ -> UInt8 in
          random.oneIn(length) ? 0x0A : UInt8(random.integer(0x61...0x7A))
        }
        stream.bytes += piece
        stream.readAt += [Instant](repeating: at, count: piece.count)
        piece.withUnsafeBufferPointer { connection.take($0, at: at) }
        if random.oneIn(3) { continue }
        let expected = lines(of: stream)
        // Some are served, or all.
        var left = random.oneIn(2) ? Int.max : random.next(below: 4)
        while left > 0, let line = connection.nextLine() {
          guard served < expected.count else { throw Unmet("line \(line.number) was never sent") }
          let (text, at) = expected[served]
          served += 1
          try hold(line.number == UInt64(served), "line \(served) has number \(line.number)")
          try hold(line.item == text.map { .line($0) } ?? .tooLong, "line \(served) is \(line.item), not \(text ?? [])")
          try hold(at.map { $0 == line.at } ?? true, "line \(served) came at \(line.at), not at \(at ?? .zero)")
          left -= 1
        }
        guard left > 0 else { continue }
        try hold(served == expected.count, "\(served) lines of \(expected.count)")
        try hold(connection.drained, "nothing waits, and it is not drained")
        try hold(connection.bufferedBytes <= Self.most, "\(connection.bufferedBytes) bytes of one line are kept")
      }
    }
  }
}
