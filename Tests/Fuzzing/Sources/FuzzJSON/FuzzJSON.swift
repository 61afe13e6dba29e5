// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FuzzSupport
import JSON
import Wire

/// Scans a text, strictly and not, and writes what it holds again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(data, count)
  let strict = scanned(input, JSONRules())
  let tolerant = scanned(input, JSONRules(allowsTrailingCommas: true))
  require((strict != nil) == (tolerant?.trailingCommas.isEmpty ?? false), "commas make another difference")
  guard let tape = tolerant else { return 0 }
  checkPlaces(on: tape)
  if let strict { checkWriting(strict, input) }
  return 0
}

private func scanned(_ input: [UInt8], _ rules: JSONRules) -> JSONTape? {
  do throws(JSONFault) {
    return try JSONTape(scanning: input, rules)
  } catch {
    require((0...input.count).contains(error.offset), "\(error) is nowhere")
    require(!error.reason.isEmpty && !error.remedy.isEmpty, "\(error) says nothing")
    require(error.reason.utf8.count < 256, "\(error) echoes too much")
    return nil
  }
}

/// Every value lies inside the one that holds it, and is found by its path.
private func checkPlaces(on tape: JSONTape) {
  var at = 0
  var names = 0
  for (index, node) in tape.nodes.enumerated() {
    require(node.next > index && node.next <= tape.nodes.count, "value \(index) ends at \(node.next)")
    require(node.start >= at && node.end >= node.start && node.end <= tape.bytes.count, "value \(index) is nowhere")
    at = Int(node.start)
    if node.kind == .object {
      var members = 0
      tape.forEachMember(of: index) { name, _ in
        members += 1
        require(tape.nodes[name].end - tape.nodes[name].start <= 128, "a name of more than 128 bytes")
      }
      require(members == node.count, "\(members) members of \(node.count)")
      names += members
    }
    require(tape.excerpt(at: index).utf8.count <= 67, "value \(index) is shown at length")
    if node.kind == .number, let whole = tape.integer(at: index) {
      require(Double(whole) == tape.number(at: index), "\(whole) is \(tape.number(at: index))")
    }
  }
  require(tape.repeatedNames.count < max(1, names), "more names are repeated than there are")
  let last = tape.nodes.count - 1
  require(dotted(tape.path(to: last)).utf8.count <= tape.bytes.count + 12 * tape.nodes.count, "a long path")
}

/// What is read is written, and read as the same; Foundation reads it as the same too.
private func checkWriting(_ tape: JSONTape, _ input: [UInt8]) {
  guard let value = try? JSONDecoding(tape).decode(JSONValue.self) else { return }
  var writer = JSONWriter()
  guard (try? writer.write(value)) != nil else { return require(false, "\(value) cannot be written") }
  guard let again = try? JSONTape(scanning: writer.bytes, JSONRules(nameBytes: .max)),
    let read = try? JSONDecoding(again).decode(JSONValue.self)
  else { return require(false, "what was written cannot be read: \(String(decoding: writer.bytes, as: UTF8.self))") }
  require(read == value, "read again it is another: \(value) \(read)")
  require((try? JSONDecoder().decode(JSONValue.self, from: Data(writer.bytes))) != nil, "Foundation does not read it")
}
