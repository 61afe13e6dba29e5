// SPDX-License-Identifier: Apache-2.0

// Voices that read from a ring. When it runs low they fade out instead of breaking off, and come back where they would
// have been.
extension Mixer {
  /// Frames kept in hand so that there is always enough left for a fade.
  private var margin: Int64 { @_noLocks get { Int64(declick.frames) } }

  /// Decides, before a block of `frames` frames, whether the voice sounds in it.
  @_noLocks mutating func prepareStream(
    _ slot: Int, _ ring: UnsafeMutablePointer<StreamRing>, _ frames: Int
  ) -> Bool {
    let voice = bank.voices + slot
    look(voice, ring)
    let (isComplete, end) = (voice.pointee.sight.isComplete, voice.pointee.sight.end)
    let isBehind = voice.pointee.isStarved || voice.pointee.missedFrames > 0
    passOver(voice, end)
    let available = end - voice.pointee.position
    let kept = voice.pointee.position - firstNeeded(voice)
    let enough =
      isComplete || available >= streamFrames(voice, for: Int64(frames) + margin)
      || available + kept >= Int64(ring.pointee.capacityFrames)
    if isBehind || !enough { noteSight(voice) }
    if !voice.pointee.isStarved {
      let isFading = voice.pointee.path.dip.to == 0
      if !enough && !isFading {
        dip(voice, to: 0, frames: min(margin, outputFrames(voice, of: available, isComplete: false)))
      }
      return true
    }
    if voice.pointee.missedFrames == 0 && enough {
      if available == 0 {
        finish(slot, at: mixFrame, .ended)
        return false
      }
      voice.pointee.isStarved = false
      dip(voice, to: 1, frames: margin)
      if voice.pointee.isEntering {
        // Nobody was told that it had fallen silent.
        voice.pointee.isEntering = false
        return true
      }
      voice.pointee.owed.rejoined = true
      voice.pointee.rejoinedAt = mixFrame
      bank.owing.insert(slot)
      return true
    }
    if isComplete && voice.pointee.missedFrames > 0 && available == 0 {
      finish(slot, at: mixFrame, .ended)
      return false
    }
    voice.pointee.missedFrames += Int64(untilEnding(voice, mixFrame, frames))
    return false
  }

  @_noLocks mutating func renderStream(
    _ slot: Int, _ ring: UnsafeMutablePointer<StreamRing>, _ limit: Int, _ done: Int, _ frames: Int
  ) -> Int {
    let voice = bank.voices + slot
    let frame = mixFrame + Int64(done)
    let dip = voice.pointee.path.dip
    if dip.to == 0 && !dip.isMoving(at: frame) {
      starve(slot, at: frame, missing: Int64(untilEnding(voice, frame, frames - done)))
      return 0
    }
    let isComplete = voice.pointee.sight.isComplete
    let available = voice.pointee.sight.end - voice.pointee.position
    if available <= 0 {
      if isComplete {
        finish(slot, at: frame, .ended)
      } else {
        starve(slot, at: frame, missing: Int64(untilEnding(voice, frame, frames - done)))
      }
      return 0
    }
    if voice.pointee.isPitched {
      let room = outputFrames(voice, of: available, isComplete: isComplete)
      if room <= 0 {
        starve(slot, at: frame, missing: Int64(untilEnding(voice, frame, frames - done)))
        return 0
      }
      return renderPitchedStream(
        voice, ring, end: voice.pointee.position + available, Int(min(Int64(limit), room)), done, frames)
    }
    let piece = ring.pointee.piece(at: voice.pointee.position)
    let most = min(min(limit, piece.frames), Int(min(available, 1 << 30)))
    if voice.pointee.stems.areSilent(at: frame) {
      let count = add(voice, .float(piece.samples), most, done, frames)
      voice.pointee.position += Int64(count)
      return count
    }
    mixLayers(voice, ring, at: frame, most)
    voice.pointee.position += Int64(most)
    // The room for what was mixed is used again by the next voice, so it cannot wait for a common pass.
    var mixed = 0
    while mixed < most {
      mixed += add(voice, .float(interpolated + 2 * mixed), most - mixed, done + mixed, frames, mayWait: false)
    }
    return most
  }

  /// Moves a voice on by frames that are not mixed.
  @_noLocks mutating func passStream(_ slot: Int, _ ring: UnsafeMutablePointer<StreamRing>, _ frames: Int) {
    let voice = bank.voices + slot
    look(voice, ring)
    noteSight(voice)
    let (isComplete, end) = (voice.pointee.sight.isComplete, voice.pointee.sight.end)
    voice.pointee.missedFrames += Int64(frames)
    passOver(voice, end)
    if voice.pointee.missedFrames == 0 { return }
    if isComplete {
      finish(slot, at: mixFrame + Int64(frames) - voice.pointee.missedFrames, .ended)
    } else if !voice.pointee.isStarved {
      starve(slot, at: mixFrame + Int64(frames) - voice.pointee.missedFrames, missing: 0)
    }
  }

  /// Gives every ring back what has been read from it, now that nothing of it waits to be mixed.
  @_noLocks func giveBack() {
    var slot = bank.streaming.next(from: 0)
    while slot >= 0 {
      if case .stream(let ring) = bank.voices[slot].source {
        ring.pointee.consume(upTo: firstNeeded(bank.voices + slot))
      }
      slot = bank.streaming.next(from: slot + 1)
    }
  }

  /// Passes over what should have been played by now, as far as it is there.
  @_noLocks private func passOver(_ voice: UnsafeMutablePointer<Voice>, _ end: Int64) {
    let there = outputFrames(voice, of: end - voice.pointee.position, isComplete: true)
    let passed = min(voice.pointee.missedFrames, there)
    advanceStream(voice, frames: passed)
    voice.pointee.missedFrames -= passed
  }

  @_noLocks private func starve(_ slot: Int, at frame: Int64, missing: Int64) {
    let voice = bank.voices + slot
    voice.pointee.isStarved = true
    voice.pointee.path.dip = Ramp(steady: 0)
    voice.pointee.missedFrames += missing
    voice.pointee.owed.starved = true
    voice.pointee.starvedAt = frame
    bank.owing.insert(slot)
  }

  @_noLocks private func dip(_ voice: UnsafeMutablePointer<Voice>, to gain: Float, frames: Int64) {
    let now = voice.pointee.path.dip.value(at: mixFrame)
    voice.pointee.path.dip = Ramp(
      from: now, to: gain, start: mixFrame, fade: Fade(frames: Int32(truncatingIfNeeded: frames)))
  }
}
