// SPDX-License-Identifier: Apache-2.0

// Sends what it is given on its standard input to the address that it reads of its file, once, and ends: with 0 where it was
// taken within the microseconds of its argument. It is a program of its own so that the address is in the memory of no other, and in its own for as long as that takes.

import CProcess
import Glibc
import SyncMessage

guard sync_keep_memory_private() == 0 else { exit(1) }
guard CommandLine.arguments.count == 2, let withinUs = Double(CommandLine.arguments[1]), withinUs > 0 else {
  let text = Array("usage: starlight-sync-message MICROSECONDS, and the text on its standard input\n".utf8)
  _ = write(STDERR_FILENO, text, text.count)
  exit(1)
}
do {
  guard let url = try SecretURL.find(environment: { getenv($0).map { String(cString: $0) } }) else { exit(1) }
  var bytes = [UInt8](repeating: 0, count: MessageText.mostBytes)
  let count = read(STDIN_FILENO, &bytes, bytes.count)
  guard count > 0 else { exit(1) }
  exit(url.post(content: String(decoding: bytes[..<count], as: UTF8.self), timeout: withinUs / 1_000_000) ? 0 : 1)
} catch {
  // Says nothing of what stands in the file.
  let text = Array("\(error)\n".utf8)
  _ = write(STDERR_FILENO, text, text.count)
  exit(1)
}
