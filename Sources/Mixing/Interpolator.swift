/// Reads a resident source between its frames: 4-point, 3rd-order Hermite (Catmull-Rom), at any speed from 1/8 to 8.
enum Interpolator {
  /// Writes up to `limit` frames to `out`, moves the voice on, and returns how many there were before the source's end.
  @_noLocks static func read(
    _ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, into out: UnsafeMutablePointer<Float>, limit: Int
  ) -> Int {
    let end = Int64(source.loops ? source.loopEnd : source.frames)
    var count = 0
    while count < limit && voice.pointee.position < end {
      let inside = framesInside(source, voice, end: end, limit: limit - count)
      if inside > 0 {
        readInside(source, voice, into: out + 2 * count, frames: inside)
        count &+= inside
      } else {
        let position = voice.pointee.position
        let looped = voice.pointee.hasLooped
        let y = curve(
          frame(source, position - 1, looped), frame(source, position, looped), frame(source, position + 1, looped),
          frame(source, position + 2, looped), Float(voice.pointee.fraction) * 0x1p-32)
        out[2 * count] = y.x
        out[2 * count + 1] = y.y
        count &+= 1
        advance(source, voice, frames: 1)
      }
    }
    return count
  }

  /// How many frames can be read before one of their four neighbours lies beyond an end of the source or its loop.
  @_noLocks private static func framesInside(
    _ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, end: Int64, limit: Int
  ) -> Int {
    let position = voice.pointee.position
    let first = voice.pointee.hasLooped ? Int64(source.loopStart) + 1 : 1
    if position < first || position >= end - 2 { return 0 }
    let room = (end - 2 - position) << 32 - Int64(voice.pointee.fraction)
    return Int(min(Int64(limit), (room + voice.pointee.step - 1) / voice.pointee.step))
  }

  @_noLocks private static func readInside(
    _ source: ResidentSource, _ voice: UnsafeMutablePointer<Voice>, into out: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let base = source.samples + 2 * Int(voice.pointee.position - 1)
    let step = voice.pointee.step
    var place = Int64(voice.pointee.fraction)
    for index in 0..<frames {
      let here = UnsafeRawPointer(base + 2 * Int(place >> 32))
      let y = curve(
        here.loadUnaligned(as: SIMD2<Float>.self), here.loadUnaligned(fromByteOffset: 8, as: SIMD2<Float>.self),
        here.loadUnaligned(fromByteOffset: 16, as: SIMD2<Float>.self),
        here.loadUnaligned(fromByteOffset: 24, as: SIMD2<Float>.self),
        Float(UInt32(truncatingIfNeeded: place)) * 0x1p-32)
      UnsafeMutableRawPointer(out + 2 * index).storeBytes(of: y, as: SIMD2<Float>.self)
      place &+= step
    }
    advance(source, voice, frames: frames)
  }

  /// The curve through `b` at x = 0 and `c` at x = 1, with slopes (c - a) / 2 and (d - b) / 2 there.
  @_noLocks @inline(__always) private static func curve(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ d: SIMD2<Float>, _ x: Float
  ) -> SIMD2<Float> {
    let r = (c - a) * 0.5
    let q = a - b * 2.5 + c * 2 - d * 0.5
    let p = (d - a) * 0.5 + (b - c) * 1.5
    return ((p * x + q) * x + r) * x + b
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

  /// A frame by number: silence outside the source, the loop's other end beyond its ends.
  @_noLocks private static func frame(_ source: ResidentSource, _ number: Int64, _ looped: Bool) -> SIMD2<Float> {
    var number = number
    if source.loops {
      let length = Int64(source.loopEnd - source.loopStart)
      if number >= Int64(source.loopEnd) {
        number = Int64(source.loopStart) + (number - Int64(source.loopEnd)) % length
      } else if looped && number < Int64(source.loopStart) {
        number += length
      }
    }
    if number < 0 || number >= Int64(source.frames) { return SIMD2(0, 0) }
    let base = source.samples + 2 * Int(number)
    return SIMD2(base[0], base[1])
  }
}
