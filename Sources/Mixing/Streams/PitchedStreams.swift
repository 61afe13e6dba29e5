// SPDX-License-Identifier: Apache-2.0

import CRealTime

// Streams at another speed than their own, through the filters of pitched sounds. What a filter reads behind a voice's place
// stays in the ring; what lies before the ring's first frame, and behind the last of one that is complete, is silence.
extension Mixer {
  /// How many frames of the ring so many frames of output take, what the filter reaches ahead for included.
  @_noLocks func streamFrames(_ voice: UnsafeMutablePointer<Voice>, for frames: Int64) -> Int64 {
    if !voice.pointee.isPitched { return frames }
    let reach = (Int64(voice.pointee.fraction) &+ frames &* voice.pointee.step) >> 32
    return reach &+ pitchFilters.filter(step: voice.pointee.step).after
  }

  /// How many frames of output can be made of what the ring holds from the voice's place on.
  @_noLocks func outputFrames(_ voice: UnsafeMutablePointer<Voice>, of available: Int64, isComplete: Bool) -> Int64 {
    if !voice.pointee.isPitched { return available }
    // The last frames of all are read with the silence behind them.
    let usable = isComplete ? available : available &- pitchFilters.filter(step: voice.pointee.step).after
    if usable <= 0 { return 0 }
    return ((usable << 32) &- Int64(voice.pointee.fraction) &+ voice.pointee.step &- 1) / voice.pointee.step
  }

  /// Moves a voice on in its ring by frames of output.
  @_noLocks func advanceStream(_ voice: UnsafeMutablePointer<Voice>, frames: Int64) {
    if !voice.pointee.isPitched {
      voice.pointee.position &+= frames
      return
    }
    let sum = Int64(voice.pointee.fraction) &+ voice.pointee.step &* frames
    voice.pointee.position &+= sum >> 32
    voice.pointee.fraction = UInt32(truncatingIfNeeded: sum)
  }

  /// The first frame of its ring that a voice still needs.
  @_noLocks func firstNeeded(_ voice: UnsafeMutablePointer<Voice>) -> Int64 {
    if !voice.pointee.isPitched { return voice.pointee.position }
    return max(0, voice.pointee.position &- pitchFilters.filter(step: voice.pointee.step).before)
  }

  /// Adds up to `limit` frames, of which there is one at least, and returns how many.
  @_noLocks mutating func renderPitchedStream(
    _ voice: UnsafeMutablePointer<Voice>, _ ring: UnsafeMutablePointer<StreamRing>, end: Int64, _ limit: Int,
    _ done: Int, _ frames: Int
  ) -> Int {
    let filter = pitchFilters.filter(step: voice.pointee.step)
    let room = Int64(PitchFilters.gatheredFrames - filter.taps + 1)
    let gathered = ((room << 32) &- 1 &- Int64(voice.pointee.fraction)) / voice.pointee.step &+ 1
    let count = Int(min(Int64(limit), gathered))
    resample(voice, ring, layer: 0, end: end, count, into: interpolated)
    let frame = mixFrame + Int64(done)
    for stem in 0..<voice.pointee.stems.count where !voice.pointee.stems.isSilent(stem, at: frame) {
      resample(voice, ring, layer: stem + 1, end: end, count, into: stemRoom)
      addStem(
        UnsafePointer(stemRoom), voice.pointee.stems[stem], voice.pointee.stems.family(stem), from: frame, count)
    }
    advanceStream(voice, frames: Int64(count))
    // The room for interpolated samples is used again by the next voice, so these cannot wait for a common pass.
    var mixed = 0
    while mixed < count {
      mixed &+= add(voice, .float(interpolated + 2 * mixed), count - mixed, done + mixed, frames, mayWait: false)
    }
    return count
  }

  /// Makes the next `count` frames of output of a layer.
  @_noLocks private mutating func resample(
    _ voice: UnsafeMutablePointer<Voice>, _ ring: UnsafeMutablePointer<StreamRing>, layer: Int, end: Int64,
    _ count: Int,
    into out: UnsafeMutablePointer<Float>
  ) {
    let filter = pitchFilters.filter(step: voice.pointee.step)
    let reach = (Int64(voice.pointee.fraction) &+ Int64(count &- 1) &* voice.pointee.step) >> 32
    var number = voice.pointee.position &- filter.before
    for index in 0..<Int(reach) &+ filter.taps {
      let isInside = number >= 0 && number < end
      let samples = ring.pointee.piece(at: isInside ? number : 0, layer: layer).samples
      pitchFilters.gathered[2 &* index] = isInside ? samples[0] : 0
      pitchFilters.gathered[2 &* index &+ 1] = isInside ? samples[1] : 0
      number &+= 1
    }
    rt_mix_sinc(
      kernel, Samples.float(UnsafePointer(pitchFilters.gathered)).run, count, UInt64(voice.pointee.fraction),
      UInt64(voice.pointee.step), filter.rows, filter.taps, filter.phaseBits, out)
  }
}
