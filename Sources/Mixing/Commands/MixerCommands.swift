// SPDX-License-Identifier: Apache-2.0

// From ring to schedule, from schedule to voices and buses.
extension Mixer {
  /// Moves what has been submitted to the schedule. All of a batch is seen at once, for it was made visible at once.
  @_noLocks mutating func takeCommands() {
    var command = MixerCommand.stop(VoiceID(rawValue: 0), at: 0, fade: .none)
    while takeCommand(&command) {
      if case .retract(let id, let frame) = command {
        if !takenBack.add(id, from: frame) {
          takeBack()
          _ = takenBack.add(id, from: frame)
        }
        continue
      }
      takeBack()
      if case .retractDriven(let target, let frame) = command {
        retract(target, from: frame)
      } else if case .restore(let id, let course, let frame) = command {
        restore(id, to: course, from: frame)
      } else {
        schedule.insert(ScheduledCommand(frame: max(command.frame, mixFrame), command: command))
      }
    }
    takeBack()
  }

  /// Takes back what is gathered: hundreds follow each other where all that is planned is called off. A start that is taken back
  /// counts as under way until it has been told, like any that never gets a slot.
  @_noLocks private mutating func takeBack() {
    if takenBack.count == 0 { return }
    carriedOut &+= takenBack.count &+ schedule.remove(takenBack)
    for place in 0..<takenBack.count {
      guard let voice = takenBack.unbegun(place) else { continue }
      carriedOut &-= 1
      refuse(voice, .cancelled)
    }
    takenBack.clear()
  }

  /// Carries a command out at `mixFrame`.
  @_noLocks mutating func carryOut(_ entry: ScheduledCommand) {
    if case .start(let start) = entry.command {
      begin(start, entry)
      return
    }
    carriedOut &+= 1
    switch entry.command {
    case .start, .retract, .retractDriven, .restore:
      break
    case .drive(let target, let value, _, let fade): drive(target, to: value, fade)
    case .stop(let id, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 {
        bank.voices[slot].stop(at: mixFrame, fade: fade, reason: .stopped)
      } else if schedule.removeStart(of: id) {
        refuse(id, .cancelled)
      }
    case .end(let id, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 {
        bank.voices[slot].end(at: mixFrame, fade: fade)
      } else if schedule.removeStart(of: id) {
        refuse(id, .cancelled)
      }
    case .endMany(let sound, let instant, let planned, let fade):
      endMany(sound, before: instant, planned, fade)
    case .leave(let owner, _):
      bank.leave(owner)
      schedule.leave(owner)
    case .stopAll(let bus, _, let fade):
      stopAll(bus, fade, before: entry)
    case .fadeOut(let id, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 {
        bank.voices[slot].fadeOut(at: mixFrame, fade: fade)
      } else if schedule.removeStart(of: id) {
        refuse(id, .cancelled)
      }
    case .bringBack(let id, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 { bank.voices[slot].bringBack(at: mixFrame, fade: fade) }
    case .gain(let id, let gain, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 {
        bank.voices[slot].setGain(gain, at: mixFrame, fade: fade)
      } else if var start = schedule.plannedStart(of: id) {
        start.gain = gain
        schedule.replaceStart(by: start)
      }
    case .stem(let id, let index, let gain, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 { bank.voices[slot].setStem(Int(index), to: gain, at: mixFrame, fade: fade) }
    case .pause(let id, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 {
        bank.voices[slot].pause(at: mixFrame, planned: planned, fade: fade)
      } else {
        schedule.setPaused(true, startOf: id)
      }
    case .resume(let id, let planned, let fade):
      let slot = slot(of: id, changedFor: planned)
      if slot >= 0 {
        resume(slot, planned: planned, fade)
      } else {
        schedule.setPaused(false, startOf: id)
      }
    case .busGain(let bus, let gain, _, let fade):
      if (buses + bus.index).pointee.setGain(gain, at: mixFrame, fade: fade) { recountDucking(on: bus.index) }
    case .pan(let id, let place, _):
      let slot = bank.slot(of: id)
      if slot >= 0 {
        bank.voices[slot].setPan(place, at: mixFrame, fade: declick)
      } else if var start = schedule.plannedStart(of: id) {
        start.pan = place
        schedule.replaceStart(by: start)
      }
    case .pitch(let id, let pitch, _):
      let slot = bank.slot(of: id)
      if slot >= 0 {
        bank.voices[slot].pitch = pitch
        setStep(slot)
      } else if var start = schedule.plannedStart(of: id) {
        start.pitch = pitch
        schedule.replaceStart(by: start)
      }
    }
  }

  /// The slot of a voice that is changed by what was planned for `frame`, or -1.
  @_noLocks private func slot(of id: VoiceID, changedFor frame: Int64) -> Int {
    let slot = bank.slot(of: id)
    if slot >= 0 { bank.voices[slot].changedFor = max(bank.voices[slot].changedFor, frame) }
    return slot
  }

  @_noLocks private mutating func stopAll(_ bus: Bus?, _ fade: Fade, before entry: ScheduledCommand) {
    let only = if let bus { bus.index } else { -1 }
    var slot = bank.sounding.next(from: 0)
    while slot >= 0 {
      if only < 0 || bank.voices[slot].bus.index == only {
        bank.voices[slot].stop(at: mixFrame, fade: fade, reason: .stopped)
      }
      slot = bank.sounding.next(from: slot + 1)
    }
    let cancelled = schedule.removeStarts(on: bus, arrivedBefore: entry.order)
    for index in 0..<cancelled { refuse(schedule.removedStart(index), .cancelled) }
  }

  @_noLocks private mutating func endMany(_ sound: UInt32, before instant: Int64, _ planned: Int64, _ fade: Fade) {
    var slot = bank.sounding.next(from: 0)
    while slot >= 0 {
      let voice = bank.voices + slot
      if voice.pointee.sound != 0, sound == 0 || voice.pointee.sound == sound, voice.pointee.instant < instant {
        voice.pointee.changedFor = max(voice.pointee.changedFor, planned)
        voice.pointee.end(at: mixFrame, fade: fade)
      }
      slot = bank.sounding.next(from: slot + 1)
    }
  }

  // MARK: Starting

  @_noLocks private mutating func begin(_ start: VoiceStart<VoiceSource>, _ entry: ScheduledCommand) {
    if let other = start.alignedWith, bank.slot(of: other) < 0 {
      refuse(start.id, .cancelled)
      return
    }
    // Its start was to be taken back, too late, and was handed over anew: it goes on as it began.
    if bank.slot(of: start.id) >= 0 {
      refuse(start.id, .cancelled)
      return
    }
    let slot = bank.takeSlot(for: start, at: mixFrame, fade: declick)
    if slot < 0 {
      refuse(start.id, .rejected)
      return
    }
    carriedOut &+= 1
    // What was to begin among frames that nobody heard was to be told before them.
    let isPassed = start.planned < mixFrame && start.alignedWith == nil && passed.holds(start.planned)
    let meant = isPassed ? start.planned : start.at
    // No one is later than two weeks; the bound keeps a wild frame from overflowing or from counting for ever.
    let missed = start.late.skips || isPassed ? min(mixFrame - max(meant, -1 << 60), 1 << 36) : 0
    var fadeIn = start.fadeIn
    if missed > 0 && fadeIn.frames < declick.frames { fadeIn = declick }
    bank.begin(start, in: slot, at: mixFrame, fadeIn: fadeIn)
    let voice = bank.voices + slot
    if start.family >= 0 && start.family < familyCount {
      voice.pointee.family = start.family
      setStep(slot)
    }
    if entry.isPaused {
      voice.pointee.path.gate = Ramp(from: 0, to: 0, start: mixFrame, fade: .none)
      voice.pointee.pauses.meantFrom = start.at
    }
    if isPassed { voice.pointee.toldAt = start.planned }
    switch start.source {
    case .resident(let source):
      voice.pointee.position = max(start.sourceFrame, 0)
      if !source.loops { voice.pointee.position = min(voice.pointee.position, Int64(source.frames)) }
      Interpolator.wrap(source, voice)
      if let other = start.alignedWith { align(slot, source, with: other) }
      if missed > 0 {
        if !source.loops && voice.pointee.heardFrames(of: source) <= missed {
          // Nobody hears anything of it.
          finish(slot, at: meant + voice.pointee.heardFrames(of: source), .ended)
          return
        }
        passOver(slot, source, missed)
      }
    case .stream(let ring):
      voice.pointee.stems.limit(to: ring.pointee.layers - 1)
      if missed > 0 { enter(slot, missed) }
    }
    if let rule = start.ducking {
      voice.pointee.duckingPlace = Int32(ducking.take(rule, at: mixFrame))
      beginDucking(slot)
    }
  }

  /// Lets a stream that makes no sound come in behind what it has missed: it sounds as soon as that has come by.
  @_noLocks func enter(_ slot: Int, _ missed: Int64) {
    let voice = bank.voices + slot
    voice.pointee.missedFrames += missed
    if !voice.pointee.isStarved {
      voice.pointee.isStarved = true
      voice.pointee.isEntering = true
    }
    voice.pointee.path.dip = Ramp(steady: 0)
  }

  /// Brings a resident voice to where it would be had it sounded `missed` frames longer.
  @_noLocks func passOver(_ slot: Int, _ source: ResidentSource, _ missed: Int64) {
    let voice = bank.voices + slot
    var left = missed
    while left > 0 && voice.pointee.position < Int64(source.frames) {
      let count = min(left, 1 << 20)
      Interpolator.advance(source, voice, frames: Int(count))
      left -= count
    }
  }

  /// Brings a voice to where another one is. Their loops are as long as each other, but may begin elsewhere.
  @_noLocks private func align(_ slot: Int, _ source: ResidentSource, with other: VoiceID) {
    let otherSlot = bank.slot(of: other)
    guard otherSlot >= 0, case .resident(let otherSource) = bank.voices[otherSlot].source else { return }
    let (voice, other) = (bank.voices + slot, bank.voices + otherSlot)
    (voice.pointee.position, voice.pointee.fraction) = (other.pointee.position, other.pointee.fraction)
    voice.pointee.hasLooped = other.pointee.hasLooped
    if voice.pointee.hasLooped { voice.pointee.position += Int64(source.loopStart - otherSource.loopStart) }
  }

  @_noLocks private mutating func refuse(_ id: VoiceID, _ reason: FinishReason) {
    refusals[refusalCount] = Refusal(id: id, at: mixFrame, reason: reason)
    refusalCount &+= 1
  }
}
