// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Synchronization
import Timing

/// How much later than it tells the keeper's device is heard, as it was calibrated.
extension DeviceKeeper {
  /// From here on the audio thread goes by the lead that is known of what is open.
  func follow(_ state: inout State) {
    guard let key = state.opened?.key ?? state.resting else { return }
    let lead = state.leads[key]
    state.description.lead = lead
    shared.pointer.pointee.lead.store(lead.nanoseconds, ordering: .relaxed)
  }

  /// What `AudioOutput.setLead` does. This thread writes it; nobody waits for the disk.
  func setLead(_ lead: Interval, of device: String) -> Bool {
    let isTaken = state.withLock { state in
      guard state.description.kind == .alsa, state.description.device == device,
        let key = state.opened?.key ?? state.resting
      else { return false }
      state.leads.remember(lead, for: key)
      state.haveLeadsChanged = true
      follow(&state)
      return true
    }
    if isTaken { rt_eventfd_signal(threads.keeperWake) }
    return isTaken
  }

  /// Writes leads that were set since the last time.
  func keepLeads() {
    let changed: LeadMemory? = state.withLock { state in
      guard state.haveLeadsChanged else { return nil }
      state.haveLeadsChanged = false
      return state.leads
    }
    guard let changed, let leadFile else { return }
    let problem = keep(.lead) { leadFile.write(changed) }
    state.withLock { $0.leadProblem = problem }
  }
}
