// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems

/// The file that keeps a `PeriodMemory` from one run to the next. Neither reading nor writing it ever fails the program.
struct PeriodFile: Sendable {
  let path: String

  /// More than the limit of devices with names of any sense can take, in bytes.
  private static let sizeLimit = 65_536

  /// What it says; nothing where it cannot be read.
  func read() -> PeriodMemory {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return PeriodMemory() }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < Self.sizeLimit {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      bytes += block[..<count]
    }
    return PeriodMemory(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Replaces it as a whole, so that a reader finds the old or the new. What went wrong, if anything did.
  func write(_ memory: PeriodMemory) -> Problem? {
    makeFolders()
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return problem(errno) }
    let text = Array(memory.text.utf8)
    let written = Glibc.write(descriptor, text, text.count)
    let code: Int32 = written == text.count ? (fsync(descriptor) == 0 ? 0 : errno) : written < 0 ? errno : ENOSPC
    close(descriptor)
    guard code == 0 else {
      unlink(temporary)
      return problem(code)
    }
    return rename(temporary, path) == 0 ? nil : problem(errno)
  }

  /// The folders above it, for this user alone where they are not there.
  private func makeFolders() {
    for (index, character) in zip(path.indices, path) where character == "/" && index != path.startIndex {
      mkdir(String(path[..<index]), 0o700)
    }
  }

  private func problem(_ code: Int32) -> Problem {
    Problem(
      .periodNotKept, file: path,
      "the period that the sound device needs cannot be remembered in \(path): \(reason(code))",
      remedy: "make its folder writable, or give the period with --period")
  }
}
