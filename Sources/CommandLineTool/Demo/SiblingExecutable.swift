// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The program `name` beside this one, wherever this one was started from.
func siblingExecutable(_ name: String) -> String {
  var buffer = [CChar](repeating: 0, count: 4_096)
  let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
  let path = String(decoding: buffer[..<max(0, length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
  let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  return directory + "/" + name
}

/// What to type to start the program `name` beside this one: its name alone where the search path finds that very
/// program, else its path.
func typedName(_ name: String, environment: [String: String]) -> String {
  let sibling = siblingExecutable(name)
  let candidates: [String] = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
  let found = candidates.first { access($0, X_OK) == 0 }
  if let found, resolvedPath(found) == resolvedPath(sibling) { return name }
  // As this program was called, so can its neighbour be.
  let called = CommandLine.arguments.first ?? ""
  if let slash = called.lastIndex(of: "/") {
    let beside = called[...slash] + name
    if resolvedPath(String(beside)) == resolvedPath(sibling) { return quoted(String(beside)) }
  }
  return quoted(sibling)
}

private func quoted(_ path: String) -> String { path.contains(" ") ? "'\(path)'" : path }
