// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A connection to the daemon: blocking calls with deadlines, for use by one thread.
public final class StarlightConnection {
  /// The socket's path; nothing for a descriptor taken over.
  public var path: String? { transport.path }
  /// For waiting together with other descriptors. Notifications may be queued although it is not readable: ask
  /// `nextNotification(timeoutUs: 0)` first.
  public var descriptor: Int32 { transport.descriptor }

  private let transport: Transport
  private var reader = LineReader(maximumLineBytes: 64 << 20)
  private var scratch = [UInt8](repeating: 0, count: 65_536)
  private var lastID: Int64 = 0
  /// The requests that were sent and not answered, oldest first; nil stands for lines sent as they are.
  private var awaiting: [Int64?] = []
  private var replies: [Int64: Result<[UInt8], RPCError>] = [:]
  private var notifications: [ReceivedNotification] = []
  /// What the daemon said that was in reply to no request: why it closes.
  private var farewell: RPCError?

  /// Connects to the daemon at `path`, or to the first found where a daemon is to be expected.
  public init(path: String? = nil) throws(ClientError) {
    let paths = path.map { [$0] } ?? SocketPath.candidates(environment: environment())
    transport = try Self.connect(toFirstOf: paths)
  }

  /// Takes over a connected stream socket, for example one end of a socket pair.
  public init(adopting descriptor: Int32) {
    transport = Transport(adopting: descriptor)
  }

  /// Calls a method and waits for its result. Notifications that arrive meanwhile are queued.
  public func call<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, timeoutUs: Int64 = 10_000_000
  ) throws(ClientError) -> Method.Result {
    try result(of: method, id: send(method, params, timeoutUs: timeoutUs), timeoutUs: timeoutUs)
  }

  /// Calls a method by name with params as a JSON object; gives the result as JSON.
  public func call(method: String, params: [UInt8], timeoutUs: Int64 = 10_000_000) throws(ClientError) -> [UInt8] {
    try result(id: send(method: method, params: params, timeoutUs: timeoutUs), timeoutUs: timeoutUs)
  }

  /// Sends a request without waiting; `result` takes its answer later. Answers come in the order of requests.
  public func send<Method: WireMethod>(
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
  public func send(method: String, params: [UInt8], timeoutUs: Int64 = 10_000_000) throws(ClientError) -> Int64 {
    lastID += 1
    awaiting.append(lastID)
    try transmit(requestLine(id: lastID, method: method, params: params), timeoutUs)
    return lastID
  }

  /// Sends a line just as it is, a line feed behind it.
  public func send(line: [UInt8], timeoutUs: Int64 = 10_000_000) throws(ClientError) {
    if awaiting.last != .some(nil) { awaiting.append(nil) }
    try transmit(line, timeoutUs)
  }

  private func transmit(_ line: [UInt8], _ timeoutUs: Int64) throws(ClientError) {
    let deadline = Self.deadline(timeoutUs)
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      switch transport.send(rest) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .closed: throw closed()
      case .wouldBlock:
        // The daemon reads no more requests while answers to earlier ones are waiting to be read.
        guard transport.wait(for: Int32(POLLIN | POLLOUT), until: deadline) else { throw Self.timedOut(timeoutUs) }
        _ = try receive()
      }
    }
  }

  /// Waits for the result of a request sent earlier.
  public func result<Method: WireMethod>(
    of method: Method.Type, id: Int64, timeoutUs: Int64 = 10_000_000
  ) throws(ClientError) -> Method.Result {
    let bytes = try result(id: id, timeoutUs: timeoutUs)
    do {
      return try decodeJSON(Method.Result.self, from: bytes[...])
    } catch {
      throw ClientError(
        .protocolViolation,
        "the daemon's answer to \(Method.name) is not understood: \(error)",
        remedy: "are daemon and client of the same version?"
      )
    }
  }

  /// Waits for the result, as JSON, of a request sent earlier.
  public func result(id: Int64, timeoutUs: Int64 = 10_000_000) throws(ClientError) -> [UInt8] {
    let deadline = Self.deadline(timeoutUs)
    while true {
      switch replies.removeValue(forKey: id) {
      case .success(let result)?: return result
      case .failure(let error)?: throw ClientError(error)
      case nil: try receive(until: deadline, timeoutUs)
      }
    }
  }

  /// The next notification: one that is queued, or the next to come within the time; nothing when there was none.
  public func nextNotification(timeoutUs: Int64) throws(ClientError) -> ReceivedNotification? {
    let deadline = Self.deadline(timeoutUs)
    while notifications.isEmpty {
      if try receive() { continue }
      guard transport.wait(for: Int32(POLLIN), until: deadline) else { return nil }
    }
    return notifications.removeFirst()
  }

  /// What the daemon said that was in reply to no request that could be read, if anything: taken away by asking.
  public func takeFarewell() -> RPCError? {
    defer { farewell = nil }
    return farewell
  }

  private func receive(until deadline: Int64, _ timeoutUs: Int64) throws(ClientError) {
    while !(try receive()) {
      guard transport.wait(for: Int32(POLLIN), until: deadline) else { throw Self.timedOut(timeoutUs) }
    }
  }

  /// Takes in what is there; false when there is nothing.
  private func receive() throws(ClientError) -> Bool {
    switch transport.receive(into: &scratch) {
    case .wouldBlock: return false
    case .closed: throw closed()
    case .bytes(let count): reader.append(scratch[..<count])
    }
    while let item = reader.next() {
      guard case .line(let line) = item, let message = ServerMessage(line: line) else {
        throw ClientError(.protocolViolation, "the daemon sent a line that is not understood")
      }
      switch message {
      case .notification(let method, let seq, let tUs, let params):
        notifications.append(
          ReceivedNotification(line: line, method: method, seq: seq, tUs: tUs, params: params.indices))
      case .reply(let id?, let result):
        replies[id] = result.map { Array($0) }
        // Replies come in the order of requests: whatever was sent before this one has had its own.
        if let place = awaiting.firstIndex(of: id) ?? awaiting.firstIndex(of: nil) { awaiting.removeSubrange(...place) }
      case .reply(nil, .failure(let error)): takeReplyWithoutID(error)
      case .reply(nil, .success): break
      }
    }
    return true
  }

  /// A line of which the daemon could not read the id, such as one that is too long, is answered in its turn.
  private func takeReplyWithoutID(_ error: RPCError) {
    let answers: [RPCError.Kind] = [.lineTooLong, .parse, .tooDeep, .invalidRequest]
    guard answers.contains(where: { $0.rawValue == error.data.kind }), let oldest = awaiting.first, let id = oldest
    else {
      farewell = error
      return
    }
    awaiting.removeFirst()
    replies[id] = .failure(error)
  }

  private func closed() -> ClientError {
    // What the daemon said last is why, and may still wait to be read.
    while case .bytes(let count) = transport.receive(into: &scratch) { reader.append(scratch[..<count]) }
    while case .line(let line)? = reader.next() {
      if case .reply(nil, .failure(let error))? = ServerMessage(line: line) { farewell = error }
    }
    guard let farewell = takeFarewell() else {
      return ClientError(
        .closed, "the daemon closed the connection", remedy: "see its log: journalctl --user -u starlightd")
    }
    return ClientError(farewell)
  }

  private static func deadline(_ timeoutUs: Int64) -> Int64 {
    let (span, tooLong) = max(0, timeoutUs).multipliedReportingOverflow(by: 1_000)
    let (deadline, tooLate) = monotonicNs().addingReportingOverflow(span)
    return tooLong || tooLate ? .max : deadline
  }

  private static func timedOut(_ timeoutUs: Int64) -> ClientError {
    ClientError(.timedOut, "the daemon did not answer within \(Double(timeoutUs) / 1e6) s")
  }
}
