// SPDX-License-Identifier: Apache-2.0

// One voice through one block, cut wherever its source or its gain changes course.
extension Mixer {
  /// Adds the voice's next `frames` frames, from `mixFrame` on, to its bus if they are one run with one line of gain, as most
  /// are: in fewer steps than `renderVoice`, to the same effect. False, with nothing done, if they are not.
  @_noLocks mutating func renderWhole(_ slot: Int, _ frames: Int) -> Bool {
    let voice = bank.voices + slot
    guard case .resident(let source) = voice.pointee.source else { return false }
    if voice.pointee.isStopping || voice.pointee.path.gate.to == 0 || voice.pointee.isPitched { return false }
    if familyCount > 0 && voice.pointee.family >= 0 && !families[Int(voice.pointee.family)].isUnity(at: mixFrame) {
      return false
    }
    let position = Int(voice.pointee.position)
    if (source.loops ? source.loopEnd : source.frames) &- position < frames { return false }
    let bus = buses + voice.pointee.bus.index
    let line = bus.pointee.nextLine
    let stretch = voice.pointee.path.stretch(at: mixFrame, limit: frames, line: line)
    if !stretch.straight || stretch.frames != frames { return false }
    line.pointee.source = source.samples.from(position).run
    bus.pointee.takeLine(frames: frames)
    voice.pointee.position &+= Int64(frames)
    Interpolator.wrap(source, voice)
    return true
  }

  /// Adds the voice's next `frames` frames, from `mixFrame` on, to its bus.
  @_noLocks mutating func renderVoice(_ slot: Int, _ frames: Int) {
    let voice = bank.voices + slot
    if case .stream(let ring) = voice.pointee.source {
      if !settle(slot, at: mixFrame) { return }
      if !prepareStream(slot, ring, frames) { return }
    }
    var done = 0
    while done < frames {
      let frame = mixFrame + Int64(done)
      if !settle(slot, at: frame) { return }
      let limit = untilEnding(voice, frame, frames - done)
      let advanced: Int
      switch voice.pointee.source {
      case .resident(let source):
        advanced =
          voice.pointee.isPitched
          ? renderPitched(slot, source, limit, done, frames) : renderResident(slot, source, limit, done, frames)
      case .stream(let ring):
        advanced = renderStream(slot, ring, limit, done, frames)
      }
      if advanced == 0 { return }
      done += advanced
    }
  }

  /// Ends a voice whose last fade is over by `frame`. False when the voice makes no sound at `frame`.
  @_noLocks func settle(_ slot: Int, at frame: Int64) -> Bool {
    let voice = bank.voices + slot
    if voice.pointee.isStopping && voice.pointee.reached(by: frame) >= voice.pointee.path.ending.end {
      let end = voice.pointee.stands(at: frame) ? frame : voice.pointee.path.ending.end
      finish(slot, at: max(end, voice.pointee.startedAt), voice.pointee.reason)
      return false
    }
    if !voice.pointee.stands(at: frame) { return true }
    endDucking(slot, at: frame)
    return false
  }

  /// `limit`, or what is left until the voice is to fall silent.
  @_noLocks func untilEnding(_ voice: UnsafeMutablePointer<Voice>, _ frame: Int64, _ limit: Int) -> Int {
    let end = min(voice.pointee.standsFrom, voice.pointee.isStopping ? voice.pointee.path.ending.end : .max)
    return Int(min(Int64(limit), end - frame))
  }

  @_noLocks private mutating func renderResident(
    _ slot: Int, _ source: ResidentSource, _ limit: Int, _ done: Int, _ frames: Int
  ) -> Int {
    let voice = bank.voices + slot
    let position = Int(voice.pointee.position)
    let left = (source.loops ? source.loopEnd : source.frames) - position
    if left <= 0 {
      finish(slot, at: mixFrame + Int64(done), .ended)
      return 0
    }
    let count = add(voice, source.samples.from(position), min(limit, left), done, frames)
    voice.pointee.position += Int64(count)
    Interpolator.wrap(source, voice)
    return count
  }

  @_noLocks private mutating func renderPitched(
    _ slot: Int, _ source: ResidentSource, _ limit: Int, _ done: Int, _ frames: Int
  ) -> Int {
    let voice = bank.voices + slot
    let count = Interpolator.read(source, voice, pitchFilters, into: interpolated, limit: limit, kernel)
    if count == 0 {
      finish(slot, at: mixFrame + Int64(done), .ended)
      return 0
    }
    // The room for interpolated samples is used again by the next voice, so these cannot wait for a common pass.
    var mixed = 0
    while mixed < count {
      mixed += add(
        voice, .float(interpolated + 2 * mixed), count - mixed, done + mixed, frames, mayWait: false)
    }
    return count
  }

  /// Adds up to `limit` frames of `samples` at the block's frame `done`, at the voice's gains, and returns how many.
  @_noLocks mutating func add(
    _ voice: UnsafeMutablePointer<Voice>, _ samples: Samples, _ limit: Int, _ done: Int, _ frames: Int,
    mayWait: Bool = true
  ) -> Int {
    let frame = mixFrame + Int64(done)
    let bus = buses + voice.pointee.bus.index
    var stretch = voice.pointee.path.stretch(at: frame, limit: limit, line: lines)
    lines.pointee.source = samples.run
    let family = Int(voice.pointee.family)
    let isDriven = familyCount > 0 && family >= 0 && !families[family].isUnity(at: frame)
    if isDriven { follow(families[family].gain, at: frame, &stretch) }
    if !stretch.straight {
      voice.pointee.path.fill(gains, from: frame, count: stretch.frames, kernel)
      if isDriven { multiply(gains, by: families[family].gain, from: frame, count: stretch.frames) }
      bus.pointee.add(lines.pointee.source, gains: gains, count: stretch.frames, offset: done, blockFrames: frames)
    } else if stretch.frames == frames && mayWait {
      bus.pointee.nextLine.pointee = lines.pointee
      bus.pointee.takeLine(frames: frames)
    } else {
      bus.pointee.add(part: lines, count: stretch.frames, offset: done, blockFrames: frames)
    }
    return stretch.frames
  }

  /// Moves a voice on by `frames` frames that are not mixed.
  @_noLocks mutating func passVoice(_ slot: Int, _ frames: Int) {
    let voice = bank.voices + slot
    if !settle(slot, at: mixFrame) { return }
    let count = untilEnding(voice, mixFrame, frames)
    switch voice.pointee.source {
    case .resident(let source):
      let heard = voice.pointee.heardFrames(of: source)
      if !source.loops && heard < Int64(count) {
        finish(slot, at: mixFrame + max(heard, 0), .ended)
        return
      }
      Interpolator.advance(source, voice, frames: count)
    case .stream(let ring):
      passStream(slot, ring, count)
    }
    if count < frames { _ = settle(slot, at: mixFrame + Int64(count)) }
  }
}
