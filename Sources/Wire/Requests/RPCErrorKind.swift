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
    /// There is no place for another client (`Limits.clients` and what is reserved of them); the connection is closed.
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
    /// What is to be changed does not play, or no longer does.
    case notRunning
    /// A chapter runs, and there is one at a time.
    case alreadyRunning
    /// As much is playing or planned as there is room for.
    case busy
    /// The clock runs by itself and cannot be stepped.
    case notStepped
    /// The engine is paused, or was at the instant that was named.
    case paused
    /// A tap is stamped further ahead of now than `Limits.futureToleranceUs`.
    case stampInFuture
    /// A tap came after its beat was settled, or after the chapter's end; or the chapter is over before it can be paused.
    case tooLate
    /// The music belongs to the chapter that runs, and changes only with it.
    case heldByChapter

    /// What any method may answer.
    public static let ofEveryMethod: [Kind] = [.invalidParams, .lineTooLong, .internal]

    /// What is sent where no method can answer: for a line that is no request, and before a connection is closed.
    public static let ofNoMethod: [Kind] = [
      .parse, .invalidRequest, .unknownMethod, .lineTooLong, .tooDeep, .tooManyClients, .tooSlow, .notPermitted,
    ]

    /// The JSON-RPC code sent with it: one of the standard's, or -32000...-32099.
    public var code: Int { sent.code }

    /// What it means, in the words of the OpenRPC document.
    var summary: String { sent.summary }

    private var sent: (code: Int, summary: String) {
      switch self {
      case .parse: (-32700, "The line is no JSON.")
      case .invalidRequest: (-32600, "The line is JSON, but no request.")
      case .unknownMethod: (-32601, "No method has that name.")
      case .invalidParams: (-32602, "A param is missing, of the wrong type or out of its range.")
      case .internal: (-32603, "A fault of the daemon, not of the request.")
      case .lineTooLong: (-32000, "The line is longer than the limits of session.hello allow.")
      case .tooDeep: (-32001, "The request nests deeper than the limits of session.hello allow.")
      case .tooManyClients: (-32002, "There is no place for another client; the connection is closed.")
      case .unsupportedProtocol: (-32003, "The daemon does not speak the protocol version asked for.")
      case .tooSlow:
        (-32004, "More waited for the client than the limits of session.hello allow; the connection is closed.")
      case .notPermitted:
        (-32005, "The client runs as a user that is not served, or to whom the thing does not belong.")
      case .unknownName: (-32010, "No such thing, in a pack or among the outputs; candidates are the nearest names.")
      case .unavailable:
        (-32011, "The thing is known but cannot be had now, such as a track whose file could not be read.")
      case .notRunning: (-32012, "What is to be changed does not play, or no longer does.")
      case .alreadyRunning: (-32013, "A chapter runs, and there is one at a time.")
      case .busy: (-32014, "As much is playing or planned as there is room for.")
      case .notStepped: (-32015, "The clock runs by itself and cannot be stepped.")
      case .paused: (-32016, "The engine is paused, or was at the instant that was named.")
      case .stampInFuture: (-32020, "A tap is stamped further ahead of now than the limits of session.hello allow.")
      case .tooLate:
        (
          -32021,
          "A tap came after its beat was settled or after the chapter's end, or a pause would only begin after that end."
        )
      case .heldByChapter: (-32022, "The music belongs to the chapter that runs, and changes only with it.")
      }
    }
  }
}
