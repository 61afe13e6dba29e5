// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connected Unix socket: whole lines out, bytes in, every wait bounded. Closed when let go of.
struct Transport: ~Copyable {
  let descriptor: Int32
  /// Where it was connected to, if it was by path.
  let path: String?

  /// Takes over a connected stream socket.
  init(adopting descriptor: Int32, path: String? = nil) {
    self.descriptor = descriptor
    self.path = path
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// A program that is just being started holds the socket too until it runs: the daemon learns now that nobody is here.
  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  enum ConnectFailure: Error, Equatable {
    case missing
    case nobodyListens
    case pathTooLong(limit: Int)
    case system(Int32)
  }

  /// Connects to the socket at `path`. Where the daemon is too busy to take the connection it `waits` for 5 s at most, or
  /// fails at once.
  init(path: String, waits: Bool) throws(ConnectFailure) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity else { throw .pathTooLong(limit: capacity - 1) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

    let mode = Int32(SOCK_CLOEXEC.rawValue) | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | mode, 0)
    guard descriptor >= 0 else { throw .system(errno) }
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else {
      let code = errno
      close(descriptor)
      switch code {
      case ENOENT, ENOTDIR: throw .missing
      case ECONNREFUSED: throw .nobodyListens
      default: throw .system(code)
      }
    }
    self.init(adopting: descriptor, path: path)
  }

  /// What one attempt to move bytes came to.
  enum Progress {
    case bytes(Int)
    case wouldBlock
    case closed
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Progress {
    progress {
      bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
  }

  func receive(into buffer: inout [UInt8]) -> Progress {
    let result = progress { buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) } }
    if case .bytes(0) = result { return .closed }
    return result
  }

  private func progress(_ call: () -> Int) -> Progress {
    while true {
      let count = call()
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN { return .wouldBlock }
      if errno != EINTR { return .closed }
    }
  }

  /// Waits until `events` or the deadline, rounded up to a millisecond; false when the deadline came first.
  func wait(for events: Int32, until deadlineNs: Int64) -> Bool {
    while true {
      let left = max(0, deadlineNs - monotonicNs())
      var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let ready = poll(&watched, 1, Int32(min(left / 1_000_000 + (left % 1_000_000 > 0 ? 1 : 0), 3_600_000)))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return false }
      if ready == 0, monotonicNs() >= deadlineNs { return false }
    }
  }
}

/// CLOCK_MONOTONIC in nanoseconds.
func monotonicNs() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// The instant so many microseconds from now; never where that is beyond all counting.
func deadlineNs(afterUs timeoutUs: Int64) -> Int64 {
  let (span, tooLong) = max(0, timeoutUs).multipliedReportingOverflow(by: 1_000)
  let (deadline, tooLate) = monotonicNs().addingReportingOverflow(span)
  return tooLong || tooLate ? .max : deadline
}
