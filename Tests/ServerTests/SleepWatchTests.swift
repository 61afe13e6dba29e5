// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import Testing
import Timing

@testable import Server

/// The other end of the bus: answers as a bus and logind do, and tells of sleep when it is told to.
private final class FakeLogind {
  let path: String
  /// What was asked, by its member.
  private(set) var asked: [String] = []
  /// The other end of the last lock: at its end once that is given back.
  private var lock: Int32 = -1
  private let listener: Int32
  private var bus: OpaquePointer?
  private let refuses: Bool

  init(path: String, refuses: Bool = false) {
    self.path = path
    self.refuses = refuses
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
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

  func accept() {
    let end = Glibc.accept(listener, nil, nil)
    _ = fcntl(end, F_SETFL, O_NONBLOCK)
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
      if lock >= 0 { close(lock) }
      lock = ends[0]
      _ = fcntl(lock, F_SETFL, O_NONBLOCK)
      sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "h")), &ends[1])
      close(ends[1])
    }
    sd_bus_send(bus, reply, nil)
    return 1
  }

  func tell(isGoing: Bool) {
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
  var isHeldUp: Bool {
    var byte: UInt8 = 0
    return lock >= 0 && read(lock, &byte, 1) < 0 && errno == EAGAIN
  }

  func hangUp() {
    sd_bus_close_unref(bus)
    bus = nil
  }

  func work() { while bus != nil, sd_bus_process(bus, nil) > 0 {} }
}

/// What logind tells, over a bus of its own.
@Suite struct SleepWatchTests {
  private final class Lines { var all: [String] = [] }

  private let folder = TemporaryFolder()
  private let lines = Lines()

  private func watch(_ logind: FakeLogind) -> SleepWatch {
    let watch = SleepWatch(
      log: { [lines] in lines.all.append($1) }, isLive: true, address: "unix:path=" + logind.path)
    logind.accept()
    return watch
  }

  /// Lets both sides do all they can; what was told.
  private func settle(_ watch: SleepWatch, _ logind: FakeLogind, at us: Int64 = 0) -> [SleepWatch.News] {
    var news: [SleepWatch.News] = []
    for _ in 0..<50 {
      logind.work()
      news += watch.take(at: Instant(microseconds: us))
    }
    return news
  }

  @Test func theSystemWaitsUntilAllIsSilentAndForTheNextSleepAnew() {
    let logind = FakeLogind(path: folder.path + "/bus")
    let watch = watch(logind)
    #expect(settle(watch, logind).isEmpty)
    #expect(logind.asked.sorted() == ["AddMatch", "Hello", "Inhibit"])
    #expect(logind.isHeldUp && watch.descriptor >= 0)
    logind.tell(isGoing: true)
    #expect(settle(watch, logind, at: 1_000) == [.goesToSleep])
    watch.allowSleep(at: Instant(microseconds: 30_000))
    #expect(watch.due == Instant(microseconds: 30_000))
    #expect(settle(watch, logind, at: 29_999).isEmpty && logind.isHeldUp)
    #expect(settle(watch, logind, at: 30_000).isEmpty && !logind.isHeldUp)
    logind.tell(isGoing: false)
    #expect(settle(watch, logind, at: 40_000) == [.isAwake])
    watch.takeLock()
    #expect(settle(watch, logind, at: 40_000).isEmpty && logind.isHeldUp)
    watch.stop()
    #expect(!logind.isHeldUp)
    #expect(lines.all.isEmpty)
  }

  @Test func newsThatComeTogetherKeepTheirOrder() {
    let logind = FakeLogind(path: folder.path + "/bus")
    let watch = watch(logind)
    _ = settle(watch, logind)
    for isGoing in [true, false, true] { logind.tell(isGoing: isGoing) }
    #expect(settle(watch, logind) == [.goesToSleep, .isAwake, .goesToSleep])
  }

  @Test func aRefusalIsToldOnceAndSleepIsHeardOfAllTheSame() {
    let logind = FakeLogind(path: folder.path + "/bus", refuses: true)
    let watch = watch(logind)
    _ = settle(watch, logind)
    watch.takeLock()
    _ = settle(watch, logind)
    #expect(lines.all.count == 1 && lines.all.first?.contains("Permission denied") == true, "\(lines.all)")
    logind.tell(isGoing: true)
    #expect(settle(watch, logind) == [.goesToSleep])
  }

  @Test func withoutABusNothingIsHeardAndItIsToldOnce() {
    let watch = SleepWatch(
      log: { [lines] in lines.all.append($1) }, isLive: true, address: "unix:path=" + folder.path + "/none")
    for _ in 0..<5 {
      #expect(watch.take(at: .zero).isEmpty)
      watch.takeLock()
    }
    #expect(watch.descriptor < 0 && watch.due == nil)
    #expect(lines.all.count == 1, "\(lines.all)")
  }

  @Test func aBusThatHangsUpIsLeft() {
    let logind = FakeLogind(path: folder.path + "/bus")
    let watch = watch(logind)
    _ = settle(watch, logind)
    logind.hangUp()
    _ = settle(watch, logind)
    #expect(watch.descriptor < 0 && lines.all.count == 1)
  }
}
