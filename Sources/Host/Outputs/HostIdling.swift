// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Timing

extension Host {
  /// Lets the sound device go while nothing is to be heard, and goes by what can be promised then.
  func followIdle(_ audio: LiveAudio) {
    switch audio.output.followIdle(demand, at: audio.now) {
    case .begins?: beginTurn()
    case .failed?:
      beginTurn()
      engine.devicesChanged(audio: audioStatus.message)
    case nil: break
    }
  }

  /// What may still be heard of what was asked for.
  var demand: IdlePolicy.Demand {
    IdlePolicy.Demand(
      isBusy: engine.mayWantSound || queue.count > 0, next: engine.nextSound.flatMap(pause.clock.due))
  }
}
