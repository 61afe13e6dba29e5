// SPDX-License-Identifier: Apache-2.0

import RealTime
import Synchronization

/// A voice that never got a slot, of which the control side has still to be told.
struct Refusal: BitwiseCopyable {
  var id: VoiceID
  var at: Int64
  var reason: FinishReason

  @_noLocks init(id: VoiceID, at: Int64, reason: FinishReason) {
    self.id = id
    self.at = at
    self.reason = reason
  }
}

/// How the mixer fared; what has a span of time covers the time since it was last read.
public struct MixerStatistics: Equatable, Sendable {
  /// Voices that have a slot, fading ones included.
  public var activeVoices = 0
  /// Highest magnitude of the mix before the limiter.
  public var peak: Float = 0
  /// Lowest gain of the limiter; 1 when it had nothing to do.
  public var limiterGain: Float = 1
  /// Frames, since the mixer began, in which a sample was no finite number and was counted as silence.
  public var brokenFrames = 0
}

/// All that the two sides share: rings and atomics, in an allocation of its own.
struct MixerLink: ~Copyable {
  let commands: CommandRing
  let events: SPSCRing<MixerEvent>
  /// Apart from the commands, so that no flood of those keeps a pause waiting.
  let pauses: SPSCRing<PauseStep>
  /// The first frame that has not been mixed.
  let mixedFrame = Atomic<Int64>(0)
  /// The next frame to be put out.
  let outputFrame = Atomic<Int64>(0)
  /// Commands carried out since the beginning.
  let carriedOut = Atomic<Int>(0)
  let activeVoices = Atomic<Int>(0)
  let brokenFrames = Atomic<Int>(0)
  /// Bit patterns of non-negative floats, which order like the numbers.
  let peak = Atomic<UInt32>(0)
  let limiterGain = Atomic<UInt32>(Float(1).bitPattern)
  /// Of each bus, by its index, and of the output.
  let meters: UnsafeMutablePointer<MeterSlices>
  /// Which of them is the output's.
  static var outputMeter: Int { @_noLocks get { Bus.number } }

  init(commandCapacity: Int, slots: Int, rate: Int) {
    meters = .allocate(capacity: Self.outputMeter + 1)
    for index in 0...Self.outputMeter { (meters + index).initialize(to: MeterSlices(rate: rate)) }
    commands = CommandRing(capacity: commandCapacity)
    pauses = SPSCRing(capacity: 2 * MixerController.mostPauses, zero: .goOn(afterStanding: 0))
    events = SPSCRing(
      capacity: 4 * slots + commandCapacity, zero: .started(VoiceID(rawValue: 0), at: 0))
  }

  deinit {
    meters.deinitialize(count: Self.outputMeter + 1)
    meters.deallocate()
  }
}
