// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What became of a batch that was submitted for a frame.
public enum Submission: Sendable, BitwiseCopyable {
  /// The mixer takes it in time.
  case taken
  /// It found no room; nothing was sent.
  case full
  /// The mixer may be past the frame by the time that it takes it; nothing was sent.
  case passed
}

/// Commands on their way from control to the mixer, and which came first: a batch that is shown, or a call of the mixer that begins.
///
/// One word holds both the calls begun and the commands shown, so a batch can be shown on condition that no call has begun since
/// control looked how far calls go. Then the mixer takes it at the frame that control knew of, however long control was not let
/// run in between; or control knows, before anything was sent, that this frame has passed. Neither side waits for the other.
struct CommandRing: ~Copyable {
  private let slots: UnsafeMutablePointer<MixerCommand>
  private let mask: UInt32
  /// Calls begun, in the upper half; commands shown since the beginning, in the lower.
  private let gate = Atomic<UInt64>(0)
  /// The first played frame that may not be mixed yet once the call that began last is over.
  private let passed = Atomic<Int64>(0)
  /// Commands taken since the beginning, as the lower half counts them.
  private let taken = Atomic<UInt32>(0)

  private static var oneCall: UInt64 { @_noLocks get { 1 << 32 } }

  /// Room for `capacity` commands, rounded up to a power of two; filled, so that the mixer touches no page first.
  init(capacity: Int) {
    var rounded = 1
    while rounded < capacity { rounded *= 2 }
    slots = .allocate(capacity: rounded)
    slots.initialize(repeating: .stop(VoiceID(rawValue: 0), at: 0, fade: .none), count: rounded)
    mask = UInt32(rounded - 1)
  }

  deinit { slots.deallocate() }

  /// Commands shown that wait.
  var count: Int {
    @_noLocks get {
      let shown = UInt32(truncatingIfNeeded: gate.load(ordering: .acquiring))
      return Int(shown &- taken.load(ordering: .acquiring))
    }
  }

  // MARK: Control

  /// Shows a batch, all of it at once; not where there is no room, nor where the mixer may pass `frame` before it takes it.
  /// `hasRested` says the same of frames that pass at rest; it is asked anew each time that a call began meanwhile.
  func show(
    _ batch: [MixerCommand], unlessPassed frame: Int64 = .max, hasRested: () -> Bool = { false }
  ) -> Submission {
    var word = gate.load(ordering: .acquiring)
    let shown = UInt32(truncatingIfNeeded: word)
    let waiting = Int(shown &- taken.load(ordering: .acquiring))
    if batch.count > Int(mask) + 1 - waiting { return .full }
    for (index, command) in batch.enumerated() {
      slots[Int((shown &+ UInt32(truncatingIfNeeded: index)) & mask)] = command
    }
    while true {
      if hasRested() || passed.load(ordering: .acquiring) > frame { return .passed }
      let after = UInt64(shown &+ UInt32(truncatingIfNeeded: batch.count))
      let (isShown, found) = gate.compareExchange(
        expected: word, desired: (word & ~(Self.oneCall - 1)) | after, ordering: .acquiringAndReleasing)
      if isShown { return .taken }
      word = found
    }
  }

  // MARK: The mixer

  /// A call begins that mixes all played frames before `frame`; how many commands it finds. What is shown from here on is the next
  /// one's.
  @_noLocks func beginCall(upTo frame: Int64) -> Int {
    passed.store(frame, ordering: .relaxed)
    let before = gate.wrappingAdd(CommandRing.oneCall, ordering: .acquiringAndReleasing).oldValue
    return Int(UInt32(truncatingIfNeeded: before) &- taken.load(ordering: .relaxed))
  }

  /// The call is over, and has mixed all before `frame`: perhaps less than it had said.
  @_noLocks func endCall(at frame: Int64) { passed.store(frame, ordering: .releasing) }

  /// Takes the oldest of those that a call found.
  @_noLocks func take(into command: UnsafeMutablePointer<MixerCommand>) {
    let next = taken.load(ordering: .relaxed)
    command.pointee = slots[Int(next & mask)]
    taken.store(next &+ 1, ordering: .releasing)
  }
}
