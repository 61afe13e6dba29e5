// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// The other end of the bus: answers as a bus and logind do, and tells of sleep when it is told to.
public final class FakeLogind {
  /// The socket of its bus.
  public let path: String
  /// What was asked, by its member.
  public private(set) var asked: [String] = []
  /// The other end of the last lock: at its end once that is given back.
  private var lock: Int32 = -1
  private let listener: Int32
  private var bus: OpaquePointer?
  private let refuses: Bool

  /// Listens at `path`, once; refuses locks where it `refuses`.
  public init(path: String, refuses: Bool = false) {
    self.path = path
    self.refuses = refuses
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    listen(listener, 1)
  }

  deinit {
    sd_bus_close_unref(bus)
    close(listener)
    close(lock)
  }

  /// Takes up who has connected.
  public func accept() {
    let end = Glibc.accept(listener, nil, nil)
    _ = fcntl(end, F_SETFL, O_NONBLOCK)
    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    sd_bus_new(&bus)
    sd_bus_set_fd(bus, end, end)
    sd_bus_set_server(bus, 1, sd_id128_t())
    sd_bus_set_anonymous(bus, 1)
    sd_bus_negotiate_fds(bus, 1)
    sd_bus_start(bus)
    sd_bus_add_filter(
      bus, nil,
      { message, context, _ in
        guard let context, let member = sd_bus_message_get_member(message) else { return 0 }
        return Unmanaged<FakeLogind>.fromOpaque(context).takeUnretainedValue().answer(
          message, String(cString: member))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func answer(_ call: OpaquePointer?, _ member: String) -> Int32 {
    asked.append(member)
    if member == "Inhibit", refuses { return sd_bus_reply_method_errno(call, EACCES, nil) }
    var reply: OpaquePointer?
    sd_bus_message_new_method_return(call, &reply)
    defer { sd_bus_message_unref(reply) }
    if member == "Hello" { sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "s")), ":1.7") }
    if member == "Inhibit" {
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      if lock >= 0 { close(lock) }
      lock = ends[0]
      _ = fcntl(lock, F_SETFL, O_NONBLOCK)
      sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "h")), &ends[1])
      close(ends[1])
    }
    sd_bus_send(bus, reply, nil)
    return 1
  }

  /// Tells that the system is about to sleep, or is awake.
  public func tell(isGoing: Bool) {
    var signal: OpaquePointer?
    sd_bus_message_new_signal(
      bus, &signal, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep")
    defer { sd_bus_message_unref(signal) }
    var value: Int32 = isGoing ? 1 : 0
    sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "b")), &value)
    sd_bus_message_set_sender(signal, "org.freedesktop.login1")
    sd_bus_send(bus, signal, nil)
  }

  /// Whether the system would wait before it sleeps.
  public var isHeldUp: Bool {
    var byte: UInt8 = 0
    return lock >= 0 && read(lock, &byte, 1) < 0 && errno == EAGAIN
  }

  /// Goes away.
  public func hangUp() {
    // Another thread may be starting a program, which has a copy until it runs.
    if bus != nil { shutdown(sd_bus_get_fd(bus), Int32(SHUT_RDWR)) }
    sd_bus_close_unref(bus)
    bus = nil
  }

  /// Answers what has come.
  public func work() { while bus != nil, sd_bus_process(bus, nil) > 0 {} }
}
