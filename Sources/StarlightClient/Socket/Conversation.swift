// SPDX-License-Identifier: Apache-2.0

import Wire

/// What the daemon says, cut into messages, and which request each answers: the half of a connection that waits for nothing.
struct Conversation {
  private var reader = LineReader(maximumLineBytes: 64 << 20)
  /// The requests that were sent and not answered, oldest first; nil stands for lines sent as they are.
  private var awaiting: [Int64?] = []
  /// What the daemon said that was in reply to no request: why it closes.
  private var farewell: RPCError?

  /// Something the daemon said.
  enum Heard {
    case reply(id: Int64, Result<[UInt8], RPCError>)
    case told(ReceivedNotification)
  }

  /// A request goes out; nil for a line sent as it is, of which nobody knows the id.
  mutating func sent(_ id: Int64?) {
    if id != nil || awaiting.last != .some(nil) { awaiting.append(id) }
  }

  /// What these bytes complete, in order.
  mutating func heard(_ bytes: ArraySlice<UInt8>) throws(ClientError) -> [Heard] {
    reader.append(bytes)
    var heard: [Heard] = []
    while let item = reader.next() {
      guard case .line(let line) = item, let message = ServerMessage(line: line) else {
        throw ClientError(.protocolViolation, "the daemon sent a line that is not understood")
      }
      switch message {
      case .notification(let method, let seq, let tUs, let params):
        heard.append(
          .told(ReceivedNotification(line: line, method: method, seq: seq, tUs: tUs, params: params.indices)))
      case .reply(let id?, let result):
        heard.append(.reply(id: id, result.map { Array($0) }))
        // Replies come in the order of requests: whatever was sent before this one has had its own.
        if let place = awaiting.firstIndex(of: id) ?? awaiting.firstIndex(of: nil) { awaiting.removeSubrange(...place) }
      case .reply(nil, .failure(let error)):
        if let id = requestAnswered(by: error) { heard.append(.reply(id: id, .failure(error))) }
      case .reply(nil, .success): break
      }
    }
    return heard
  }

  /// A line of which the daemon could not read the id, such as one that is too long, is answered in its turn.
  private mutating func requestAnswered(by error: RPCError) -> Int64? {
    let answers: [RPCError.Kind] = [.lineTooLong, .parse, .tooDeep, .invalidRequest]
    guard answers.contains(where: { $0.rawValue == error.data.kind }), let oldest = awaiting.first, let id = oldest
    else {
      farewell = error
      return nil
    }
    awaiting.removeFirst()
    return id
  }

  /// What the daemon said that was in reply to no request that could be read, if anything: taken away by asking.
  mutating func takeFarewell() -> RPCError? {
    defer { farewell = nil }
    return farewell
  }

  /// Why the daemon closed the connection: what it said last, which may still wait to be read.
  mutating func ended(_ transport: borrowing Transport, _ scratch: inout [UInt8]) -> ClientError {
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
}
