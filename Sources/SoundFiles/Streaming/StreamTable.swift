// SPDX-License-Identifier: Apache-2.0

import Problems

/// What there is to read for one stream.
struct StreamWork {
  let slot: Int
  let id: StreamID
  let track: StreamedTrack
  /// The frame of the track's stream that the ring is to get next.
  let next: Int64
  /// Frames that fit.
  let room: Int
}

/// How one reading went.
enum StreamProgress {
  /// So many frames were written, and more will come.
  case wrote(Int)
  /// So many frames were written, and those were the last.
  case ended(Int)
  /// The file failed; the ring is finished.
  case failed(Problem)
}

/// Which streams are open and how far each has been read: held by both sides for moments only.
struct StreamTable {
  private enum State { case free, claimed, filling, complete, closing }

  private struct Stream {
    var state = State.free
    var id = StreamID(rawValue: 0)
    var track: StreamedTrack?
    var next: Int64 = 0
    /// Whether somebody is at its files.
    var isFed = false
  }

  private var streams: [Stream]
  private var lastID: UInt64 = 0
  private var failures: [StreamFailure] = []

  init(count: Int) { streams = [Stream](repeating: Stream(), count: max(1, count)) }

  var openCount: Int { streams.count { $0.state != .free } }

  /// Streams beyond which they are a crowd: two tracks that cross-fade, and the next two. The lowest slot that is free is taken first.
  static let fewStreams = 4

  /// Whether there is something to be read or freed, now or later.
  var hasWork: Bool { streams.contains { $0.state == .filling || $0.state == .closing } }

  /// Slots to be freed by who asks, at most so many, which are handed out once.
  mutating func takeClosing(atMost most: Int = .max) -> [Int] {
    let closing = streams.indices.filter { streams[$0].state == .closing && !streams[$0].isFed }.prefix(most)
    for slot in closing { streams[slot].isFed = true }
    return Array(closing)
  }

  mutating func claim(_ track: StreamedTrack) -> (slot: Int, id: StreamID)? {
    guard let slot = streams.firstIndex(where: { $0.state == .free }) else { return nil }
    lastID += 1
    streams[slot] = Stream(state: .claimed, id: StreamID(rawValue: lastID), track: track)
    return (slot, streams[slot].id)
  }

  /// The head is in the ring: the reading side may take over at `next`.
  mutating func begin(_ slot: Int, next: Int64, ended: Bool) {
    streams[slot].next = next
    streams[slot].state = ended ? .complete : .filling
  }

  mutating func close(_ id: StreamID) {
    guard let slot = streams.firstIndex(where: { $0.id == id && $0.state != .free }) else { return }
    streams[slot].state = .closing
  }

  mutating func free(_ slot: Int) { streams[slot] = Stream() }

  /// The filling stream with the most room, of those that `room` says are worth a reading and that nobody is at: it is the caller's
  /// until `advance`.
  mutating func takeEmptiest(room: (Int) -> Int?) -> StreamWork? {
    var best: StreamWork?
    for (slot, stream) in streams.enumerated() where stream.state == .filling && !stream.isFed {
      guard let track = stream.track, let room = room(slot), room > best?.room ?? 0 else { continue }
      best = StreamWork(slot: slot, id: stream.id, track: track, next: stream.next, room: room)
    }
    if let best { streams[best.slot].isFed = true }
    return best
  }

  mutating func advance(_ work: StreamWork, by progress: StreamProgress) {
    streams[work.slot].isFed = false
    switch progress {
    case .wrote(let frames): streams[work.slot].next += Int64(frames)
    case .ended(let frames):
      streams[work.slot].next += Int64(frames)
      complete(work.slot)
    case .failed(let error):
      failures.append(StreamFailure(id: work.id, error: error))
      complete(work.slot)
    }
  }

  mutating func drainFailures() -> [StreamFailure] {
    defer { failures = [] }
    return failures
  }

  /// Nothing more is to be read; a stream that was closed meanwhile stays so.
  private mutating func complete(_ slot: Int) {
    if streams[slot].state == .filling { streams[slot].state = .complete }
  }
}
