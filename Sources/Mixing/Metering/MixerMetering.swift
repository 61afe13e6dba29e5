// SPDX-License-Identifier: Apache-2.0

import CRealTime

// What the meters are told. A bus that nothing was added to, and an output that is silent, are not looked at.
extension Mixer {
  /// Notes what a bus gives to the block at hand, at its gain: of one that moves the higher of its two ends.
  @_noLocks func meter(_ index: Int, _ frames: Int) {
    let bus = buses + index
    let peak = Meter.peak(kernel, bus.pointee.sum, frames)
    var gain: Float = 1
    if mixFrame < bus.pointee.unityFrom {
      let last = mixFrame + Int64(frames - 1)
      gain = max(bus.pointee.path.magnitude(at: mixFrame), bus.pointee.path.magnitude(at: last))
    }
    bus.pointee.meter.note(peak * gain, at: mixFrame + pause.stood, in: link.pointee.meters + index)
  }

  /// Notes what was put out from output frame `first` on.
  @_noLocks mutating func meterOutput(_ out: UnsafePointer<Float>, from first: Int64, _ frames: Int) {
    var done = 0
    while done < frames {
      let count = min(frames - done, Mixer.blockFrames)
      outputMeter.note(
        Meter.peak(kernel, out + 2 * done, count), at: first + Int64(done),
        in: link.pointee.meters + MixerLink.outputMeter)
      done += count
    }
  }
}
