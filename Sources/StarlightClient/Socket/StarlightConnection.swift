// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A connection to the daemon: blocking calls with deadlines, for use by one thread. For the programs of this package, which
/// wait for a socket, keys and signals together, or move a stepped clock; a game has `Starlight`.
package final class StarlightConnection {
  /// The socket's path; nothing for a descriptor taken over.
  package var path: String? { transport.path }
  /// For waiting together with other descriptors. Notifications may be queued although it is not readable: ask
  /// `nextNotification(timeoutUs: 0)` first.
  package var descriptor: Int32 { transport.descriptor }

  private let transport: Transport
  private var conversation = Conversation()
  private var scratch = [UInt8](repeating: 0, count: 65_536)
  private var lastID: Int64 = 0
  private var replies: [Int64: Result<[UInt8], RPCError>] = [:]
  private var notifications: [ReceivedNotification] = []

  /// Connects to the daemon at `path`, or to the first found where a daemon is to be expected.
  package init(path: String? = nil) throws(ClientError) {
    let paths = path.map { [$0] } ?? SocketPath.candidates(environment: environment())
    transport = try Transport.connecting(toFirstOf: paths)
  }

  /// Takes over a connected stream socket, for example one end of a socket pair.
  package init(adopting descriptor: Int32) {
    transport = Transport(adopting: descriptor)
  }

  /// Calls a method and waits for its result. Notifications that arrive meanwhile are queued.
  package func call<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, timeoutUs: Int64 = 10_000_000
  ) throws(ClientError) -> Method.Result {
    try result(of: method, id: send(method, params, timeoutUs: timeoutUs), timeoutUs: timeoutUs)
  }

  /// Calls a method by name with params as a JSON object; gives the result as JSON.
  package func call(method: String, params: [UInt8], timeoutUs: Int64 = 10_000_000) throws(ClientError) -> [UInt8] {
    try result(id: send(method: method, params: params, timeoutUs: timeoutUs), timeoutUs: timeoutUs)
  }

  /// Sends a request without waiting; `result` takes its answer later. Answers come in the order of requests.
  package func send<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, timeoutUs: Int64 = 10_000_000
  ) throws(ClientError) -> Int64 {
    let bytes: [UInt8]
    do {
      bytes = try encodeJSON(params)
    } catch {
      throw ClientError(.protocolViolation, "the params of \(Method.name) cannot be written as JSON: \(error)")
    }
    return try send(method: Method.name, params: bytes, timeoutUs: timeoutUs)
  }

  /// Sends a request by name without waiting.
  package func send(method: String, params: [UInt8], timeoutUs: Int64 = 10_000_000) throws(ClientError) -> Int64 {
    lastID += 1
    conversation.sent(lastID)
    try transmit(requestLine(id: lastID, method: method, params: params), timeoutUs)
    return lastID
  }

  /// Sends a line just as it is, a line feed behind it.
  package func send(line: [UInt8], timeoutUs: Int64 = 10_000_000) throws(ClientError) {
    conversation.sent(nil)
    try transmit(line, timeoutUs)
  }

  private func transmit(_ line: [UInt8], _ timeoutUs: Int64) throws(ClientError) {
    let deadline = deadlineNs(afterUs: timeoutUs)
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      switch transport.send(rest) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .closed: throw closed()
      case .wouldBlock:
        // The daemon reads no more requests while answers to earlier ones are waiting to be read.
        guard transport.wait(for: Int32(POLLIN | POLLOUT), until: deadline) else {
          throw ClientError.timedOut(timeoutUs)
        }
        _ = try receive()
      }
    }
  }

  /// Waits for the result of a request sent earlier.
  package func result<Method: WireMethod>(
    of method: Method.Type, id: Int64, timeoutUs: Int64 = 10_000_000
  ) throws(ClientError) -> Method.Result {
    try decoded(method, result(id: id, timeoutUs: timeoutUs))
  }

  /// Waits for the result, as JSON, of a request sent earlier.
  package func result(id: Int64, timeoutUs: Int64 = 10_000_000) throws(ClientError) -> [UInt8] {
    let deadline = deadlineNs(afterUs: timeoutUs)
    while true {
      switch replies.removeValue(forKey: id) {
      case .success(let result)?: return result
      case .failure(let error)?: throw ClientError(error)
      case nil: try receive(until: deadline, timeoutUs)
      }
    }
  }

  /// The next notification: one that is queued, or the next to come within the time; nothing when there was none.
  package func nextNotification(timeoutUs: Int64) throws(ClientError) -> ReceivedNotification? {
    let deadline = deadlineNs(afterUs: timeoutUs)
    while notifications.isEmpty {
      if try receive() { continue }
      guard transport.wait(for: Int32(POLLIN), until: deadline) else { return nil }
    }
    return notifications.removeFirst()
  }

  /// What the daemon said that was in reply to no request that could be read, if anything: taken away by asking.
  package func takeFarewell() -> RPCError? {
    conversation.takeFarewell()
  }

  private func receive(until deadline: Int64, _ timeoutUs: Int64) throws(ClientError) {
    while !(try receive()) {
      guard transport.wait(for: Int32(POLLIN), until: deadline) else { throw ClientError.timedOut(timeoutUs) }
    }
  }

  /// Takes in what is there; false when there is nothing.
  private func receive() throws(ClientError) -> Bool {
    switch transport.receive(into: &scratch) {
    case .wouldBlock: return false
    case .closed: throw closed()
    case .bytes(let count):
      for heard in try conversation.heard(scratch[..<count]) {
        switch heard {
        case .told(let notification): notifications.append(notification)
        case .reply(let id, let result): replies[id] = result
        }
      }
    }
    return true
  }

  private func closed() -> ClientError { conversation.ended(transport, &scratch) }
}
