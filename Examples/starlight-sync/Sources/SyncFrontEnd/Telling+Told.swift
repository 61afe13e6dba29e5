// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules

extension Telling {
  /// What the daemon told, where it is of a chapter's run.
  init?(_ told: Event.Notification, tUs: Int64) {
    switch told {
    case .rhythmSpawn(let spawn):
      guard let lane = spawn.lane.flatMap(Lane.init(rawValue:)) else { return nil }
      self = .spawned(beat: spawn.beat, lane: lane, atUs: tUs, beatUs: spawn.beatUs, run: spawn.run)
    case .rhythmJudgement(let judged):
      guard let verdict = ToldVerdict(rawValue: judged.verdict.rawValue) else { return nil }
      self = .judged(verdict, beat: judged.beat, run: judged.run)
    case .rhythmAssist(let assist): self = .helped(run: assist.run)
    case .rhythmComplete(let complete): self = .ended(isStopped: complete.stopped, run: complete.run)
    default: return nil
    }
  }
}
