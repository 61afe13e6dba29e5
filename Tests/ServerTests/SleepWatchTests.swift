// SPDX-License-Identifier: Apache-2.0

import FakeLogind
import Glibc
import Testing
import Timing

@testable import Server

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

  /// Another thread may be starting a program, which has a copy of the lock until it runs.
  private func isLetGo(_ logind: FakeLogind) -> Bool {
    for _ in 0..<10_000 where logind.isHeldUp { usleep(1_000) }
    return !logind.isHeldUp
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
    #expect(settle(watch, logind, at: 30_000).isEmpty && isLetGo(logind))
    logind.tell(isGoing: false)
    #expect(settle(watch, logind, at: 40_000) == [.isAwake])
    watch.takeLock()
    #expect(settle(watch, logind, at: 40_000).isEmpty && logind.isHeldUp)
    watch.stop()
    #expect(isLetGo(logind))
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
