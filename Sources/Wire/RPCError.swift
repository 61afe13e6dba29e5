// SPDX-License-Identifier: Apache-2.0

/// A JSON-RPC 2.0 error object: a code and a message for people, and in `data` a stable kind for programs.
public struct RPCError: Error, Codable, Sendable, Equatable {
  /// Standard codes (JSON-RPC 2.0, section 5.1) or one of -32000...-32099 for the daemon's own.
  public var code: Int
  /// One sentence that names the thing and the reason.
  public var message: String
  /// What programs act on.
  public var data: Detail

  /// The machine-readable part of an error.
  public struct Detail: Codable, Sendable, Equatable {
    /// The stable name of this kind of error, for example `unknownSound`.
    public var kind: String
    /// What to do about it.
    public var hint: String?
    /// The nearest names, best first, where a name was not known.
    public var candidates: [String]?
  }

  /// An error of a kind, with an optional remedy and candidates.
  public init(_ kind: Kind, _ message: String, hint: String? = nil, candidates: [String]? = nil) {
    self.code = kind.code
    self.message = message
    self.data = Detail(kind: kind.name, hint: hint, candidates: candidates)
  }

  /// A kind of error: open for extension, compared by name.
  public struct Kind: Sendable, Equatable {
    /// The JSON-RPC code sent with it.
    public var code: Int
    /// The stable name.
    public var name: String

    /// A kind with its code.
    public init(code: Int, name: String) {
      self.code = code
      self.name = name
    }

    /// The line is no JSON.
    public static let parse = Kind(code: -32700, name: "parse")
    /// The line is JSON, but no request.
    public static let invalidRequest = Kind(code: -32600, name: "invalidRequest")
    /// No method has that name.
    public static let unknownMethod = Kind(code: -32601, name: "unknownMethod")
    /// A parameter is missing, of the wrong type or out of its range.
    public static let invalidParams = Kind(code: -32602, name: "invalidParams")
    /// A fault of the daemon, not of the request.
    public static let `internal` = Kind(code: -32603, name: "internal")
    /// A line is longer than `Limits.lineBytes`; the rest of it was skipped.
    public static let lineTooLong = Kind(code: -32000, name: "lineTooLong")
    /// A request nests deeper than `Limits.depth`.
    public static let tooDeep = Kind(code: -32001, name: "tooDeep")
    /// `Limits.clients` are connected; the connection is closed.
    public static let tooManyClients = Kind(code: -32002, name: "tooManyClients")
    /// The daemon does not speak the protocol version asked for.
    public static let unsupportedProtocol = Kind(code: -32003, name: "unsupportedProtocol")
    /// More than `Limits.queuedBytes` waited to be read; the connection is closed.
    public static let tooSlow = Kind(code: -32004, name: "tooSlow")
    /// The client runs as a user that is not served.
    public static let notPermitted = Kind(code: -32005, name: "notPermitted")
    /// No such thing, in a pack or among the outputs; `candidates` are the nearest names.
    public static let unknownName = Kind(code: -32010, name: "unknownName")
    /// The thing is known but cannot be had now, such as a track whose file could not be read.
    public static let unavailable = Kind(code: -32011, name: "unavailable")
    /// What is to be changed does not play, or does no longer.
    public static let notRunning = Kind(code: -32012, name: "notRunning")
    /// A chapter runs, and there is one at a time.
    public static let alreadyRunning = Kind(code: -32013, name: "alreadyRunning")
    /// As much is playing or planned as can be.
    public static let busy = Kind(code: -32014, name: "busy")
    /// The clock runs by itself and cannot be stepped.
    public static let notStepped = Kind(code: -32015, name: "notStepped")
    /// A tap is stamped further ahead of now than `Limits.futureToleranceUs`.
    public static let stampInFuture = Kind(code: -32020, name: "stampInFuture")
    /// A tap came after its beat was settled, or after the chapter's end.
    public static let tooLate = Kind(code: -32021, name: "tooLate")
  }
}
