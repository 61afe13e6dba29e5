// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// The audio side of a meter: the highest magnitude in the slice at hand, told as it grows.
struct Meter: BitwiseCopyable {
  private var slice: Int64 = -1
  private var begin: Int64 = 0
  private var end: Int64 = 0
  private var highest: Float = 0

  @_noLocks init() {}

  /// Takes in the highest magnitude of a short run of frames from output frame `frame` on. What is no finite number is not.
  @_noLocks mutating func note(_ peak: Float, at frame: Int64, in slices: UnsafeMutablePointer<MeterSlices>) {
    if !(peak > 0 && peak < .infinity) { return }
    if frame >= end || frame < begin {
      slice = frame / slices.pointee.sliceFrames
      begin = slice &* slices.pointee.sliceFrames
      end = begin &+ slices.pointee.sliceFrames
      highest = 0
    }
    if peak <= highest { return }
    highest = peak
    slices.pointee.store(peak, in: slice)
  }

  /// The highest magnitude of `frames` frames, or what `note` leaves out where a sample is no finite number.
  @_noLocks static func peak(_ kernel: rt_mix_kernel, _ samples: UnsafePointer<Float>, _ frames: Int) -> Float {
    let whole = frames & ~15
    var highest = rt_mix_peak(kernel, samples, whole >> 4)
    for index in (2 * whole)..<(2 * frames) {
      let magnitude = samples[index].magnitude
      if magnitude > highest { highest = magnitude }
    }
    return highest
  }
}
