// SPDX-License-Identifier: Apache-2.0

// Voices that were told late, or told what was not to be, and come back to where they should be.
extension Mixer {
  /// Carries out the end of a pause.
  @_noLocks mutating func resume(_ slot: Int, planned: Int64, _ fade: Fade) {
    let missed = bank.voices[slot].resume(at: mixFrame, planned: planned, fade: fade)
    settle(slot, missed)
  }

  /// Brings a voice back to its course, where something that it was told for `frame` or later, and is not to do any more, has
  /// been carried out.
  @_noLocks mutating func restore(_ id: VoiceID, to course: VoiceCourse, from frame: Int64) {
    carriedOut &+= 1
    let slot = bank.slot(of: id)
    if slot < 0 || bank.voices[slot].changedFor < frame { return }
    bank.voices[slot].changedFor = frame - 1
    let missed = bank.voices[slot].restore(course, at: mixFrame, shortest: declick)
    settle(slot, missed)
  }

  /// Lets the voices go on that stood on until now.
  @_noLocks mutating func letGoOn() {
    goesOnAt = .max
    var slot = bank.sounding.next(from: 0)
    while slot >= 0 {
      if bank.voices[slot].pauses.goesOnAt <= mixFrame {
        let missed = bank.voices[slot].goOnInPlace(at: mixFrame, fade: bank.voices[slot].pauses.fade)
        settle(slot, missed)
      }
      goesOnAt = min(goesOnAt, bank.voices[slot].pauses.goesOnAt)
      slot = bank.sounding.next(from: slot + 1)
    }
  }

  /// What a voice that is to go on needs: to pass over what it has missed, or to be looked at again.
  @_noLocks private mutating func settle(_ slot: Int, _ missed: Int64) {
    let voice = bank.voices + slot
    goesOnAt = min(goesOnAt, voice.pointee.pauses.goesOnAt)
    if voice.pointee.path.gate.to != 0 { beginDucking(slot) }
    if missed <= 0 { return }
    switch voice.pointee.source {
    case .resident(let source): passOver(slot, source, missed)
    case .stream: enter(slot, missed)
    }
  }
}
