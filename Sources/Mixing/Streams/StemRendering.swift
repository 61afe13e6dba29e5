// SPDX-License-Identifier: Apache-2.0

import CRealTime

// Stems are layers of one voice's ring: read at its one place, each turned to its gain, and added to the track before the
// voice's own gain. So whatever happens to the voice happens to all of them at the same frame.
extension Mixer {
  /// Puts the next `count` frames of a voice's ring, stems included, into `interpolated`; they lie in one piece.
  @_noLocks mutating func mixLayers(
    _ voice: UnsafeMutablePointer<Voice>, _ ring: UnsafeMutablePointer<StreamRing>, at frame: Int64, _ count: Int
  ) {
    let track = ring.pointee.piece(at: voice.pointee.position).samples
    rt_copy(interpolated, track, 2 * count * MemoryLayout<Float>.stride)
    for stem in 0..<voice.pointee.stems.count where !voice.pointee.stems.isSilent(stem, at: frame) {
      let layer = ring.pointee.piece(at: voice.pointee.position, layer: stem + 1).samples
      addStem(layer, voice.pointee.stems[stem], voice.pointee.stems.family(stem), from: frame, count)
    }
  }

  /// Adds `count` frames of a stem to what is in `interpolated`, at its gain and its family's from output frame `frame` on.
  @_noLocks mutating func addStem(
    _ samples: UnsafePointer<Float>, _ gain: Ramp, _ family: Int32, from frame: Int64, _ count: Int
  ) {
    let isDriven = family >= 0 && Int(family) < familyCount && !families[Int(family)].isUnity(at: frame)
    var done = 0
    while done < count {
      let now = frame + Int64(done)
      let moves = gain.isMoving(at: now)
      let length = moves ? Int(min(Int64(count - done), gain.end - now)) : count - done
      for index in done..<done + length {
        var level = moves ? gain.value(at: frame + Int64(index)) : gain.to
        if isDriven { level *= families[Int(family)].gain.value(at: frame + Int64(index)) }
        // By pointers: for the thread sanitizer the compiler makes of `interpolated[2 * index] +=` what it then rejects itself.
        let (left, right) = (interpolated + 2 * index, interpolated + 2 * index + 1)
        left.pointee += samples[2 * index] * level
        right.pointee += samples[2 * index + 1] * level
      }
      done += length
    }
  }
}
