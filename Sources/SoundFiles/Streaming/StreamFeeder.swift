// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems
import Synchronization

/// A stream that a voice can play: its ring, and where in the track's stream the ring begins.
public struct OpenStream {
  /// The name under which to close it.
  public let id: StreamID
  /// What the voice reads. Hold this value until the voice is finished; the ring is another's once it is closed.
  public let ring: UnsafeMutablePointer<StreamRing>
  /// The frame of the track's stream that is the ring's first.
  public let position: Int64
  /// Frames that were in the ring at once; 0 behind the head, where the decode thread has to find the place first:
  /// wait until `ring.pointee.framesWritten` is more than the voice needs to start.
  public let framesReady: Int

  /// Keeps the ring's memory for as long as this value is held.
  fileprivate let owner: StreamRings
}

/// Names a stream; never used twice.
public struct StreamID: Hashable, Sendable {
  /// Counted from 1.
  public let rawValue: UInt64
}

/// A stream that ended before its time, and why.
public struct StreamFailure: Sendable {
  /// The stream, still to be closed.
  public let id: StreamID
  /// What went wrong.
  public let error: Problem
}

/// Keeps the rings of all playing tracks filled.
///
/// Control opens and closes streams and never waits for a file; whoever calls `pump` (the decode thread, or the host
/// on a stepped clock) does the reading. A file that fails in mid-stream ends its own stream, faded, and nothing else. Several may
/// pump at once, each at another stream: so one that waits for its file keeps nobody from the others.
public final class StreamFeeder: Sendable {
  /// The engine's rate, which every track must have.
  public let rate: Int
  private let rings: StreamRings
  private let table: Mutex<StreamTable>
  private let readers: StreamReaders
  /// Of who pumped last, for who pumps next: most find nothing to read, or are alone.
  private let spare = Mutex<StreamReader.Scratch?>(nil)

  /// A pool of `streams` rings that each hold `ringSeconds` (rounded up to a power of two of frames): 1.37 s and 512 KiB at
  /// 48 kHz by default, many times what the decode thread may be late.
  public init(rate: Int, streams: Int = 12, ringSeconds: Double = 1.3) {
    self.rate = rate
    rings = StreamRings(count: streams, capacityFrames: Int(ringSeconds * Double(rate)))
    table = Mutex(StreamTable(count: streams))
    readers = StreamReaders(count: streams)
  }

  /// A stream of `track` from `frame` of its stream on (clamped to it). Within the track's head the ring has sound at
  /// once. Throws `busy` when all streams are open.
  public func open(_ track: StreamedTrack, fromFrame frame: Int64 = 0) throws(Problem) -> OpenStream {
    let start = max(0, min(frame, track.plan.streamFrames ?? frame))
    guard let (slot, id) = claim(track) else {
      throw Problem(
        .busy, file: track.path,
        "\(track.path): all \(rings.count) streams are in use, or not let go of yet",
        remedy: "ask again in some milliseconds")
    }
    let ring = rings[slot]
    var ready = 0
    if start < Int64(track.head.frames) {
      ready = ring.pointee.write(
        track.layers.map { $0.head.samples.from(Int(start)) }, frames: track.head.frames - Int(start))
    }
    let next = start + Int64(ready)
    let ended = next == track.plan.streamFrames
    if ended { ring.pointee.finish() }
    table.withLock { $0.begin(slot, next: next, ended: ended) }
    return OpenStream(id: id, ring: ring, position: start, framesReady: ready, owner: rings)
  }

  /// Gives a stream back, once the mixer has said that its voice is finished, or before any voice had it.
  /// Its ring is used again after the next `pump`. Unknown ids are ignored.
  public func close(_ id: StreamID) { table.withLock { $0.close(id) } }

  /// Fills every ring, the emptiest first, and frees the streams that were closed. Returns when all are full (but for
  /// less than `StreamReader.chunk` frames) that nobody else fills. Whether it is to be called again though nothing is opened or
  /// closed: rings that are not at their end run empty. `watch` is told before each piece is read, and after it.
  @discardableResult public func pump(_ watch: (_ isReading: Bool) -> Void = { _ in }) -> Bool {
    release()
    if let first = nextWork() {
      var scratch = spare.withLock { $0.take() } ?? StreamReader.Scratch()
      feed(first, &scratch, watch)
      while let work = nextWork() { feed(work, &scratch, watch) }
      spare.withLock { [scratch] in $0 = scratch }
    }
    return table.withLock { $0.hasWork }
  }

  private func feed(_ work: StreamWork, _ scratch: inout StreamReader.Scratch, _ watch: (_ isReading: Bool) -> Void) {
    watch(true)
    let result = readers.withReader(of: work.slot) { $0.feed(work, ring: rings[work.slot], &scratch) }
    watch(false)
    table.withLock { $0.advance(work, by: result) }
    release()
  }

  /// The streams that failed since this was last asked.
  public func drainFailures() -> [StreamFailure] { table.withLock { $0.drainFailures() } }

  /// Streams that there can be.
  public var streamCount: Int { rings.count }

  /// How many open at once are no crowd, whose memory is kept.
  public static var fewStreams: Int { StreamTable.fewStreams }

  /// How many of the `streamCount` are open.
  public var openCount: Int { table.withLock { $0.openCount } }

  /// Bytes of all rings.
  public var ringBytes: Int { rings.bytes }

  private func claim(_ track: StreamedTrack) -> (slot: Int, id: StreamID)? {
    if let claimed = table.withLock({ $0.claim(track) }) { return claimed }
    // Closed streams wait for the next pump. Where there is no other, the one that is used at once is freed here, unless somebody is at it.
    for slot in table.withLock({ $0.takeClosing(atMost: 1) }) { free(slot, givesBack: false) }
    return table.withLock { $0.claim(track) }
  }

  /// Frees what was closed.
  private func release() {
    for slot in table.withLock({ $0.takeClosing() }) { free(slot, givesBack: true) }
  }

  private func free(_ slot: Int, givesBack: Bool) {
    readers.withReader(of: slot) { $0.drop() }
    rings[slot].pointee.reset()
    // A few keep their memory; the others' is taken while they are a crowd, and not kept for ever for its sake.
    if givesBack && slot >= StreamTable.fewStreams { rings[slot].pointee.giveBack() }
    table.withLock { $0.free(slot) }
  }

  private func nextWork() -> StreamWork? {
    table.withLock { table in
      table.takeEmptiest { slot in
        let ring = rings[slot]
        let room = ring.pointee.writableFrames
        return room < min(StreamReader.chunk, ring.pointee.capacityFrames) ? nil : room
      }
    }
  }
}

/// One reader a slot.
private final class StreamReaders: @unchecked Sendable {
  // Sendable is true: the array never changes, and a reader is its who took its slot in the table until it is given back there.
  private let readers: UnsafeMutablePointer<StreamReader>
  private let count: Int

  init(count: Int) {
    self.count = max(1, count)
    readers = .allocate(capacity: self.count)
    readers.initialize(repeating: StreamReader(), count: self.count)
  }

  deinit {
    readers.deinitialize(count: count)
    readers.deallocate()
  }

  func withReader<Result>(of slot: Int, _ body: (inout StreamReader) -> Result) -> Result { body(&readers[slot]) }
}

/// The rings' memory, at addresses that do not move.
private final class StreamRings: @unchecked Sendable {
  // Sendable is true: the array never changes, and each ring is one producer's and one consumer's.
  private let rings: UnsafeMutablePointer<StreamRing>
  let count: Int

  init(count: Int, capacityFrames: Int) {
    self.count = max(1, count)
    rings = .allocate(capacity: self.count)
    for slot in 0..<self.count {
      (rings + slot).initialize(
        // What no track with stems uses takes no memory.
        to: StreamRing(capacityFrames: capacityFrames, layers: 1 + StemGains.most))
    }
  }

  deinit {
    rings.deinitialize(count: count)
    rings.deallocate()
  }

  subscript(slot: Int) -> UnsafeMutablePointer<StreamRing> { rings + slot }

  var bytes: Int { count * rings.pointee.capacityFrames * 2 * MemoryLayout<Float>.stride }
}
