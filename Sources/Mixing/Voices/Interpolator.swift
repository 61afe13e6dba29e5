// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// Reads a resident source between its frames, at any speed from 1/8 to 8, through `PitchFilters`.
enum Interpolator {
  /// Writes up to `limit` frames to `out`, moves the voice on, and returns how many there were before the source's end.
  @_noLocks static func read(
    _ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, _ filters: PitchFilters,
    into out: UnsafeMutablePointer<Float>, limit: Int, _ kernel: rt_mix_kernel
  ) -> Int {
    let filter = filters.filter(step: voice.pointee.step)
    let end = Int64(source.loops ? source.loopEnd : source.frames)
    var count = 0
    while count < limit && voice.pointee.position < end {
      let first = voice.pointee.position - filter.before
      var samples = Samples.float(filters.gathered)
      var frames = framesInside(source, voice, filter, end: end, limit: limit - count)
      if frames > 0 {
        samples = source.samples.from(Int(first))
      } else {
        frames = framesGathered(source, voice, filter, end: end, limit: limit - count)
        let reach = (Int64(voice.pointee.fraction) + Int64(frames - 1) * voice.pointee.step) >> 32
        gather(
          source, from: first, count: Int(reach) + filter.taps, looped: voice.pointee.hasLooped, into: filters.gathered)
      }
      rt_mix_sinc(
        kernel, samples.run, frames, UInt64(voice.pointee.fraction), UInt64(voice.pointee.step), filter.rows,
        filter.taps, filter.phaseBits, out + 2 * count)
      advance(source, voice, frames: frames)
      count &+= frames
    }
    return count
  }

  /// How many frames can be read before one that goes into them lies beyond an end of the source or its loop.
  @_noLocks private static func framesInside(
    _ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, _ filter: PitchFilter, end: Int64, limit: Int
  ) -> Int {
    let position = voice.pointee.position
    let begin = voice.pointee.hasLooped ? Int64(source.loopStart) : 0
    let last = end - filter.after
    if position - filter.before < begin || position > last { return 0 }
    let room = (last - position + 1) << 32 - Int64(voice.pointee.fraction)
    return Int(min(Int64(limit), (room + voice.pointee.step - 1) / voice.pointee.step))
  }

  /// How many frames can be read from what there is room to gather: one at least. They begin before the end; once the
  /// loop has turned, which frames lie before its first is settled, and they may go on round it.
  @_noLocks private static func framesGathered(
    _ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, _ filter: PitchFilter, end: Int64, limit: Int
  ) -> Int {
    let room = Int64(PitchFilters.gatheredFrames - filter.taps + 1)
    let left = voice.pointee.hasLooped ? room : min(room, end - voice.pointee.position)
    let last = left << 32 - 1 - Int64(voice.pointee.fraction)
    return Int(min(Int64(limit), last / voice.pointee.step + 1))
  }

  /// Copies `count` frames from number `first` on: silence outside the source, the loop's other end beyond its ends.
  @_noLocks private static func gather(
    _ source: ResidentSource, from first: Int64, count: Int, looped: Bool, into out: UnsafeMutablePointer<Float>
  ) {
    let (start, end) = (Int64(source.loopStart), Int64(source.loopEnd))
    let length = end - start
    var number = first
    if source.loops && looped && number < start { number = end - 1 - (start - 1 - number) % length }
    if source.loops && number >= end { number = start + (number - end) % length }
    for index in 0..<count {
      if source.loops && number == end { number = start }
      let isInside = number >= 0 && number < Int64(source.frames)
      out[2 * index] = isInside ? source.samples[2 * Int(number)] : 0
      out[2 * index + 1] = isInside ? source.samples[2 * Int(number) + 1] : 0
      number &+= 1
    }
  }

  /// Moves a voice on by `frames` frames of output, around its loop if it has one.
  @_noLocks static func advance(_ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, frames: Int) {
    let sum = Int64(voice.pointee.fraction) + voice.pointee.step * Int64(frames)
    voice.pointee.position += sum >> 32
    voice.pointee.fraction = UInt32(truncatingIfNeeded: sum)
    wrap(source, voice)
  }

  /// Brings a position at or behind the loop's end back into the loop.
  @_noLocks @inline(__always) static func wrap(_ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>) {
    if source.loops && voice.pointee.position >= Int64(source.loopEnd) {
      let length = Int64(source.loopEnd - source.loopStart)
      voice.pointee.position = Int64(source.loopStart) + (voice.pointee.position - Int64(source.loopStart)) % length
      voice.pointee.hasLooped = true
    }
  }
}
