// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads params of a method that were kept in a file, held against their schema as those of a line are: what is doubled,
/// unknown or of another type is refused, not passed over.
package func readKeptParams<Method: WireMethod>(
  of method: Method.Type, from bytes: [UInt8], limits: Limits = Limits()
) throws(RPCError) -> Method.Params {
  let tape: JSONTape
  do throws(JSONFault) {
    tape = try JSONTape(
      scanning: bytes, JSONRules(depth: limits.depth, nameBytes: limits.nameBytes, textBytes: limits.textBytes))
  } catch {
    throw RPCError(.parse, "byte \(error.offset): \(error.reason)", hint: error.remedy)
  }
  let check = ParamsCheck(
    tape: tape, method: Method.name, longTexts: Method.longTexts, counted: Method.countedParams,
    nameBytes: limits.nameBytes,
    suggest: { _, _ in ([], "") }, params: 0)
  try check.check(Schema(of: Method.Params.self))
  do {
    return try JSONDecoding(tape, at: 0).decode(Method.Params.self)
  } catch {
    throw undecodable(method: Method.name)
  }
}
