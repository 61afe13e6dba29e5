// SPDX-License-Identifier: Apache-2.0

import JSON

/// The envelope of one request line: who is called, and where the rest stands in it.
struct Request {
  /// The whole line, scanned once.
  let tape: JSONTape
  var method: String
  /// Where the id stands on the tape, to be echoed byte for byte; nothing for a notification.
  var id: Int?
  /// Where the params stand on the tape, if there are any.
  var params: Int?

  /// What cannot be read as a request, and the id's bytes where that much could be read.
  struct Unreadable: Error {
    var error: RPCError
    var id: ArraySlice<UInt8>?
  }

  /// Reads the envelope.
  init(line: [UInt8], limits: Limits) throws(Unreadable) {
    let parts: Parts
    do throws(RPCError) {
      tape = try Self.scan(line, limits)
    } catch {
      // What is JSON but out of bounds has an id all the same.
      let hasID = error.data.kind != RPCError.Kind.parse.rawValue
      throw Unreadable(error: error, id: hasID ? RequestOutline(line).idBytes(atMost: limits.nameBytes) : nil)
    }
    do throws(RPCError) {
      parts = try Parts(tape)
      id = try Self.checkedID(parts.id, tape, limits)
    } catch {
      throw Unreadable(error: error)
    }
    do throws(RPCError) {
      // Before it is looked for: it may be the one that is mistyped.
      if let unknown = parts.unknown {
        throw RPCError(
          .invalidRequest, "a request has no member \(quoted(tape.string(at: unknown)))",
          hint: "it has id, method and params; what a method takes goes into params")
      }
      method = try Self.method(parts, tape, limits)
    } catch {
      throw Unreadable(error: error, id: id.map { [tape] in tape.slice(at: $0) })
    }
    params = parts.params
  }

  /// The members of a request, by their indices.
  private struct Parts {
    var version: Int?
    var id: Int?
    var method: Int?
    var params: Int?
    var unknown: Int?

    init(_ tape: JSONTape) throws(RPCError) {
      try tape.forEachMember(of: 0) { (name, value) throws(RPCError) in
        if !tape.repeatedNames.isEmpty, tape.repeatedNames.contains(name) {
          throw RPCError(
            .invalidRequest, "the request names the same member twice", hint: "id, method and params once each")
        }
        if tape.isString(name, "id") {
          id = value
        } else if tape.isString(name, "method") {
          method = value
        } else if tape.isString(name, "params") {
          params = value
        } else if tape.isString(name, "jsonrpc") {
          version = value
        } else {
          unknown = unknown ?? name
        }
      }
    }
  }

  private static func checkedID(_ id: Int?, _ tape: JSONTape, _ limits: Limits) throws(RPCError) -> Int? {
    guard let id else { return nil }
    switch tape.nodes[id].kind {
    case .string, .number, .null: break
    default:
      throw RPCError(
        .invalidRequest, "id must be a string, a number or null", hint: "number the requests, to tell replies apart")
    }
    guard tape.slice(at: id).count <= limits.nameBytes + 2 else {
      throw RPCError(
        .invalidRequest, "the id has more than \(limits.nameBytes) bytes",
        hint: "number the requests, to tell replies apart")
    }
    return id
  }

  private static func method(_ parts: Parts, _ tape: JSONTape, _ limits: Limits) throws(RPCError) -> String {
    if let version = parts.version, !tape.isString(version, "2.0") {
      throw RPCError(.invalidRequest, "jsonrpc must be \"2.0\"", hint: "or leave it out")
    }
    guard let method = parts.method else {
      throw RPCError(
        .invalidRequest, "the request has no method", hint: "for example {\"id\":1,\"method\":\"engine.status\"}")
    }
    let node = tape.nodes[method]
    guard node.kind == .string, !tape.hasHalfSurrogate(at: method) else {
      throw RPCError(
        .invalidRequest, "method must be a string", hint: "for example {\"id\":1,\"method\":\"engine.status\"}")
    }
    guard Int(node.end - node.start) <= limits.nameBytes else {
      throw RPCError(
        .unknownMethod, "no method has a name of \(node.end - node.start) bytes",
        hint: "rpc.discover lists every method")
    }
    return tape.string(at: method)
  }

  /// What is said of several requests in one line.
  static let batches = RPCError(
    .invalidRequest, "batches are not taken", hint: "send one request a line; they can be pipelined")

  private static func scan(_ line: [UInt8], _ limits: Limits) throws(RPCError) -> JSONTape {
    let tape: JSONTape
    do throws(JSONFault) {
      tape = try JSONTape(
        scanning: line,
        JSONRules(
          depth: limits.depth, nameBytes: limits.nameBytes, textBytes: limits.textBytes,
          values: limits.lineBytes / 4))
    } catch {
      throw RPCError(error, limits)
    }
    switch tape.nodes[0].kind {
    case .object: return tape
    case .array: throw batches
    default:
      throw RPCError(
        .invalidRequest, "a request is an object", hint: "for example {\"id\":1,\"method\":\"engine.status\"}")
    }
  }
}

extension RPCError {
  /// What keeps a line from being scanned.
  fileprivate init(_ fault: JSONFault, _ limits: Limits) {
    switch fault.kind {
    case .notUTF8:
      self.init(.parse, "the line is not UTF-8", hint: "write every text as UTF-8, or escape it as \\u00e9")
    case .tooDeep:
      self.init(
        .tooDeep, "the request nests more than \(limits.depth) arrays and objects, at byte \(fault.offset)",
        hint: "the deepest that is of use, a pattern given inline, nests 8")
    case .tooLong, .tooLarge:
      self.init(
        .invalidRequest, "the request is not read: \(fault.reason), at byte \(fault.offset)",
        hint: "session.hello tells the limits; \(fault.remedy)")
    case .empty, .truncated, .syntax:
      self.init(
        .parse, "the line is not JSON: \(fault.reason), at byte \(fault.offset)",
        hint: "one JSON object a line, ended by a line feed; \(fault.remedy)")
    }
  }
}
