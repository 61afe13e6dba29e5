// SPDX-License-Identifier: Apache-2.0

import Wire

/// A notification as it came.
package struct ReceivedNotification: Sendable, Equatable {
  /// Its name, for example `rhythm.beat`.
  package var method: String
  /// Counts what this connection was told, from 1.
  package var seq: Int64
  /// The instant it tells of, in microseconds on the daemon's clock.
  package var tUs: Int64
  /// The whole line, without its line feed.
  package var line: [UInt8]
  private let place: Range<Int>

  /// The payload as JSON, with `seq` and `tUs`.
  package var params: ArraySlice<UInt8> { line[place] }

  /// Reads a line; nothing when it is no notification.
  package init?(line: [UInt8]) {
    guard case .notification(let method, let seq, let tUs, let params)? = ServerMessage(line: line) else { return nil }
    self.init(line: line, method: method, seq: seq, tUs: tUs, params: params.indices)
  }

  init(line: [UInt8], method: String, seq: Int64, tUs: Int64, params: Range<Int>) {
    self.method = method
    self.seq = seq
    self.tUs = tUs
    self.line = line
    place = params
  }

  /// The payload; nothing when this is a notification of another name.
  package func decode<Payload: WireNotification>(as type: Payload.Type) throws(ClientError) -> Payload? {
    guard method == Payload.name else { return nil }
    do {
      return try decodeJSON(type, from: params)
    } catch {
      throw ClientError(
        .protocolViolation, "the daemon's \(method) is not understood; are daemon and client of the same version?")
    }
  }
}
