// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Engine
import Timing

/// From what the engine wants done to the outputs.
extension Host {
  /// Carries out what the engine wants done: with what is fired only now, by another turn where the mixer had passed it.
  func carryOutActions() { while !carriedOut() { beginTurn() } }

  /// Carries out what the engine wants done. The audio steps of one call reach the mixer as one batch, and before all else; false
  /// where that passed their frames, so that the engine is as before what wanted them, and nobody was told anything but of files
  /// that could not be opened.
  func carriedOut() -> Bool {
    journal?.enter(.carryOut)
    if engine.hasFeedback { planning.begin(engine, configuration.replayed?.rhythmSteps) }
    engine.fireAwaitedFeedback()
    engine.followBeats()
    var isFirst = true
    // What cannot be carried out is told to the engine, which may want something more done.
    while case let actions = engine.takeActions(), !actions.isEmpty {
      for case .audio(let steps) in actions {
        stepCount += steps.count
        if submit(steps, mayPass: isFirst && planning.isKept) { continue }
        planning.putBack(&engine, configuration.replayed?.rhythmSteps)
        return false
      }
      isFirst = false
      for action in actions {
        switch action {
        case .audio: break
        case .haptics(let command):
          stepCount += 1
          haptics.send(command, to: engine.device(for: command))
          noteStart(command)
        case .notify(let notification, let cause):
          journal?.tell(notification)
          tellings.append(Telling(notification, by: cause))
        }
      }
    }
    wakeDecoder()
    for change in engine.takeChanges() { note(change) }
    for part in engine.takeUnbegun() { note(part) }
    planning.end()
    keepSettings()
    return true
  }

  /// How many steps the mixer and the motors were told since the last call.
  public func takeStepCount() -> Int {
    defer { stepCount = 0 }
    return stepCount
  }

  /// Whether a tap took a beat since the last call.
  public func takeHit() -> Bool {
    defer { isHit = false }
    return isHit
  }

  func tell(_ notice: AudioOutputNotice) {
    noteLoss(notice)
    let timeline = outputTimeline
    switch notice {
    case .underrun(let frame, let lost):
      engine.framesLost(lost, at: frame, dueAt: timeline.instant(ofFrame: frame), isXrun: true)
    case .skipped(let frame, let lost):
      engine.framesLost(lost, at: frame, dueAt: timeline.instant(ofFrame: frame), isXrun: false)
    case .corrected(let correction, let lost, let frame):
      engine.timelineCorrected(by: correction, lost: lost, at: frame, dueAt: timeline.instant(ofFrame: frame))
    case .deviceLost, .deviceRests, .deviceStarted, .unpaced:
      // It may have changed since the turn began, and with it how late it is heard.
      engine.turn.deviceLead = deviceLead
      engine.devicesChanged(audio: audioStatus.message)
    }
    carryOutActions()
  }
}
