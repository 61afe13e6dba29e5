// SPDX-License-Identifier: Apache-2.0

import Timing

extension Host {
  /// Runs a stepped host up to `target`, doing everything in order of its instant.
  func step(to target: Instant, _ audio: SteppedAudio) {
    while audio.now < target {
      if readsTracks { feeder.pump() }
      let deadline = nextDeadline.flatMap { $0 > audio.now ? $0 : nil }
      let next = [target, audio.nextPeriod, deadline].compactMap { $0 }.min() ?? target
      let first = audio.frame
      audio.run(to: next)
      notePeriod(from: first, audio)
      noticeRecording(audio.recording?.failure)
      haptics.advance(to: next)
      gatherTrace()
      noticeLasting()
      submitWaiting()
      beginTurn()
      handleMixerEvents()
      followReading()
      listen()
      advanceEngine()
      carryOutActions()
      followControls(isWoken: false)
    }
  }

  /// Lets a stepped clock run to `target` while control does nothing, as if it stood still: what plays plays on.
  package func standStill(until target: Instant) {
    guard case .stepped(let audio) = driver else { return }
    while audio.now < target {
      feeder.pump()
      audio.run(to: min(target, audio.nextPeriod))
      haptics.advance(to: audio.now)
    }
  }
}
