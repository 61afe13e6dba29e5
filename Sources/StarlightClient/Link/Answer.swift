// SPDX-License-Identifier: Apache-2.0

import Wire

/// The answer to what a frame asked.
public struct Answer: Sendable, Equatable {
  /// What `ask` gave for it.
  public var ticket: Int64
  /// The method's name.
  public var method: String
  let bytes: [UInt8]

  /// The answer of this method; nil where another was asked. Throws `protocolViolation` where it cannot be read.
  public func result<Method: WireMethod>(of asked: Method.Type) throws(ClientError) -> Method.Result? {
    method == Method.name ? try decoded(asked, bytes) : nil
  }
}

/// The result of a method, from its JSON.
func decoded<Method: WireMethod>(_: Method.Type, _ bytes: [UInt8]) throws(ClientError) -> Method.Result {
  do {
    return try decodeJSON(Method.Result.self, from: bytes[...])
  } catch {
    throw ClientError(
      .protocolViolation, "the daemon's answer to \(Method.name) is not understood: \(error)",
      remedy: "are daemon and client of the same version?")
  }
}
