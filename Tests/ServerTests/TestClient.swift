// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A client made of nothing but a socket; never waits.
final class TestClient {
  private(set) var descriptor: Int32
  private var received: [UInt8] = []
  private(set) var isClosed = false

  init?(path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if connected != 0 { return nil }
  }

  deinit { leave() }

  /// Closes its end, both ways, at once: another thread may be starting a program, which has a copy of it until it runs.
  func leave() {
    if descriptor >= 0 {
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
    }
    descriptor = -1
  }

  /// Sends what the socket takes; how many bytes that was.
  @discardableResult func send(_ text: String) -> Int { send(Array(text.utf8)) }

  @discardableResult func send(_ bytes: [UInt8]) -> Int {
    max(0, Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)))
  }

  func stopSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Takes in at most `limit` bytes of what is there.
  func receive(atMost limit: Int = .max) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var taken = 0
    while taken < limit {
      let count = recv(descriptor, &buffer, min(buffer.count, limit - taken), 0)
      if count == 0 || (count < 0 && errno != EAGAIN) { isClosed = true }
      guard count > 0 else { return }
      received += buffer[..<count]
      taken += count
    }
  }

  /// The whole lines that came since the last call.
  func lines() -> [String] {
    receive()
    let text = String(decoding: received, as: UTF8.self)
    guard let end = text.lastIndex(of: "\n") else { return [] }
    received = Array(text[text.index(after: end)...].utf8)
    return text[..<end].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension TestClient {
  /// Waits until something came.
  func waitUntilReadable() {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&watched, 1, -1)
  }
}
