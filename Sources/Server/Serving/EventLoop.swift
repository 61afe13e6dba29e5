// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Timing

/// epoll, with a token for each descriptor.
struct EventLoop: ~Copyable {
  /// One descriptor that is ready.
  struct Event {
    var token: UInt64
    var isReadable: Bool
    var isWritable: Bool
    var hungUp: Bool
  }

  private let epoll: Int32
  /// Room for every client and all else at once.
  private var buffer = [rt_event](repeating: rt_event(), count: 128)

  /// With which error number a token is refused before the kernel is asked; 0 for not at all. What the kernel refuses is its
  /// user's as a whole, so tests bring that about here.
  var refusal: (_ token: UInt64) -> Int32 = { _ in 0 }

  init() throws(ServerError) {
    epoll = rt_epoll_open()
    guard epoll >= 0 else { throw ServerError("no event loop: \(errorText(errno))") }
  }

  deinit { close(epoll) }

  /// Watches a descriptor, or changes what it is watched for. A hang-up is always told. Gives 0, or the error number of the
  /// kernel's refusal, as there are only so many that a user may watch (`fs.epoll.max_user_watches`).
  func watch(_ descriptor: Int32, token: UInt64, reading: Bool = true, writing: Bool = false) -> Int32 {
    if case let code = refusal(token), code != 0 { return code }
    return rt_epoll_watch(epoll, descriptor, (reading ? rt_readable : 0) | (writing ? rt_writable : 0), token)
  }

  /// Watches a descriptor no more. Call it before closing the descriptor.
  func forget(_ descriptor: Int32) { rt_epoll_forget(epoll, descriptor) }

  /// What is ready now, or becomes ready before `patience` has passed (nothing: without end).
  mutating func wait(_ patience: Interval?) -> [Event] {
    let count = rt_epoll_wait(epoll, &buffer, Int32(buffer.count), patience.map { max(0, $0.nanoseconds) } ?? -1)
    return buffer[..<Int(count)].map {
      Event(
        token: $0.token, isReadable: $0.events & rt_readable != 0, isWritable: $0.events & rt_writable != 0,
        hungUp: $0.events & rt_hung_up != 0)
    }
  }
}

/// What an error number means.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
