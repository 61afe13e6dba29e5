// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// A client and the far end it speaks to, which the test plays by hand.
///
/// What the far end says is written before the client asks, so that nothing ever waits.
final class SocketPair {
  let client: StarlightConnection
  private let far: Int32
  private var farIsOpen = true

  init() {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    client = StarlightConnection(adopting: ends[0])
    far = ends[1]
  }

  deinit { hangUp() }

  func say(_ text: String) {
    let bytes = Array(text.utf8)
    precondition(send(far, bytes, bytes.count, 0) == bytes.count)
  }

  /// What the client has sent so far.
  func heard() -> String {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = recv(far, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  func hangUp() {
    if farIsOpen {
      // Another thread may be starting a program, which has a copy until it runs.
      shutdown(far, Int32(SHUT_RDWR))
      close(far)
    }
    farIsOpen = false
  }
}
