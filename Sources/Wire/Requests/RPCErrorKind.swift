// SPDX-License-Identifier: Apache-2.0

extension RPCError {
  /// What kind of error it is, for programs. There are no others, and each method answers those of `ofEveryMethod` and its
  /// own `refusals` alone, and `paused` where it takes an instant.
  public enum Kind: String, Sendable, CaseIterable {
    /// The line is no JSON.
    case parse
    /// The line is JSON, but no request.
    case invalidRequest
    /// No method has that name.
    case unknownMethod
    /// A param is missing, of the wrong type or out of its range.
    case invalidParams
    /// A fault of the daemon, not of the request.
    case `internal`
    /// A line is longer than `Limits.lineBytes`; the rest of it was skipped.
    case lineTooLong
    /// A request nests deeper than `Limits.depth`.
    case tooDeep
    /// `Limits.clients` are connected; the connection is closed.
    case tooManyClients
    /// The daemon does not speak the protocol version asked for.
    case unsupportedProtocol
    /// More than `Limits.queuedBytes` waited to be read; the connection is closed.
    case tooSlow
    /// The client runs as a user that is not served, or to whom what is asked for does not belong.
    case notPermitted
    /// No such thing, in a pack or among the outputs; `candidates` are the nearest names.
    case unknownName
    /// The thing is known but cannot be had now, such as a track whose file could not be read.
    case unavailable
    /// What is to be changed does not play, or does no longer.
    case notRunning
    /// A chapter runs, and there is one at a time.
    case alreadyRunning
    /// As much is playing or planned as can be.
    case busy
    /// The clock runs by itself and cannot be stepped.
    case notStepped
    /// The engine is paused, or was at the instant that was named.
    case paused
    /// A tap is stamped further ahead of now than `Limits.futureToleranceUs`.
    case stampInFuture
    /// A tap came after its beat was settled, or after the chapter's end; or the chapter is over before it can be held.
    case tooLate
    /// The music goes with the chapter that runs, and is changed with it or not at all.
    case heldByChapter

    /// What any method may answer.
    public static let ofEveryMethod: [Kind] = [.invalidParams, .lineTooLong, .internal]

    /// What is sent where no method can answer: for a line that is no request, and before a connection is closed.
    public static let ofNoMethod: [Kind] = [
      .parse, .invalidRequest, .unknownMethod, .lineTooLong, .tooDeep, .tooManyClients, .tooSlow, .notPermitted,
    ]

    /// The JSON-RPC code sent with it: one of the standard's, or -32000...-32099.
    public var code: Int {
      switch self {
      case .parse: -32700
      case .invalidRequest: -32600
      case .unknownMethod: -32601
      case .invalidParams: -32602
      case .internal: -32603
      case .lineTooLong: -32000
      case .tooDeep: -32001
      case .tooManyClients: -32002
      case .unsupportedProtocol: -32003
      case .tooSlow: -32004
      case .notPermitted: -32005
      case .unknownName: -32010
      case .unavailable: -32011
      case .notRunning: -32012
      case .alreadyRunning: -32013
      case .busy: -32014
      case .notStepped: -32015
      case .paused: -32016
      case .stampInFuture: -32020
      case .tooLate: -32021
      case .heldByChapter: -32022
      }
    }

    /// What it means, in the words of the OpenRPC document.
    var summary: String {
      switch self {
      case .parse: "The line is no JSON."
      case .invalidRequest: "The line is JSON, but no request."
      case .unknownMethod: "No method has that name."
      case .invalidParams: "A param is missing, of the wrong type or out of its range."
      case .internal: "A fault of the daemon, not of the request."
      case .lineTooLong: "The line is longer than the limits of session.hello allow."
      case .tooDeep: "The request nests deeper than is of use."
      case .tooManyClients: "As many clients are connected as there may be; the connection is closed."
      case .unsupportedProtocol: "The daemon does not speak the protocol version asked for."
      case .tooSlow: "Too much waited to be read; the connection is closed."
      case .notPermitted: "The client runs as a user that is not served, or to whom the thing does not belong."
      case .unknownName: "No such thing, in a pack or among the outputs; candidates are the nearest names."
      case .unavailable: "The thing is known but cannot be had now, such as a track whose file could not be read."
      case .notRunning: "What is to be changed does not play, or does no longer."
      case .alreadyRunning: "A chapter runs, and there is one at a time."
      case .busy: "As much is playing or planned as can be."
      case .notStepped: "The clock runs by itself and cannot be stepped."
      case .paused: "The engine is paused, or was at the instant that was named."
      case .stampInFuture: "A tap is stamped further ahead of now than the limits of session.hello allow."
      case .tooLate:
        "A tap came after its beat was settled, or after the chapter's end, or a pause would begin behind that."
      case .heldByChapter: "The music goes with the chapter that runs, and is changed with it or not at all."
      }
    }
  }
}
