// SPDX-License-Identifier: Apache-2.0

import Problems

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
    /// The name of a `Kind`, for example `unknownName`. A daemon of another version may have more.
    public var kind: String
    /// What to do about it.
    public var hint: String?
    /// The nearest names, best first, where a name was not known.
    public var candidates: [String]?
    /// What in `message` is the socket's own: methods, fields, microseconds.
    public var messageTerms: [Wording.Term]?
    /// The same of `hint`.
    public var hintTerms: [Wording.Term]?
    /// What is wrong with a document among the params, each where it is; at most 16.
    public var problems: [Problem]?
  }

  /// An error of a kind, with an optional remedy and candidates.
  public init(_ kind: Kind, _ message: String, hint: String? = nil, candidates: [String]? = nil) {
    self.init(kind, Wording(message), hint: hint.map { Wording($0) }, candidates: candidates)
  }

  /// The same with the socket's words marked.
  public init(_ kind: Kind, _ message: Wording, hint: Wording? = nil, candidates: [String]? = nil) {
    self.code = kind.code
    self.message = message.text
    self.data = Detail(
      kind: kind.rawValue, hint: hint?.text, candidates: candidates,
      messageTerms: message.terms.isEmpty ? nil : message.terms,
      hintTerms: hint.flatMap { $0.terms.isEmpty ? nil : $0.terms })
  }
}
