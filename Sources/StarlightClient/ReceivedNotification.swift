// SPDX-License-Identifier: Apache-2.0

import Wire

/// A notification as it came.
public struct ReceivedNotification: Sendable, Equatable {
  /// Its name, for example `rhythm.beat`.
  public var method: String
  /// Counts what this connection was told, from 1.
  public var seq: Int64
  /// The instant it tells of, in microseconds on the daemon's clock.
  public var tUs: Int64
  /// The whole line, without its line feed.
  public var line: [UInt8]
  private let params: Range<Int>

  /// Reads a line; nothing when it is no notification.
  public init?(line: [UInt8]) {
    guard case .notification(let method, let seq, let tUs, let params)? = ServerMessage(line: line) else { return nil }
    self.init(line: line, method: method, seq: seq, tUs: tUs, params: params.indices)
  }

  init(line: [UInt8], method: String, seq: Int64, tUs: Int64, params: Range<Int>) {
    self.method = method
    self.seq = seq
    self.tUs = tUs
    self.line = line
    self.params = params
  }

  /// The payload; nothing when this is a notification of another name.
  public func decode<Payload: WireNotification>(as type: Payload.Type) throws(ClientError) -> Payload? {
    guard method == Payload.name else { return nil }
    do {
      return try decodeJSON(type, from: line[params])
    } catch {
      throw ClientError(
        .protocolViolation, "the daemon's \(method) is not understood; are daemon and client of the same version?")
    }
  }
}
