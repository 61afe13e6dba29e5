// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Wire

/// Swift cannot list the types that conform to a protocol: the sources can.
@Suite struct AllMethodsTests {
  private func declared(_ suffix: String) -> Set<String> {
    let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Sources/Wire/Methods/"
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: Set<String> = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasSuffix(".swift"), let file = fopen(folder + name, "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = fread(&bytes, 1, bytes.count, file)
      for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") where line.hasSuffix(suffix) {
        names.insert(String(line.dropLast(suffix.count).split(separator: " ").last ?? ""))
      }
    }
    return names
  }

  @Test func everyMethodDeclaredIsListed() {
    #expect(declared(": WireMethod {") == Set(allMethods.map { "\($0)" }))
  }

  @Test func everyNotificationDeclaredIsListed() {
    #expect(declared(": WireNotification {") == Set(allNotifications.map { "\($0)" }))
  }
}
