// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// An HTTP server for one test: keeps what it was sent, and answers when and what the test says.
final class LocalServer: Sendable {
  /// What came, headers and body.
  struct Received: Sendable {
    var head: String
    var body: String
  }

  let port: Int
  private let listener: Int32
  private let location: String?
  private let state: Mutex<State>
  private let arrived = Arrivals()

  private struct State {
    var statuses: [Int]
    var isHolding: Bool
    var received: [Received] = []
    var held: [(descriptor: Int32, status: Int)] = []
  }

  /// Answers with these in turn, the last again and again; where it holds, not before `release`. All it answers names
  /// `location` as the place to go to.
  init(answering statuses: [Int], isHolding: Bool = false, location: String? = nil) {
    self.location = location
    state = Mutex(State(statuses: statuses, isHolding: isHolding))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, size) = (listener, length)
    port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, size)
        _ = listen(listener, 16)
        _ = getsockname(listener, $0, &length)
      }
      return Int(UInt16(bigEndian: pointer.pointee.sin_port))
    }
    Thread.detachNewThread { [weak self] in
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 { self?.serve(descriptor) }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var received: [Received] { state.withLock { $0.received } }

  /// Waits for that many requests; false where they do not come within a minute.
  func wait(for count: Int) -> Bool { arrived.wait(for: count) }

  /// Answers what waits, and from here on at once.
  func release() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for (descriptor, status) in held { answer(descriptor, status) }
  }

  private func serve(_ descriptor: Int32) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var request: Received?
    while request == nil {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
      request = Self.whole(String(decoding: bytes, as: UTF8.self))
    }
    guard let request else {
      close(descriptor)
      return
    }
    let status = state.withLock { state -> Int? in
      state.received.append(request)
      let status = state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses[0]
      if !state.isHolding { return status }
      state.held.append((descriptor, status))
      return nil
    }
    if let status { answer(descriptor, status) }
    arrived.add()
  }

  private static func whole(_ text: String) -> Received? {
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let (head, body) = (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    return body.utf8.count >= length ?? 0 ? Received(head: head, body: body) : nil
  }

  private func answer(_ descriptor: Int32, _ status: Int) {
    let place = location.map { "Location: \($0)\r\n" } ?? ""
    let text = Array("HTTP/1.1 \(status) X\r\n\(place)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    _ = write(descriptor, text, text.count)
    shutdown(descriptor, Int32(SHUT_WR))
    close(descriptor)
  }
}

/// Counts, and lets others wait for a count.
final class Arrivals: Sendable {
  private let count = Mutex(0)
  private let semaphore = DispatchSemaphore(value: 0)

  func add() {
    count.withLock { $0 += 1 }
    semaphore.signal()
  }

  func wait(for wanted: Int) -> Bool {
    while count.withLock({ $0 }) < wanted {
      if semaphore.wait(timeout: .now() + 60) == .timedOut { return false }
    }
    return true
  }
}
