// SPDX-License-Identifier: Apache-2.0

// What the control side hears. Nothing is lost when the event ring is full: it stays owed, and what it holds stays taken.
extension Mixer {
  /// Tells all that is owed, as far as there is room.
  @_noLocks mutating func tell() {
    while refusalCount > 0 {
      let refusal = refusals[refusalCount - 1]
      if !link.pointee.events.push(.finished(refusal.id, at: refusal.at, refusal.reason)) { return }
      refusalCount &-= 1
      carriedOut &+= 1
    }
    var slot = bank.owing.next(from: 0)
    while slot >= 0 {
      if !tell(slot) { return }
      bank.owing.remove(slot)
      if bank.voices[slot].isOver { bank.occupied.remove(slot) }
      slot = bank.owing.next(from: slot + 1)
    }
  }

  /// Tells of one voice, in order of time. False when the ring is full.
  @_noLocks private func tell(_ slot: Int) -> Bool {
    let voice = bank.voices + slot
    let id = voice.pointee.id
    if voice.pointee.owed.started {
      if !link.pointee.events.push(.started(id, at: voice.pointee.toldAt)) { return false }
      voice.pointee.owed.started = false
    }
    let rejoinedFirst = voice.pointee.owed.rejoined && voice.pointee.rejoinedAt < voice.pointee.starvedAt
    if rejoinedFirst && !tellRejoined(voice) { return false }
    if voice.pointee.owed.starved {
      if !link.pointee.events.push(.starved(id, at: voice.pointee.starvedAt)) { return false }
      voice.pointee.owed.starved = false
    }
    if !tellRejoined(voice) { return false }
    if voice.pointee.owed.finished {
      if !link.pointee.events.push(.finished(id, at: voice.pointee.finishedAt, voice.pointee.reason)) { return false }
      voice.pointee.owed.finished = false
    }
    return true
  }

  @_noLocks private func tellRejoined(_ voice: UnsafeMutablePointer<Voice>) -> Bool {
    if !voice.pointee.owed.rejoined { return true }
    if !link.pointee.events.push(.rejoined(voice.pointee.id, at: voice.pointee.rejoinedAt)) { return false }
    voice.pointee.owed.rejoined = false
    return true
  }

  /// Publishes where the mixer is and how it fares.
  @_noLocks mutating func publish() {
    link.pointee.mixedFrame.store(mixFrame, ordering: .releasing)
    link.pointee.commands.endCall(at: mixFrame)
    link.pointee.outputFrame.store(outputFrame, ordering: .releasing)
    link.pointee.carriedOut.store(carriedOut, ordering: .releasing)
    link.pointee.activeVoices.store(bank.sounding.count, ordering: .relaxed)
    link.pointee.brokenFrames.store(limiter.brokenFrames, ordering: .relaxed)
    // The reader resets these two; a value it takes between our load and store is only told once more.
    if limiter.peak.bitPattern > link.pointee.peak.load(ordering: .relaxed) {
      link.pointee.peak.store(limiter.peak.bitPattern, ordering: .relaxed)
    }
    if limiter.lowestGain.bitPattern < link.pointee.limiterGain.load(ordering: .relaxed) {
      link.pointee.limiterGain.store(limiter.lowestGain.bitPattern, ordering: .relaxed)
    }
    limiter.peak = 0
    limiter.lowestGain = 1
  }
}
