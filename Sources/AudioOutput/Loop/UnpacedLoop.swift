// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// A PCM without a pace of its own, which takes frames at any speed: it is given them by the clock.
extension AudioThread {
  /// What the device took too early is on the plan as rendered; the clock catches up with it.
  @_noLocks mutating func paceByClock(_ device: OpenDevice) {
    guard let plan = playing?.plan else { return }
    playing?.phase = .unpaced
    timeline = plan
    goByLead(device)
    tell(.unpaced)
  }

  /// Goes by another lead as soon as there is one.
  @_noLocks mutating func followLead() {
    let lead = knownLead
    guard let current = playing, current.lead != lead else { return }
    playing?.lead = lead
    goByLead(current.device.pointee)
  }

  /// Gives it what is heard a lead later. Of a longer lead the frames are passed over that it was to be given by now; of a shorter
  /// one it waits.
  @_noLocks private mutating func goByLead(_ device: OpenDevice) {
    continueOnClock(period: device.period, lead: playing?.lead ?? .zero)
    noteLeadInForce()
    let missed = (now() - pacer.due(next)).frames(rate: rate)
    guard missed > Int64(device.period) else { return }
    tell(.skipped(at: next, lost: missed))
    skip(missed)
  }

  /// What is rendered is in time by the lead that the device is played by.
  @_noLocks func noteLeadInForce() {
    shared.pointee.leadInForce.store(playing?.lead.nanoseconds ?? 0, ordering: .relaxed)
  }
}
