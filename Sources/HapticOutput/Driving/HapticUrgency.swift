// SPDX-License-Identifier: Apache-2.0

import RealTime

/// How urgent the calling thread is: in real time while its device is there, as it was granted, and in time sharing while it is
/// away. Who looks for one pad among all that is plugged in takes milliseconds, which others of its priority, whose pads play,
/// would wait for.
struct HapticUrgency {
  private let granted: ThreadScheduling
  private var isUrgent = true

  /// Of a thread that runs as was granted; nil where that is not known.
  init(_ granted: ThreadScheduling?) { self.granted = granted ?? .timeSharing(refusal: nil) }

  /// To be called by the thread itself.
  mutating func follow(isAway: Bool) {
    guard case .fifo = granted, isUrgent == isAway else { return }
    isUrgent = !isAway
    let scheduling = isUrgent ? granted : .timeSharing(refusal: nil)
    // Refused only where a privilege was taken since: then it goes on as well as it may.
    scheduling.applyToCallingThread()
    if !isUrgent { goWithOthers() }
  }
}
