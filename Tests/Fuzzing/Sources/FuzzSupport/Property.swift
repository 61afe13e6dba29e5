// SPDX-License-Identifier: Apache-2.0

/// Ends the process, which libFuzzer takes for a find, where `holds` is false.
public func require(
  _ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> String, line: UInt = #line
) {
  if !holds() { fatalError("broken property, line \(line): \(message())") }
}

/// The bytes libFuzzer made.
public func bytes(_ data: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: data, count: count))
}
