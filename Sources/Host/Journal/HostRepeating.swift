// SPDX-License-Identifier: Apache-2.0

import Engine
import Wire

extension Host {
  /// What a method does when it is done again: as when a client asks it, its instants in the engine's time already.
  func repeating<Method: WireMethod>(
    _ method: Method.Type, isHeard: Bool,
    _ answer: @escaping (inout Engine, Method.Params, RequestContext) throws(RPCError) -> Method.Result
  ) -> (_ params: [UInt8], _ context: RequestContext) throws -> Void {
    { [unowned self] bytes, context in
      let params = try decodeJSON(Method.Params.self, from: bytes[...])
      _ = try? answered(Method.name, mayPass: isHeard && !isFar(Method.instantAsked(params))) { () throws(RPCError) in
        try answer(&engine, params, context)
      }
    }
  }
}
