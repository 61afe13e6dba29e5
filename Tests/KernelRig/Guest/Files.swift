// SPDX-License-Identifier: Apache-2.0

import Glibc

/// All of a file; empty when it cannot be read.
func readFile(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = read(descriptor, &block, block.count)
    if count <= 0 { return bytes }
    bytes += block[..<count]
  }
}

func readText(_ path: String) -> String { String(decoding: readFile(path), as: UTF8.self) }

/// Writes a file, or a setting of the kernel; throws what the kernel said.
func writeFile(_ path: String, _ bytes: [UInt8], _ mode: Int32 = O_TRUNC) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | mode | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw RigFailure("cannot open \(path): \(String(cString: strerror(errno)))") }
  defer { close(descriptor) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { throw RigFailure("cannot write \(path): \(String(cString: strerror(errno)))") }
    rest = rest.dropFirst(count)
  }
}

func writeFile(_ path: String, _ text: String) throws { try writeFile(path, Array(text.utf8)) }

/// Adds to a setting of the kernel that is a list.
func appendFile(_ path: String, _ text: String) throws { try writeFile(path, Array(text.utf8), O_APPEND) }

/// The names in a folder.
func list(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// Waits until `condition`, looking every two milliseconds.
func wait(upTo seconds: Double, for what: String, until condition: () throws -> Bool) throws {
  for _ in 0..<Int(seconds * 500) {
    if try condition() { return }
    usleep(2_000)
  }
  throw RigFailure("\(what) did not come within \(seconds) s")
}
