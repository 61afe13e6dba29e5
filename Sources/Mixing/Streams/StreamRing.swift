// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Synchronization

/// Stereo frames on their way from one decoder thread to one voice: of a track, and where it has stems of those behind it,
/// layer by layer. A frame is there once it is there in all layers, so none of them can be ahead of another.
///
/// The samples and counters are allocations of the ring's own. Frames are counted from the ring's first.
public struct StreamRing: ~Copyable {
  private let samples: UnsafeMutablePointer<Float>
  private let sampleBytes: Int
  /// How many frames the ring holds at most: a power of two.
  public let capacityFrames: Int
  /// How many layers it has room for.
  public let layers: Int
  private let counters: UnsafeMutableRawPointer
  private let written: UnsafeMutablePointer<Atomic<Int64>>
  private let consumed: UnsafeMutablePointer<Atomic<Int64>>
  private let complete: UnsafeMutablePointer<Atomic<Bool>>

  /// A ring for at least `capacityFrames` frames, rounded up to a power of two, of one layer or more.
  public init(capacityFrames: Int, layers: Int = 1) {
    var rounded = 1
    while rounded < capacityFrames { rounded *= 2 }
    self.capacityFrames = rounded
    self.layers = max(layers, 1)
    // Left as it comes: nothing is read that was not written, and a ring that is never used takes no memory.
    sampleBytes = 2 * rounded * self.layers * MemoryLayout<Float>.stride
    samples = UnsafeMutableRawPointer.allocate(byteCount: sampleBytes, alignment: Int(getpagesize()))
      .bindMemory(to: Float.self, capacity: 2 * rounded * self.layers)
    counters = .allocate(byteCount: 384, alignment: 128)
    written = counters.bindMemory(to: Atomic<Int64>.self, capacity: 1)
    consumed = (counters + 128).bindMemory(to: Atomic<Int64>.self, capacity: 1)
    complete = (counters + 256).bindMemory(to: Atomic<Bool>.self, capacity: 1)
    written.initialize(to: Atomic(0))
    consumed.initialize(to: Atomic(0))
    complete.initialize(to: Atomic(false))
  }

  deinit {
    samples.deallocate()
    counters.deallocate()
  }

  // MARK: Producer

  /// Frames that can be written now.
  public var writableFrames: Int {
    capacityFrames - Int(written.pointee.load(ordering: .relaxed) - consumed.pointee.load(ordering: .acquiring))
  }

  /// Appends up to `frames` frames of a track without stems and returns how many fitted.
  public func write(_ source: Samples, frames: Int) -> Int { write([source], frames: frames) }

  /// Appends up to `frames` frames, of each of its layers as many, and returns how many fitted.
  public func write(_ sources: [Samples], frames: Int) -> Int {
    let start = written.pointee.load(ordering: .relaxed)
    let accepted = max(min(frames, writableFrames), 0)
    let index = Int(start) & (capacityFrames - 1)
    let first = min(accepted, capacityFrames - index)
    for (layer, source) in sources.prefix(layers).enumerated() {
      let place = samples + 2 * capacityFrames * layer
      source.copy(into: place + 2 * index, count: 2 * first)
      source.from(first).copy(into: place, count: 2 * (accepted - first))
    }
    written.pointee.store(start + Int64(accepted), ordering: .releasing)
    return accepted
  }

  /// Says that nothing more comes: the voice ends after the last frame written.
  public func finish() { complete.pointee.store(true, ordering: .releasing) }

  /// Empties the ring for another voice. Only while no voice uses it.
  public func reset() {
    written.pointee.store(0, ordering: .relaxed)
    consumed.pointee.store(0, ordering: .relaxed)
    complete.pointee.store(false, ordering: .releasing)
  }

  /// Lets go of the memory of what was written, as far as it fills pages; what is written next takes it anew. Only while no voice
  /// uses it, and after `reset`.
  public func giveBack() {
    let page = Int(getpagesize())
    let whole = sampleBytes / page * page
    if whole > 0 { _ = rt_give_back(samples, whole) }
  }

  // MARK: Either side

  /// Frames ever written.
  public var framesWritten: Int64 { written.pointee.load(ordering: .acquiring) }
  /// Frames ever played or passed over.
  public var framesConsumed: Int64 { consumed.pointee.load(ordering: .acquiring) }

  // MARK: Consumer

  /// Whether the producer has finished. Ask before `readableEnd`, so that the end cannot move in between.
  var isComplete: Bool { @_noLocks get { complete.pointee.load(ordering: .acquiring) } }

  /// The frame up to which samples may be read.
  var readableEnd: Int64 { @_noLocks get { written.pointee.load(ordering: .acquiring) } }

  /// The samples of a layer from `frame` on, and how many of them lie in one piece.
  @_noLocks func piece(at frame: Int64, layer: Int = 0) -> (samples: UnsafePointer<Float>, frames: Int) {
    let index = Int(frame) & (capacityFrames - 1)
    return (UnsafePointer(samples + 2 * (capacityFrames &* layer &+ index)), capacityFrames - index)
  }

  /// Gives everything before `frame` back to the producer.
  @_noLocks func consume(upTo frame: Int64) { consumed.pointee.store(frame, ordering: .releasing) }
}

// All that is shared is atomic, and samples are written only where the consumer has given them back.
extension StreamRing: @unchecked Sendable {}
