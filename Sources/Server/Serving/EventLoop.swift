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
  private var alarm: Alarm
  /// Room for every client and all else at once.
  private var buffer = [rt_event](repeating: rt_event(), count: 128)

  /// With which error number a token is refused before the kernel is asked; 0 for not at all. What the kernel refuses is its
  /// user's as a whole, so tests bring that about here.
  var refusal: (_ token: UInt64) -> Int32 = { _ in 0 }

  init() throws(ServerError) {
    let alarm = try Alarm()
    let epoll = rt_epoll_open()
    guard epoll >= 0 else { throw ServerError("no event loop: \(errorText(errno))") }
    let code = rt_epoll_watch(epoll, alarm.descriptor, rt_readable | rt_edge, Self.alarmToken)
    guard code == 0 else {
      close(epoll)
      throw ServerError(
        "the event loop's timer cannot be watched: \(errorText(code))",
        remedy: code == ENOSPC ? "raise the limit: sudo sysctl fs.epoll.max_user_watches=1000000" : nil)
    }
    self.epoll = epoll
    self.alarm = alarm
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

  /// What is ready now.
  mutating func look() -> [Event] { take(waits: false).events }

  /// What is ready now, or becomes ready by `instant` (nil: whenever).
  mutating func wait(until instant: Instant?) -> [Event] {
    var now = Instant(nanoseconds: rt_now_ns())
    if let instant, instant <= now { return look() }
    repeat {
      if let instant { alarm.ring(by: instant, now: now) }
      let (events, hasRung) = take(waits: true)
      // Without either a signal has come.
      if !events.isEmpty || !hasRung { return events }
      now = Instant(nanoseconds: rt_now_ns())
    } while instant.map { now < $0 } ?? true
    return []
  }

  private mutating func take(waits: Bool) -> (events: [Event], hasRung: Bool) {
    let count = Int(rt_epoll_wait(epoll, &buffer, Int32(buffer.count), waits))
    var events: [Event] = []
    events.reserveCapacity(count)
    for event in buffer[..<count] where event.token != Self.alarmToken {
      events.append(
        Event(
          token: event.token, isReadable: event.events & rt_readable != 0, isWritable: event.events & rt_writable != 0,
          hungUp: event.events & rt_hung_up != 0))
    }
    return (events, events.count < count)
  }

  /// No descriptor's of those that watch.
  private static let alarmToken = UInt64.max
}

/// What an error number means.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
