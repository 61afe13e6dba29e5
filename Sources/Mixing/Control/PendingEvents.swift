// SPDX-License-Identifier: Apache-2.0

import RealTime

extension Mixer {
  /// Whether events wait for the control side: the audio thread asks once a period whether to wake it.
  public var hasEvents: Bool { @_noLocks get { link.pointee.events.count > 0 } }
}
