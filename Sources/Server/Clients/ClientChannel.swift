// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Glibc
import Synchronization
import Timing
import Tracing
import Wire

/// The way out to one client. Control and the beats thread both speak through it; a lock keeps their lines whole and in
/// order.
final class ClientChannel: Sendable {
  let id: ClientID
  let descriptor: Int32
  /// How long a notification may hold up the thread that tells it, in milliseconds.
  private let patience: Int32
  private let limits: Limits
  private let state: Mutex<State>

  private struct State {
    var lines: LineQueue
    var topics: Set<Topic> = []
    /// The number of the last notification.
    var seq: UInt64 = 0
    var condition = Condition.open
    /// Whether something was put into the queue that is to be sent with what comes after it.
    var isGathering = false
    /// Whether the other end took nothing when it was tried last.
    var isFull = false
    /// When the other end last took something, or nothing waited for it.
    var tookAt = Instant.distantPast
    /// When nothing waited last.
    var emptyAt = Instant.distantPast
    /// What was told and is to be recorded, by control.
    var told: [TraceEvent] = []

    mutating func record(_ event: TraceEvent) {
      if told.count < ClientChannel.mostTold { told.append(event) }
    }
  }

  /// How much of what was told may wait to be recorded.
  private static let mostTold = 256

  /// How the way out stands.
  enum Condition: Equatable {
    case open
    /// More waited than may wait; nothing more is taken.
    case overflowed
    /// The reason for closing was said; nothing more is taken.
    case farewell
    /// The other end reads no more.
    case gone
  }

  /// What the event loop goes by.
  struct Standing: Equatable {
    var condition: Condition
    var queuedBytes: Int
  }

  /// A way out through a non-blocking socket; what waits for it is within `limits`.
  ///
  /// `patience`, in milliseconds, is how long to wait for a reader where there is no more room: on a clock that runs
  /// not at all, on a stepped one a while, for a step of a minute brings a minute's notifications at once.
  init(id: ClientID, descriptor: Int32, limits: Limits, patience: Int32) {
    self.id = id
    self.descriptor = descriptor
    self.patience = patience
    self.limits = limits
    state = Mutex(State(lines: LineQueue(bound: limits.queuedBytes)))
  }

  /// What was told since the last call, to be recorded.
  func takeTold() -> [TraceEvent] {
    state.withLock { state in
      if state.told.isEmpty { return [] }
      defer { state.told.removeAll(keepingCapacity: true) }
      return state.told
    }
  }

  var topics: Set<Topic> {
    get { state.withLock { $0.topics } }
    set { state.withLock { $0.topics = newValue } }
  }

  var standing: Standing {
    state.withLock { Standing(condition: $0.condition, queuedBytes: $0.lines.queuedBytes) }
  }

  /// Numbers and sends a notification if the client subscribed to its topic; false when control must look after it.
  @discardableResult func tell(_ notification: OutgoingNotification, at now: Instant) -> Bool {
    state.withLock { gather(notification, &$0, at: now) && (!$0.isGathering || flush(&$0, at: now)) }
  }

  /// Numbers a notification if the client subscribed to its topic; false where it did not. It is sent with what comes behind it, by
  /// `sendGathered` at the latest: most of what telling many clients takes is the calls of the system.
  @discardableResult func gather(_ notification: OutgoingNotification, at now: Instant) -> Bool {
    state.withLock { state in
      let before = state.seq
      _ = gather(notification, &state, at: now)
      return state.seq > before
    }
  }

  /// Sends what was gathered.
  func sendGathered(at now: Instant) {
    state.withLock { if $0.isGathering { _ = flush(&$0, at: now) } }
  }

  /// How many bytes wait for one that reads: nothing waited a second ago at some time. Who never comes to the end is too slow
  /// for all there is, whoever has it told.
  func waiting(at now: Instant) -> Int {
    state.withLock { state in
      guard state.condition == .open, !state.lines.isEmpty, now - state.emptyAt < Self.longestBehind else { return 0 }
      return state.lines.queuedBytes
    }
  }

  private static let longestBehind = Interval.milliseconds(1_000)

  /// False when control must look after the client.
  private func gather(_ notification: OutgoingNotification, _ state: inout State, at now: Instant) -> Bool {
    guard state.condition == .open, state.topics.contains(notification.topic) else { return true }
    if let key = notification.coalescingKey {
      // Newer state takes the place of what the other end did not take in time, and of nothing else.
      if state.isGathering { _ = flush(&state, at: now) }
      state.lines.removeWaiting(key)
    }
    state.seq += 1
    var line = notification.line(seq: state.seq)
    line.append(lineFeed)
    guard hasRoom(line.count, &state, at: now) else {
      state.condition = .overflowed
      return false
    }
    beginWait(&state, at: now)
    state.lines.append(line, key: notification.coalescingKey, mark: ToldMark(notification, queued: now))
    state.isGathering = true
    return true
  }

  /// Sends a reply. Replies are not bounded here: control reads no more requests while too much waits.
  func reply(_ line: consuming [UInt8], at now: Instant) {
    line.append(lineFeed)
    state.withLock { state in
      guard state.condition == .open else { return }
      beginWait(&state, at: now)
      state.lines.append(line)
      _ = flush(&state, at: now)
    }
  }

  /// Says why the client is to be closed, in place of all that waits.
  func sayFarewell(_ error: RPCError, at now: Instant) {
    state.withLock { state in
      guard state.condition == .open || state.condition == .overflowed else { return }
      state.lines.dropWaiting()
      state.lines.append(Router<Void>.errorLine(error) + [lineFeed])
      state.condition = .farewell
      _ = flush(&state, at: now)
    }
  }

  /// Sends what waits, as far as it goes.
  func flush(at now: Instant) {
    state.withLock { _ = flush(&$0, at: now) }
  }

  /// The other end is gone: nothing can be said any more.
  func giveUp() {
    state.withLock { state in
      state.lines.clear()
      state.condition = .gone
    }
  }

  /// Whether a line of `count` bytes may wait. What is told of one instant comes all at once: whoever reads in time may have
  /// more waiting than others.
  private func hasRoom(_ count: Int, _ state: inout State, at now: Instant) -> Bool {
    if state.lines.fits(count) { return true }
    if patience > 0 { return waitForRoom(count, &state, at: now) }
    _ = flush(&state, at: now)
    if state.lines.fits(count) { return true }
    return state.lines.queuedBytes + count <= limits.queuedBytesAtOnce
      && now - state.tookAt <= .microseconds(limits.readWithinUs)
  }

  /// What comes now is the first to wait, where nothing waits: only from now on is the other end slow to take it.
  private func beginWait(_ state: inout State, at now: Instant) {
    if state.lines.isEmpty { (state.tookAt, state.emptyAt) = (now, now) }
  }

  /// Waits until a line of `count` bytes fits; false when the other end takes nothing for too long.
  private func waitForRoom(_ count: Int, _ state: inout State, at now: Instant) -> Bool {
    while !state.lines.fits(count), state.condition == .open {
      var socket = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&socket, 1, patience) > 0 else { break }
      _ = flush(&state, at: now)
    }
    return state.lines.fits(count)
  }

  /// When a line leaves: now. Where time does not run by itself it takes none.
  private func written(_ mark: ToldMark) -> Instant {
    patience > 0 ? mark.queued : Instant(nanoseconds: rt_now_ns())
  }

  /// True when all has left.
  private func flush(_ state: inout State, at now: Instant) -> Bool {
    state.isGathering = false
    // For whoever does not read, nothing is copied in vain.
    while let bytes = state.isFull ? state.lines.next : state.lines.next(upTo: Self.mostAtOnce) {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      state.isFull = count < 0 && errno == EAGAIN
      if count >= 0 {
        state.tookAt = max(state.tookAt, now)
        for mark in state.lines.consume(count) { state.record(mark.event(written: written(mark))) }
      } else if errno == EAGAIN {
        for mark in state.lines.takeNewMarks() { state.record(mark.event(written: nil)) }
        return false
      } else if errno != EINTR {
        state.lines.clear()
        state.condition = .gone
      }
    }
    return true
  }

  /// The most bytes of several lines in one call: more would be copied in vain for whoever does not read.
  private static let mostAtOnce = 8_192
}

private let lineFeed = UInt8(ascii: "\n")
