// SPDX-License-Identifier: Apache-2.0

import CALSA
import Timing

/// An opened and configured PCM, as handed between the control side and the audio thread: one owner at a time.
struct OpenDevice: BitwiseCopyable {
  let pcm: OpaquePointer
  let bridge: OutputBridge
  /// As it was opened; the audio thread keeps its own, which may grow.
  let fill: DeviceFill
  let isMemoryMapped: Bool
  /// How its position is told.
  let kind: DeviceKind
  /// What wakes for it where there is room for a period; the audio thread keeps its own.
  let wakes: WakeSource
  /// Its own period, in frames: how often it interrupts.
  let ownPeriod: Int
  /// Whether it is known to take frames at any speed.
  let isUnpaced: Bool
  /// Whether it can be let go while nothing is to be heard: a card is behind it, and no file begins anew with it.
  let canRest: Bool
  /// Whether it is alsa-lib's `file` plug-in, which may end the process where it is dropped or closed and cannot be written.
  let isFile: Bool
  /// Whether more may be kept ahead after repeated underruns.
  let canGrow: Bool
  /// The step of its position counter, which readings do not show.
  let biasFloor: Interval
  /// Room for one period in the device's format.
  let converted: UnsafeMutableRawPointer
  /// Why the audio thread let it go.
  var releaseReason = ReleaseReason.gone

  var period: Int { @_noLocks get { fill.period } }
  /// Whether it is a card itself, which has a pace of its own.
  var isHardware: Bool { @_noLocks get { kind.isHardware } }
  /// Frames that its ring has room for.
  var ring: Int { @_noLocks get { fill.ring } }

  /// Whether it is a file that cannot be written, which is left open: alsa-lib may end the process (an assertion in its
  /// `snd_pcm_file_drop`) where it is closed.
  func isUnwritable(after reason: ReleaseReason) -> Bool {
    guard isFile else { return false }
    switch reason {
    case .failing, .hanging, .stalled: return true
    // Over a card, whose trouble that is.
    case .gone, .suspended, .unstable, .resting: return false
    }
  }
}
