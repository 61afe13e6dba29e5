// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime
import Synchronization
import Timing

/// Reads packs on a thread of its own, a folder at a time, and frees what is not used any more: both would hold control up.
/// Where a folder does not answer it is given up, and another thread reads the next.
final class LoaderThread: Sendable {
  /// Reads a folder; asks again and again whether that is still wanted, which tells as well that it goes on.
  typealias Read = @Sendable (_ folder: String, _ isWanted: @escaping @Sendable () -> Bool) -> FolderReading

  /// Nanoseconds between two looks at whether a reading goes on.
  static let interval = Int64(HangWatch.interval(patience: 5_000)) * 1_000_000
  /// So many looks, two seconds, while another folder does not answer: its file system's others may not, either.
  private static let impatientLooks = 3
  /// Threads that may be left behind in files that do not answer.
  static let mostStuck = 32

  private enum Work {
    /// To let go of these, outside the lock.
    case freeing([SoundBank.Kept], FolderReading?)
    case reading(folder: String, Read)
    /// To tell of a folder that is known not to answer.
    case passingOver(FolderReading)
    case nothing
  }

  private struct State {
    /// Who reads; others that still do are stuck.
    var reader: PackReader?
    /// What is to be read next.
    var asked: (folder: String, read: Read)?
    /// The folder that is being read.
    var current: String?
    var watch = HangWatch()
    var looksAt: Int64 = 0
    /// Folders that were given up and still do not answer.
    var stuck: [String] = []
    var done: FolderReading?
    var isTaken = false
    var mayGo = false
    var unused: [SoundBank.Kept] = []
    var isEnding = false

    /// Whether something is read, or to be.
    var isAtWork: Bool { asked != nil || current != nil }

    /// What a thread is to do, and is to be done by it alone. What waits to be freed goes first: it may have the room that the next
    /// folder takes.
    mutating func nextWork(for reader: PackReader) -> Work {
      if !unused.isEmpty || mayGo {
        defer {
          unused = []
          if mayGo { (done, isTaken, mayGo) = (nil, false, false) }
        }
        return .freeing(unused, mayGo ? done : nil)
      }
      guard self.reader === reader, !isEnding, let (folder, read) = asked.take() else { return .nothing }
      current = folder
      // Under the lock, or the step of the folder before would be taken for this one's.
      reader.goesOn()
      return stuck.contains(folder)
        ? .passingOver(.failed(folder, .stillUnanswered(folder))) : .reading(folder: folder, read)
    }

    /// The folder is read; answers what came of the one before, to be dropped outside the lock.
    mutating func end(with reading: FolderReading) -> FolderReading? {
      defer { (current, done, isTaken, mayGo) = (nil, reading, false, false) }
      return done
    }
  }

  private let state = Mutex(State())
  private let control: Int32

  /// Wakes the eventfd `control` when what was asked for is read.
  init(control: Int32) { self.control = control }

  /// Starts the thread.
  func start() throws(ThreadError) {
    let reader = reader()
    state.withLock { $0.reader = reader }
    try reader.start()
  }

  private func reader() -> PackReader { PackReader { [weak self] reader in self?.work(as: reader) ?? .whenWoken } }

  /// What a thread does when it is woken: frees, or reads a folder.
  private func work(as reader: PackReader) -> WakingThread.Next {
    switch state.withLock({ $0.nextWork(for: reader) }) {
    case .freeing: return .atOnce
    case .reading(let folder, let read):
      let reading = read(folder) { [weak self] in
        reader.goesOn()
        return self?.isWanted(reader) ?? false
      }
      end(reading, as: reader)
      return .atOnce
    case .passingOver(let reading):
      end(reading, as: reader)
      return .atOnce
    case .nothing: return .whenWoken
    }
  }

  /// Tells control that a folder is read, unless it was given up meanwhile.
  private func end(_ reading: FolderReading, as reader: PackReader) {
    let (isTold, last) = state.withLock { state -> (Bool, FolderReading?) in
      if state.reader === reader { return (true, state.end(with: reading)) }
      if let place = state.stuck.firstIndex(of: reading.path) { state.stuck.remove(at: place) }
      return (false, nil)
    }
    if isTold { rt_waiter_wake(control) }
    _ = last
  }

  private func isWanted(_ reader: PackReader) -> Bool {
    state.withLock { !$0.isEnding && $0.reader === reader }
  }

  /// Has a folder read, at that time of the monotonic clock in nanoseconds; what came of the last must have been taken.
  func begin(_ folder: String, at now: Int64, _ read: @escaping Read) {
    let reader = state.withLock { state in
      state.asked = (folder, read)
      state.watch = Self.watch(besides: state.stuck)
      state.looksAt = now + Self.interval
      return state.reader
    }
    reader?.wake()
  }

  private static func watch(besides stuck: [String]) -> HangWatch {
    stuck.isEmpty ? HangWatch() : HangWatch(looks: impatientLooks)
  }

  /// When to look again whether what is read goes on; nil while nothing is.
  var looksAt: Int64? { state.withLock { $0.isAtWork ? $0.looksAt : nil } }

  /// Looks whether what is read goes on, once it is time; where it does not the folder is given up, which `takeDone` tells then, and
  /// another thread reads the next.
  func look(at now: Int64) {
    let hanging: (reader: PackReader, step: UInt64)? = state.withLock { state in
      guard let reader = state.reader, state.isAtWork, now >= state.looksAt else { return nil }
      state.looksAt = now + Self.interval
      let step = state.current == nil ? nil : reader.step
      guard state.watch.look(at: step), let step, state.stuck.count < Self.mostStuck else { return nil }
      return (reader, step)
    }
    if let hanging { put(reader(), insteadOf: hanging.reader, hanging.step) }
  }

  /// Another takes the place of one that is stuck, unless that went on in this moment.
  private func put(_ reader: PackReader, insteadOf hanging: PackReader, _ seen: UInt64) {
    // Where the system has no thread to give it is tried again.
    do { try reader.start() } catch { return reader.leave() }
    let (isPlaced, last) = state.withLock { state -> (Bool, FolderReading?) in
      guard hanging.step == seen, let folder = state.current else { return (false, nil) }
      state.reader = reader
      let seconds = state.stuck.isEmpty ? HangWatch.looks - 1 : Self.impatientLooks - 1
      state.stuck.append(folder)
      return (true, state.end(with: .failed(folder, .unanswered(folder, seconds: seconds))))
    }
    _ = last
    if isPlaced {
      reader.wake()
      hanging.leave()
    } else {
      reader.leave()
    }
  }

  /// What came of the folder, once, when it is read. It is kept here until `letGo`.
  func takeDone() -> FolderReading? {
    state.withLock { state in
      if state.isTaken { return nil }
      state.isTaken = state.done != nil
      return state.done
    }
  }

  /// Nobody looks at what was taken any more.
  func letGo() {
    let reader: PackReader? = state.withLock { state in
      defer { state.mayGo = state.isTaken }
      return state.isTaken && !state.mayGo ? state.reader : nil
    }
    reader?.wake()
  }

  /// Has readings freed that nobody uses any more. They are not the caller's then, nor for a moment longer: whoever drops them last
  /// frees them.
  func free(_ readings: inout [SoundBank.Kept]) {
    let reader = state.withLock { state in
      state.unused += readings
      readings = []
      return state.reader
    }
    reader?.wake()
  }

  /// Has the thread end after the file that it is at: nobody waits for the rest. Returns at once.
  func requestStop() {
    let reader = state.withLock { state in
      state.isEnding = true
      return state.reader
    }
    reader?.requestStop()
  }

  /// Waits for that, but not beyond `deadline`. False where a thread was left behind in a file that does not answer, now or before.
  @discardableResult func stop(by deadline: Instant = .distantFuture) -> Bool {
    requestStop()
    let (reader, isStuck) = state.withLock { ($0.reader, !$0.stuck.isEmpty) }
    return reader?.stop(by: deadline) != false && !isStuck
  }
}
