// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization

/// The thread that pumps a feeder on a live clock: often enough by itself while there is something to read, and at once when
/// woken. Another watches it meanwhile: where it waits for a file that does not answer, a third takes its place, and so on for as many
/// files as there are streams.
public struct DecodeThread: ~Copyable {
  private let watcher: RealTimeThread
  private let alarm: DecodeAlarm

  /// Starts pumping `feeder`, while one of its streams is not at its end at least every `milliseconds`, which must be well below
  /// what its rings hold.
  public init(_ feeder: StreamFeeder, everyMilliseconds milliseconds: Int = 50) throws(ThreadError) {
    let alarm = DecodeAlarm(milliseconds: milliseconds)
    self.alarm = alarm
    let crew = DecodeCrew(feeder, alarm)
    try crew.begin()
    do throws(ThreadError) {
      watcher = try RealTimeThread(name: "decode watch", priority: nil) { crew.watch() }
    } catch {
      alarm.ring(stop: true)
      throw error
    }
  }

  /// Has the feeder pumped now: after opening or closing a stream.
  public func wake() { alarm.ring(stop: false) }

  /// Has the threads end; returns at once.
  public func requestStop() { alarm.ring(stop: true) }

  /// Ends the threads, and waits for that as long at most: a file that does not answer must not keep the daemon from ending.
  public consuming func stop(withinMilliseconds limit: Int64 = 250) {
    requestStop()
    watcher.join(milliseconds: limit)?.detach()
  }

  /// The same, until an instant of CLOCK_MONOTONIC; false where they were left behind.
  public consuming func stop(byNanoseconds deadline: Int64) -> Bool {
    requestStop()
    guard let left = watcher.join(byNanoseconds: deadline) else { return true }
    left.detach()
    return false
  }
}

/// Those who pump, of whom one is not stuck.
private final class DecodeCrew: Sendable {
  /// One that pumps.
  private final class Worker: Sendable {
    /// Counts beginnings and ends of pieces: odd while one is read.
    let steps = Atomic<UInt64>(0)
    let hasEnded = Atomic(false)

    /// Which piece is being read; nil for none.
    var piece: UInt64? {
      let steps = steps.load(ordering: .relaxed)
      return steps % 2 == 1 ? steps : nil
    }
  }

  /// Between two looks at what is read: a piece is read in well below one, and three are far below what is read ahead.
  private static let interval = HangWatch.interval(patience: 300, looks: looks)
  private static let looks = 3

  private let feeder: StreamFeeder
  private let alarm: DecodeAlarm
  private let latest = Mutex<Worker?>(nil)

  init(_ feeder: StreamFeeder, _ alarm: DecodeAlarm) { (self.feeder, self.alarm) = (feeder, alarm) }

  /// Has another pump, in place of who did.
  func begin() throws(ThreadError) {
    let worker = Worker()
    let before = latest.withLock { latest in
      defer { latest = worker }
      return latest
    }
    do throws(ThreadError) {
      let thread = try RealTimeThread(name: "decode", priority: nil) { [self] in
        pump(worker)
        worker.hasEnded.store(true, ordering: .releasing)
        alarm.hasEnded()
      }
      // Nobody waits for one that may be stuck for ever.
      thread.detach()
    } catch {
      latest.withLock { $0 = before }
      throw error
    }
  }

  private func pump(_ worker: Worker) {
    repeat {
      let isMore = feeder.pump { _ in worker.steps.add(1, ordering: .relaxed) }
      // Who was taken for stuck and is back leaves the rest to who came.
      if latest.withLock({ $0 !== worker }) { return }
      if !alarm.wait(isMore: isMore) { return }
    } while true
  }

  /// Looks whether who pumps is stuck, until all is to end and who can has ended.
  func watch() {
    var hang = HangWatch(looks: Self.looks)
    var spares = feeder.streamCount
    while alarm.waitToWatch(milliseconds: Int(Self.interval)) {
      guard hang.look(at: latest.withLock { $0?.piece }), spares > 0 else { continue }
      // Where the system has no thread to give it is tried again.
      do { try begin() } catch { continue }
      spares -= 1
      hang = HangWatch(looks: Self.looks)
    }
    alarm.waitForEnd { [self] in latest.withLock { $0?.hasEnded.load(ordering: .acquiring) ?? true } }
  }
}
