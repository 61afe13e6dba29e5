// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Glibc
import StarlightClient
import Synchronization

/// A socket that greets a game as a daemon on the stepped clock would, of which no time is asked, and takes whatever it asks.
final class StandInDaemon: Sendable {
  private let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  private let heard = DispatchSemaphore(value: 0)
  private let asked = Mutex<[String]>([])

  private struct Request: Decodable {
    var id: Int64
    var method: String
  }

  private struct Reply<Result: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: Int64
    var result: Result
  }

  private struct Subscribed: Encodable {
    var topics: [Topic] = []
    var snapshot: EngineStatus.Result
  }

  /// Listens there, for one game.
  init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listener, 1) == 0, case .connected(let session) = try session(clock: .stepped) else {
      throw ClientError(.closed, "nothing can be listened to at \(path)")
    }
    DispatchQueue(label: "stand-in").async { [self] in serve(session) }
  }

  /// Waits until a method is asked for; false where it is not within a minute of anything before it.
  func wait(for method: String) -> Bool {
    while !asked.withLock({ $0.contains(method) }) {
      if heard.wait(timeout: .now() + 60) == .timedOut { return false }
    }
    return true
  }

  /// Until the game goes.
  private func serve(_ session: Session) {
    let descriptor = accept(listener, nil, nil)
    defer {
      close(descriptor)
      close(listener)
    }
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    while read(descriptor, &byte, 1) == 1 {
      line.append(byte)
      guard byte == UInt8(ascii: "\n") else { continue }
      if let request = try? JSONDecoder().decode(Request.self, from: Data(line)) { take(request, session, descriptor) }
      line = []
    }
  }

  private func take(_ request: Request, _ session: Session, _ descriptor: Int32) {
    func reply(_ result: some Encodable) -> Data? { try? JSONEncoder().encode(Reply(id: request.id, result: result)) }
    let reply =
      switch request.method {
      case SessionHello.name: reply(session.hello)
      case SessionUse.name: reply(SessionUse.Result(pack: "freefall"))
      case EventsSubscribe.name: reply(Subscribed(snapshot: session.snapshot))
      default: reply(Empty())
      }
    let bytes = [UInt8](reply ?? Data()) + [UInt8(ascii: "\n")]
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    asked.withLock { $0.append(request.method) }
    heard.signal()
  }
}
