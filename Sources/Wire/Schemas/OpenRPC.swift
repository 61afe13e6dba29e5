// SPDX-License-Identifier: Apache-2.0

/// The OpenRPC 1.3 document of these methods and notifications, generated from their Swift types.
///
/// Notifications, which OpenRPC has no word for, stand under `x-notifications`; kinds of errors that are no method's under
/// `x-errors`.
public func openRPCDocument(
  version: String, methods: [any WireMethod.Type] = allMethods,
  notifications: [any WireNotification.Type] = allNotifications
) -> JSONValue {
  .object([
    "openrpc": .string("1.3.2"),
    "info": .object([
      "title": .string("Starlight"),
      "version": .string(version),
      "description": .string(
        "JSON-RPC 2.0, one object a line, on a Unix stream socket. Fields whose name ends in Us are whole "
          + "microseconds; instants are CLOCK_MONOTONIC."),
    ]),
    "methods": .array(methods.map { describe($0) }),
    "x-notifications": .array(notifications.map { describe($0) }),
    "x-errors": .array(RPCError.Kind.ofNoMethod.map(reference)),
    "components": .object([
      "errors": .object(Dictionary(RPCError.Kind.allCases.map { ($0.rawValue, describe($0)) }) { first, _ in first })
    ]),
  ])
}

private func describe<Method: WireMethod>(_ method: Method.Type) -> JSONValue {
  let facts = Dictionary(Method.describedParams.map { ($0.path, $0.facts) }) { first, _ in first }
  return .object([
    "name": .string(Method.name),
    "summary": .string(Method.summary),
    "paramStructure": .string("by-name"),
    "params": .array(
      Schema(of: Method.Params.self).fields.map { field in
        .object([
          "name": .string(field.name),
          "required": .bool(field.isRequired),
          "schema": field.jsonSchema(in: "", facts),
        ])
      }),
    "result": .object([
      "name": .string("result"),
      "schema": Schema(of: Method.Result.self).jsonSchema,
    ]),
    "errors": .array(Method.kindsOfErrors.map(reference)),
  ])
}

/// The error of that kind, described once under `components`.
private func reference(_ kind: RPCError.Kind) -> JSONValue {
  .object(["$ref": .string("#/components/errors/\(kind.rawValue)")])
}

private func describe(_ kind: RPCError.Kind) -> JSONValue {
  .object([
    "code": .integer(Int64(kind.code)), "message": .string(kind.summary),
    "data": .object(["kind": .string(kind.rawValue)]),
  ])
}

private func describe<Payload: WireNotification>(_ payload: Payload.Type) -> JSONValue {
  let common: [Schema.Field] = [.init("seq", .integer), .init("tUs", .integer)]
  return .object([
    "name": .string(Payload.name),
    "topic": .string(Payload.topic.rawValue),
    "summary": .string(Payload.summary),
    "params": Schema.object(common + Schema(of: Payload.self).fields).jsonSchema,
  ])
}
