// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import Timing

/// Hears from logind that the system is about to sleep and that it is awake, and keeps it from sleeping until what sounds
/// has faded out: a delay lock. Without a system bus, or logind, it hears nothing. Never waits for either.
final class SleepWatch {
  /// What logind tells.
  enum News: Equatable {
    case goesToSleep, isAwake
  }

  /// What sd-bus calls back with.
  private final class State {
    var news: [News] = []
    /// The lock's descriptor: as long as it is open the system does not sleep.
    var lock: Int32 = -1
    var refusal: Int32?
  }

  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let log: Log
  private let state = State()
  private var bus: OpaquePointer?
  /// When the lock is to be given back.
  private var releaseAt: Instant?
  private var hasComplained = false

  /// Connects to the system bus, or to another at `address`, unless the clock does not run by itself; what fails is told
  /// in the log, once.
  init(log: @escaping Log, isLive: Bool, address: String? = nil) {
    self.log = log
    guard isLive else { return }
    let result = address.map(connect) ?? sd_bus_open_system(&bus)
    guard result >= 0 else {
      complain(-result)
      disconnect()
      return
    }
    // Its callbacks come while `process` runs, on this thread; the state lives as long as the bus.
    let context = Unmanaged.passUnretained(state).toOpaque()
    let matched = sd_bus_match_signal_async(
      bus, nil, Self.name, Self.path, Self.interface, "PrepareForSleep",
      { message, context, _ in
        var goes: Int32 = 0
        guard let context, sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &goes) > 0 else { return 0 }
        let state = Unmanaged<State>.fromOpaque(context).takeUnretainedValue()
        state.news.append(goes != 0 ? .goesToSleep : .isAwake)
        return 0
      }, { _, _, _ in 0 }, context)
    if matched < 0 { complain(-matched) }
    takeLock()
  }

  private func connect(to address: String) -> Int32 {
    let made = sd_bus_new(&bus)
    guard made >= 0 else { return made }
    sd_bus_set_address(bus, address)
    sd_bus_set_bus_client(bus, 1)
    return sd_bus_start(bus)
  }

  deinit { stop() }

  /// To be watched; negative for nothing.
  var descriptor: Int32 { bus == nil ? -1 : sd_bus_get_fd(bus) }

  /// Whether it has something to write.
  var wantsToWrite: Bool { bus != nil && sd_bus_get_events(bus) & Int32(POLLOUT) != 0 }

  /// When to call `take` at the latest; nil for no instant in particular.
  var due: Instant? {
    var us = UInt64.max
    if bus != nil { sd_bus_get_timeout(bus, &us) }
    return earliest(us == .max ? nil : Instant(microseconds: Int64(clamping: us)), releaseAt)
  }

  /// What was told since the last call, in order; gives the lock back where it is time to.
  func take(at now: Instant) -> [News] {
    while bus != nil {
      let result = sd_bus_process(bus, nil)
      if result < 0 {
        complain(-result)
        disconnect()
      }
      if result <= 0 { break }
    }
    if let refusal = state.refusal.take() { complain(refusal) }
    if let releaseAt, now >= releaseAt { release() }
    defer { state.news = [] }
    return state.news
  }

  /// All is silent from `instant` on: the system may sleep then.
  func allowSleep(at instant: Instant) { releaseAt = instant }

  /// The system is awake: the next sleep waits again.
  func takeLock() {
    release()
    guard bus != nil else { return }
    var call: OpaquePointer?
    guard sd_bus_message_new_method_call(bus, &call, Self.name, Self.path, Self.interface, "Inhibit") >= 0 else {
      return
    }
    defer { sd_bus_message_unref(call) }
    for text in ["sleep", "starlightd", "music and haptics fade out", "delay"] {
      guard sd_bus_message_append_basic(call, CChar(UInt8(ascii: "s")), text) >= 0 else { return }
    }
    let context = Unmanaged.passUnretained(state).toOpaque()
    let sent = sd_bus_call_async(
      bus, nil, call,
      { reply, context, _ in
        guard let context else { return 0 }
        let state = Unmanaged<State>.fromOpaque(context).takeUnretainedValue()
        var descriptor: Int32 = -1
        if sd_bus_message_is_method_error(reply, nil) > 0 {
          state.refusal = sd_bus_message_get_errno(reply)
        } else if sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "h")), &descriptor) > 0 {
          // The message's own is closed with it.
          state.lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        }
        return 0
      }, context, 0)
    if sent < 0 { complain(-sent) }
  }

  /// Gives the lock back and leaves the bus. May be called twice.
  func stop() {
    release()
    disconnect()
  }

  private func release() {
    releaseAt = nil
    if state.lock >= 0 { close(state.lock) }
    state.lock = -1
  }

  private func disconnect() {
    sd_bus_close_unref(bus)
    bus = nil
  }

  private func complain(_ code: Int32) {
    if hasComplained { return }
    hasComplained = true
    log(
      .info,
      "cannot reach logind on the system bus (\(errorText(code))): nothing is paused when the machine goes to sleep"
    )
  }
}
