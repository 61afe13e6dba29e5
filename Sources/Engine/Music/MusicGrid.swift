// SPDX-License-Identifier: Apache-2.0

/// The beats or bars of a track, as positions in it: `first` and every `step` frames on.
struct MusicGrid {
  var first: Double
  var step: Double

  /// The first position of the grid at or after `position`, which may lie before the first beat.
  func next(from position: Int64) -> Double {
    // What is nearer than a thousandth of a frame is there.
    let index = ((Double(position) - first) / step - 1e-3 / step).rounded(.up)
    return first + max(0, index) * step
  }
}

extension MusicPlayer.Part {
  /// The output frame at which the next position of a grid is heard, from `frame` on, through the loop's seam. Nothing where
  /// the track, or its loop, holds none any more.
  func next(on grid: MusicGrid, from frame: Int64) -> Int64? {
    var start = frame
    var place = position(at: frame)
    for _ in 0..<2 {
      let beat = grid.next(from: place)
      let end = loops ? info.loop.end : info.frames
      // Beyond the loop's end a track that was entered there runs on.
      if beat < Double(end) || loops && place >= end { return start + Int64(((beat - Double(place)) / rate).rounded()) }
      guard loops, info.loop.end > info.loop.start else { return nil }
      start += outputFrames(info.loop.end - place)
      place = info.loop.start
    }
    return nil
  }
}
