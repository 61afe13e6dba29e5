// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Testing

@Suite struct BoundedFileTests {
  private let path = "/tmp/starlight-files-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"

  private func refusal(atMost limit: Int = 4 << 20) -> String {
    do throws(FileRefusal) {
      return "\(try readFile(path, atMost: limit).count) bytes"
    } catch { return error.description }
  }

  private func write(_ bytes: [UInt8]) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  @Test func aFileIsReadUpToItsLimit() throws {
    defer { unlink(path) }
    let bytes = (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    write(bytes)
    #expect(try readFile(path, atMost: 2 << 20) == bytes)
    #expect(refusal(atMost: (2 << 20) - 1).contains("larger than 1 MiB"))
    write([])
    #expect(try readFile(path, atMost: 0) == [])
  }

  @Test func aHugeSparseFileIsRefusedUnread() {
    defer { unlink(path) }
    write([])
    #expect(truncate(path, 6 << 30) == 0)
    #expect(refusal() == "\(path) is larger than 4 MiB")
  }

  @Test func whatIsNoFileIsRefusedWithoutWaiting() {
    #expect(refusal() == "\(path) does not exist; check its name")
    mkfifo(path, 0o600)
    #expect(refusal().contains("is no regular file"))
    unlink(path)
    mkdir(path, 0o700)
    #expect(refusal().contains("is a directory"))
    rmdir(path)
    // A file of the kernel's says that it is empty and is not.
    #expect(throws: FileRefusal.self) { try readFile("/dev/zero", atMost: 10) }
    #expect(throws: FileRefusal.self) { try readFile("/proc/self/status", atMost: 10) }
  }
}
