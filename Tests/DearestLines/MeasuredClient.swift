// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// The other end of a socket, in the daemon's own thread: it never waits.
final class MeasuredClient {
  private let descriptor: Int32
  private var incoming = LineReader(maximumLineBytes: 1 << 24)
  private var outgoing: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if connected != 0 { throw MeasuringFailure("no connection to \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  func send(_ line: String) { send(Array(line.utf8)) }

  func send(_ line: [UInt8]) {
    outgoing += line + [0x0A]
    flush()
  }

  private func flush() {
    guard !outgoing.isEmpty else { return }
    let count = Glibc.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
    if count > 0 { outgoing.removeFirst(count) }
  }

  /// Takes what there is, and looks at none of it.
  func drain() {
    flush()
    while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
  }

  /// The whole lines that are there.
  func receive() -> [[UInt8]] {
    flush()
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { incoming.append(buffer[..<count]) }
    var lines: [[UInt8]] = []
    while case .line(let line)? = incoming.next() { lines.append(line) }
    return lines
  }
}
