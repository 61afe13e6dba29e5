// SPDX-License-Identifier: Apache-2.0

import Glibc
import Moments

/// A socket without any client library: lines as a person types them.
final class RawConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isOpen = true

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw ProcessFailure("cannot connect to \(path)") }
  }

  deinit { close() }

  func close() {
    if isOpen {
      // Another thread may be starting a program, which has a copy until it runs.
      shutdown(descriptor, Int32(SHUT_RDWR))
      Glibc.close(descriptor)
    }
    isOpen = false
  }

  func send(_ line: String) throws {
    let bytes = Array(line.utf8) + [10]
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw ProcessFailure("the daemon closed the connection") }
      sent += count
    }
  }

  func readLine(timeoutMilliseconds: Int32 = 10_000) throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, timeoutMilliseconds) == 1 else { throw ProcessFailure("no answer") }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { throw ProcessFailure("the daemon closed the connection") }
      buffer += chunk[..<count]
    }
  }

  func roundTrip(_ line: String) throws -> String {
    try send(line)
    return try readLine()
  }
}
