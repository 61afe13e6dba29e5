// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Files
import Glibc
import Problems
import RealTime
import Synchronization
import Timing
import Wire

/// Keeps the player's settings from one run to the next, in the form of `settings.set`.
///
/// What changes is written by a thread of its own at most once a second: control waits for no disk, and a slider that moves
/// wears none out.
final class SettingsStore: Sendable {
  fileprivate struct State {
    /// What is to be written.
    var changed: Settings?
    var writtenNs: Int64?
    var failure: Problem?
    /// Whether the thread was left behind: control is not there to be woken any more.
    var isLeft = false
  }

  fileprivate final class Shared: Sendable {
    let file: KeptFile
    let control: Int32
    let state = Mutex(State())

    init(_ file: KeptFile, control: Int32) {
      self.file = file
      self.control = control
    }
  }

  private let shared: Shared
  private let thread: WakingThread
  private let hasThread = Atomic(false)

  /// More than all settings take, in bytes.
  private static let sizeLimit = 16_384
  fileprivate static let intervalNs: Int64 = 1_000_000_000

  /// Keeps them in `settings.json` of `folder`, which is made when it is needed. Wakes the eventfd `control` when they
  /// cannot be kept, or can again.
  init(folder: String, control: Int32) {
    let shared = Shared(KeptFile(path: folder + "/settings.json", atMost: Self.sizeLimit), control: control)
    self.shared = shared
    thread = WakingThread({ shared.turn(at: rt_now_ns()) }, last: { _ = shared.turn(at: .max) })
  }

  /// Starts the thread; returns what is kept, nothing where nothing was, or why it cannot be used.
  func start() -> (kept: SettingsSet.Params?, problem: Problem?) {
    do throws(ThreadError) {
      try thread.start(name: "settings")
      hasThread.store(true, ordering: .relaxed)
    } catch {
      let reason = String(cString: strerror(error.code))
      return (nil, shared.notKept("there is no thread to write them (\(reason))"))
    }
    let bytes: [UInt8]?
    do throws(FileRefusal) { bytes = try shared.file.read() } catch { return (nil, unusable("\(error)")) }
    guard let bytes else { return (nil, nil) }
    do throws(RPCError) {
      return (try readKeptParams(of: SettingsSet.self, from: bytes), nil)
    } catch {
      return (nil, unusable(error.message))
    }
  }

  /// What is said of kept settings that cannot be used.
  func unusable(_ reason: String) -> Problem {
    Problem(
      .settingsIgnored, file: shared.file.path, "the settings kept in \(shared.file.path) are ignored: \(reason)",
      remedy: "set them again: the next settings.set replaces them")
  }

  /// Has `settings` kept within a second; never waits.
  func keep(_ settings: Settings) {
    shared.state.withLock { $0.changed = settings }
    thread.wake()
  }

  /// Why the last change could not be kept, with the remedy; nil where it was.
  var failure: Problem? { shared.state.withLock { $0.failure } }

  /// Has what is left written and the thread end; returns at once.
  func requestStop() {
    // Where the system had no thread to give at first it may have one now.
    if !hasThread.load(ordering: .relaxed) { _ = try? thread.start(name: "settings") }
    thread.requestStop()
  }

  /// Waits for that, but not beyond `deadline`; `failure` tells if it could not be. False where the thread was left behind.
  func stop(by deadline: Instant) -> Bool {
    if thread.stop(byNanoseconds: deadline.nanoseconds) { return true }
    shared.leave()
    return false
  }
}

extension SettingsStore.Shared {
  /// Writes what has changed, unless the last time is less than a second ago.
  fileprivate func turn(at nowNs: Int64) -> WakingThread.Next {
    let (changed, due): (Settings?, Int64?) = state.withLock { state in
      if let writtenNs = state.writtenNs, nowNs - writtenNs < SettingsStore.intervalNs {
        return (nil, state.changed == nil ? nil : writtenNs + SettingsStore.intervalNs)
      }
      return (state.changed.take(), nil)
    }
    if let due { return .at(nanoseconds: due) }
    guard let changed else { return .whenWoken }
    let failure = write(changed)
    state.withLock { state in
      state.writtenNs = nowNs
      if state.isLeft || state.failure == failure { return }
      state.failure = failure
      rt_waiter_wake(control)
    }
    return .atOnce
  }

  /// Its disk does not answer, and nobody waits for it any more.
  fileprivate func leave() {
    let problem = Problem(
      .settingsNotKept, file: file.path,
      "the player's last settings are not kept in \(file.path): writing to it hangs",
      remedy: "see to its disk, or set $XDG_STATE_HOME to a folder on another")
    state.withLock { ($0.isLeft, $0.failure) = (true, problem) }
  }

  private func write(_ settings: Settings) -> Problem? {
    do {
      try file.replace(with: encodeJSON(settings) + [0x0A])
      return nil
    } catch {
      return notKept("\(error)")
    }
  }

  /// What is said of settings that the next run will not have.
  fileprivate func notKept(_ reason: String) -> Problem {
    Problem(
      .settingsNotKept, file: file.path, "the player's settings cannot be kept: \(reason)",
      remedy: "make its folder writable")
  }
}
