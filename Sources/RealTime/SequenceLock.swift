// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The latest value of a trivial type from one writer to any number of readers: the writer never waits, a reader
/// repeats its copy when a write came in between.
///
/// The value travels in atomic words (release stores, acquire loads), so no reader ever touches memory that is being
/// written otherwise, and the thread sanitizer can follow.
public struct SequenceLock<Value: BitwiseCopyable>: ~Copyable {
  /// Word 0 counts writes: odd while one is under way. The value's words follow.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
  @usableFromInline let wordCount: Int
  /// The writer's own copy, read back word by word.
  @usableFromInline let staging: UnsafeMutableRawPointer

  /// A lock that holds `value`.
  public init(_ value: Value) {
    wordCount = (MemoryLayout<Value>.size + 7) / 8
    words = .allocate(capacity: wordCount + 1)
    staging = .allocate(byteCount: wordCount * 8 + MemoryLayout<Value>.stride, alignment: 16)
    staging.initializeMemory(as: UInt8.self, repeating: 0, count: wordCount * 8 + MemoryLayout<Value>.stride)
    for index in 0...wordCount { (words + index).initialize(to: Atomic(0)) }
    publish(value)
  }

  deinit {
    words.deallocate()
    staging.deallocate()
  }

  /// Writer: makes `value` the latest.
  @inlinable public func publish(_ value: Value) {
    staging.storeBytes(of: value, as: Value.self)
    let count = words[0].load(ordering: .relaxed)
    words[0].store(count &+ 1, ordering: .relaxed)
    var index = 0
    while index < wordCount {
      words[index &+ 1].store(staging.load(fromByteOffset: index &* 8, as: UInt64.self), ordering: .releasing)
      index &+= 1
    }
    words[0].store(count &+ 2, ordering: .releasing)
  }

  /// Reader: the latest value, whole.
  @inlinable public func read() -> Value {
    withUnsafeTemporaryAllocation(byteCount: wordCount * 8, alignment: 16) { copy in
      while true {
        let before = words[0].load(ordering: .acquiring)
        if before & 1 == 1 { continue }
        for index in 0..<wordCount {
          copy.storeBytes(of: words[index + 1].load(ordering: .acquiring), toByteOffset: index * 8, as: UInt64.self)
        }
        if words[0].load(ordering: .relaxed) == before { return copy.load(as: Value.self) }
      }
    }
  }
}

// All shared memory is atomic; `staging` has one writer and no reader but the writer.
extension SequenceLock: @unchecked Sendable where Value: Sendable {}
