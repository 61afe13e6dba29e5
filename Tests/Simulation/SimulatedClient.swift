// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A client made of a socket that never waits, and of what it still expects.
final class SimulatedClient {
  /// A request that was sent: what it asked, to judge the reply by.
  struct Sent {
    var id: Int64
    var method: String
    /// The instant asked for.
    var atUs: Int64?
    /// The fade asked for.
    var fadeUs: Int64?
    /// What it names, as it was sent.
    var named: String?
    /// For `sound.stop`: the sound that it names; nil for all.
    var stoppedSound: Int64?
    /// For `haptics.play` the player that it replaces, for `haptics.stop` the one that it names; nil for none.
    var otherPlayer: Int64?
    /// For `sound.play`: whether its end can be foretold.
    var endsByItself = false
    /// The line itself, of a verb of music.
    var line: [UInt8] = []
    /// What becomes of what it plays when its client goes.
    var lifetime = Lifetime(of: [])
    /// For `sound.set`: the sound whose pitch it changes.
    var retunedSound: Int64?
    /// For `music.play`: whether a track that sounds goes on, and whether it loops, where that is asked for.
    var continues = false
    var loops: Bool?
    /// For `cue.fire`: whether each output was to begin as soon as it can.
    var isAsap = false
    /// The same: whether it names no instant and no beat.
    var isForNow = false
    /// The same: whether what is felt waits for the sound, but for one that is too far.
    var waitsForSound = false
    /// For `cue.stop`: the firing.
    var stoppedCue: Int64 = 0
    /// When it was written, on the daemon's clock: a tap without a stamp is one of then.
    var cameUs: Int64?
    /// When it was served, where control was held up in the middle of that.
    var servedUs: Int64?
    /// A tap of a moment in which the daemon stood still: it must not be too late.
    var isOfStall = false
    /// For `rhythm.start`: the map that it gives in place of the chapter's own.
    var map: SimulatedPack.Chapter?
    /// For `sound.play`: of a client that holds a few sounds while another floods.
    var isModest = false
    /// Whether it has to be granted, whatever others asked for.
    var isOwed = false
    /// Whether it may be refused, but not for what others asked for.
    var isNeverBusy = false
    /// Whether its instant was told as the earliest: it is not late.
    var isReachable = false
    /// Whether all that it asks for is within bounds, if only just: it is refused for want of room only.
    var isInBounds = false
    /// For `cue.fire`: how many of its steps are farther ahead than an hour.
    var stepsBeyond = 0
    /// How long its line is.
    var bytes = 0
    /// A request that is out of bounds: refused under its id.
    var isRefused = false
    /// Whether it was a request about the music, the switches or chapters before it was garbled.
    var mayMoveMusic = false
    /// A line that may be no request at all: it may have one reply, of any id.
    var isGarbled = false
  }

  let name: Int
  /// The pack that its bare names are of, as of the last reply.
  var pack = "game"
  /// Told every line that is sent.
  var trace: ((String) -> Void)?
  private(set) var expected: [Sent] = []
  private(set) var isClosed = false
  private(set) var lastSeq: Int64 = 0
  private let descriptor: Int32
  private var outgoing: [UInt8] = []
  private var incoming = LineReader(maximumLineBytes: 1 << 24)

  init(name: Int, path: String) throws {
    self.name = name
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if connected != 0 { throw SimulationFailure("no connection to \(path)") }
  }

  deinit {
    // Another thread may be starting a program, which has a copy until it runs: closing alone would not end the connection.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Whether everything sent was answered.
  var isSettled: Bool { outgoing.isEmpty && expected.allSatisfy(\.isGarbled) }

  func send(_ line: [UInt8], _ sent: Sent) {
    trace?("\(name) > \(String(decoding: line, as: UTF8.self))")
    outgoing += line + [0x0A]
    expected.append(sent)
    expected[expected.count - 1].bytes = line.count
    if !sent.isGarbled { expected[expected.count - 1].lifetime = Lifetime(of: line) }
    if sent.method.hasPrefix("music.") { expected[expected.count - 1].line = line }
  }

  /// Whether all that was asked has been sent.
  var hasSentAll: Bool { outgoing.isEmpty }

  /// Sends what the socket takes; true when something moved.
  func flush() -> Bool {
    if outgoing.isEmpty { return false }
    let count = Glibc.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
    if count > 0 { outgoing.removeFirst(count) }
    return count > 0
  }

  func stopSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The whole lines that are there.
  func receive() -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN) { isClosed = true }
      guard count > 0 else { break }
      incoming.append(buffer[..<count])
    }
    var lines: [[UInt8]] = []
    while case .line(let line)? = incoming.next() { lines.append(line) }
    return lines
  }

  /// The request that a reply with `id` answers: the next one sent, garbled lines having at most one reply each.
  func answered(id: Int64?) throws -> Sent {
    while let first = expected.first {
      if first.id == id {
        expected.removeFirst()
        return first
      }
      guard first.isGarbled else { break }
      expected.removeFirst()
      // The reply may still be that of a garbled line, with whatever id was left in it.
      if id == nil || !expected.contains(where: { $0.id == id }) { return first }
    }
    throw SimulationFailure(
      "client \(name) got a reply to \(id.map(String.init) ?? "null"), expected \(expected.first.map { "\($0)" } ?? "none")"
    )
  }

  /// Numbers of notifications follow each other; one who is behind may miss what newer state has replaced.
  func count(seq: Int64, isBehind: Bool) throws {
    guard seq == lastSeq + 1 || (isBehind && seq > lastSeq) else {
      throw SimulationFailure("client \(name) got notification \(seq) after \(lastSeq)")
    }
    lastSeq = seq
  }
}
