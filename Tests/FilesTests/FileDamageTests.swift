// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededNumbers
import Testing

@testable import Files

/// What is noticed of a file that is written, whatever others do to it meanwhile.
@Suite struct FileDamageTests {
  /// Writes of any length; in between it is cut, wherever that is, or removed, or neither.
  @Test func whatIsCutOrRemovedIsNoticedAndNothingElse() throws {
    try search(upTo: 40) { random in
      let folder = TemporaryFolder()
      let path = folder.path + "/file"
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      defer { close(file) }
      var written: Int64 = 0
      var damage: FileDamage?
      for _ in 0..<(1 + random.next(below: 20)) {
        try hold(FileDamage(to: file, after: written) == damage, "not \(damage as Any)")
        let bytes = [UInt8](repeating: 1, count: 1 + random.next(below: 100))
        // Between the look and the write, as much as before both.
        if damage == nil, written > 0, random.oneIn(6) {
          damage = random.oneIn(3) ? .removed : .cutShort
          if damage == .removed {
            unlink(path)
          } else {
            truncate(path, Int(random.integer(0...(written - 1))))
          }
        }
        written += Int64(write(file, bytes, bytes.count))
      }
      try hold(FileDamage(to: file, after: written) == damage, "at the end not \(damage as Any)")
    }
  }

  @Test func whatIsNoRegularFileIsWhole() throws {
    for path in ["/dev/null", "/dev/full"] {
      let file = open(path, O_WRONLY | O_CLOEXEC)
      defer { close(file) }
      #expect(FileDamage(to: file, after: 100) == nil)
    }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(FileDamage(to: ends[1], after: 100) == nil)
  }

  @Test func whatCannotBeLookedAtIsDamaged() {
    #expect(FileDamage(to: -1, after: 0) == .unreachable(EBADF))
  }
}
