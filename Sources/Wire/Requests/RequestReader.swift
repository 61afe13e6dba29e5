// SPDX-License-Identifier: Apache-2.0

import JSON

/// A line that was read: it is served once, or again with what was worked out for it elsewhere.
public final class ReadRequest: Sendable {
  let request: Request
  /// What the router knows of its method; nil where it knows none of that name.
  let known: KnownMethod?

  init(_ request: Request, known: KnownMethod?) { (self.request, self.known) = (request, known) }

  /// The method that it asks for.
  public var method: String { request.method }
  /// Where that is in `allMethods`; nil where it is none of these.
  public var place: Int? { known?.place }
  /// Whether what is dear of it may be left to another thread (`WireMethod.mayBeLeft`).
  public var mayBeLeft: Bool { known?.mayBeLeft ?? false }
}

/// What a line is read and served by, looked up once by its method's name.
struct KnownMethod: Sendable {
  /// The router's number of it.
  var number: Int
  var longParams: [String]
  var mayBeLeft: Bool
  /// Where it is among all of the socket's.
  var place: Int?
}

/// What comes of reading a line.
public enum ReadLine: Sendable {
  /// A request that is within bounds.
  case request(ReadRequest)
  /// No request: what it is answered; nothing for a blank line, and for a notification that is out of bounds.
  case refused([UInt8]?)
}

/// From a line to the request in it. It holds no state, so that a long line can be read where it holds nobody up.
public struct RequestReader: Sendable {
  let limits: Limits
  /// The methods that are known, by their names.
  private(set) var methods: [String: KnownMethod] = [:]

  init(limits: Limits) { self.limits = limits }

  /// Knows another method: its number, which is that of the one before where there was one of that name.
  mutating func add<Method: WireMethod>(_ method: Method.Type) -> Int {
    let number = methods[Method.name]?.number ?? methods.count
    methods[Method.name] = KnownMethod(
      number: number, longParams: Method.longParams, mayBeLeft: Method.mayBeLeft,
      place: allMethods.firstIndex { $0 == method })
    return number
  }

  /// Reads one line, without its line feed.
  public func read(_ line: [UInt8]) -> ReadLine {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .refused(nil) }
    if line.count > limits.requestBytes, let refusal = overlong(line) {
      return .refused(refusal.isNotification ? nil : errorLine(refusal.error, id: refusal.id))
    }
    do throws(Request.Unreadable) {
      let request = try Request(line: line, limits: limits)
      return .request(ReadRequest(request, known: methods[request.method]))
    } catch {
      return .refused(errorLine(error.error, id: error.id))
    }
  }

  /// Why a line is not to be read for its length: only what a method takes that is long by nature makes a line long. Told
  /// before any of it is read as JSON.
  private func overlong(_ line: [UInt8]) -> (error: RPCError, id: ArraySlice<UInt8>?, isNotification: Bool)? {
    switch line.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"): break
    case UInt8(ascii: "["): return (Request.batches, nil, false)
    // Refused for its first bytes.
    default: return nil
    }
    let outline = RequestOutline(line) { outline in
      outline.id != nil && outline.method != nil
        && longParams(of: outline.methodName(atMost: limits.nameBytes) ?? "").isEmpty
    }
    let method = outline.methodName(atMost: limits.nameBytes) ?? ""
    let long = longParams(of: method)
    // Where in a pattern something is wrong is told by whoever reads it.
    if !long.isEmpty && !outline.isWhole { return nil }
    let rest = line.count - outline.bytes(of: long)
    guard rest > limits.requestBytes else { return nil }
    let besides = long.isEmpty ? "" : " besides " + long.joined(separator: " and ")
    let name = methods[method] == nil ? "the request" : method
    return (
      RPCError(
        .lineTooLong, "\(name) has \(rest) bytes\(besides), more than \(limits.requestBytes)",
        hint: "only patterns, curves and beat maps may be longer; session.hello tells the limits"),
      outline.idBytes(atMost: limits.nameBytes), outline.isWhole && outline.id == nil && outline.method != nil
    )
  }

  private func longParams(of method: String) -> [String] { methods[method]?.longParams ?? [] }
}

/// An error in reply to the request with this id.
func errorLine(_ error: RPCError, id: ArraySlice<UInt8>?) -> [UInt8] {
  let object = (try? encodeJSON(error)) ?? Array("{\"code\":-32603,\"message\":\"internal error\"}".utf8)
  return Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + (id ?? ArraySlice("null".utf8))
    + Array(",\"error\":".utf8) + object + Array("}".utf8)
}
