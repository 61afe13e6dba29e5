// SPDX-License-Identifier: Apache-2.0

import HapticOutput
import Journal
import Mixing
import Timing

/// What the mixer and the haptic log noted, as fields.
extension JournalFields {
  mutating func add(_ note: MixerNote) {
    switch note {
    case .rendered(let frames, let times):
      add(UInt64(0))
      add(frames)
      add(times)
    case .took(let call, let frames, let commands, let pauses):
      add(UInt64(1))
      add(UInt64(call.rawValue))
      add(frames)
      add(commands)
      add(pauses)
    case .rested(let frames):
      add(UInt64(2))
      add(frames)
    case .fadedIn: add(UInt64(3))
    case .saw(let voice, let frame, let end, let isComplete):
      add(UInt64(4))
      add(voice.rawValue)
      add(frame)
      add(end)
      add(isComplete)
    case .heard(let second, let fingerprint):
      add(UInt64(5))
      add(second)
      add(whole: fingerprint)
    }
  }

  mutating func add(_ step: FeltStep) {
    add(step.left)
    add(step.commands)
    add(optional: step.clock.map { Int64($0) })
    add(step.at.nanoseconds)
    add(step.isStepped)
    add(step.isLast)
    add(step.written)
  }
}

extension JournalFieldReader {
  mutating func mixerNote() throws(JournalFault) -> MixerNote {
    switch try unsigned() {
    case 0: return .rendered(frames: try signed(in: Self.frames), times: try signed(in: Self.times))
    case 1:
      guard let call = MixerCall(rawValue: UInt8(truncatingIfNeeded: try unsigned())) else { throw .record }
      return .took(call, frames: try signed(in: Self.frames), commands: try signed(), pauses: try signed())
    case 2: return .rested(frames: try signed(in: Self.frames))
    case 3: return .fadedIn
    case 4:
      return .saw(
        VoiceID(rawValue: try unsigned()), at: try signed(in: Self.places), end: try signed(in: Self.places),
        isComplete: try flag())
    case 5: return .heard(second: try signed(), try whole())
    default: throw .record
    }
  }

  /// Numbers of frames that can be rendered or passed over.
  private static let frames: ClosedRange<Int64> = 0...(1 << 40)
  /// How often a call can be made.
  private static let times: ClosedRange<Int64> = 1...(1 << 32)
  /// Frames of the output, or of a stream.
  private static let places: ClosedRange<Int64> = -(1 << 40)...(1 << 40)

  private mutating func signed(in range: ClosedRange<Int64>) throws(JournalFault) -> Int64 {
    let number = try signed()
    guard range ~= number else { throw .record }
    return number
  }

  mutating func feltStep() throws(JournalFault) -> FeltStep {
    FeltStep(
      left: try integer(), commands: try integer(), clock: try optionalSigned().map { Int($0) },
      at: Instant(nanoseconds: try signed()), isStepped: try flag(), isLast: try flag(), written: try text())
  }
}
