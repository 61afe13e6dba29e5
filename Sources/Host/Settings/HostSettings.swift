// SPDX-License-Identifier: Apache-2.0

import Engine
import Wire

/// The player's settings, from one run to the next.
extension Host {
  /// Brings back what the player set in an earlier run.
  func restoreSettings() {
    guard let settingsStore else { return }
    let (kept, problem) = settingsStore.start()
    if let problem { fail(problem) }
    guard let kept else { return }
    do throws(RPCError) {
      journal?.enter(SettingsSet.name, kept, RequestContext(cause: .daemon, arrival: engine.turn.clockNow))
      _ = try engine.changeSettings(kept, by: .daemon)
      keptRevision = engine.settingsRevision
      carryOutActions()
    } catch {
      fail(settingsStore.unusable(error.message))
    }
  }

  /// Has settings kept that have changed.
  func keepSettings() {
    guard let settingsStore, engine.settingsRevision != keptRevision else { return }
    keptRevision = engine.settingsRevision
    settingsStore.keep(engine.currentSettings)
  }
}
