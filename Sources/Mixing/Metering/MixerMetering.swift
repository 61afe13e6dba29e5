// SPDX-License-Identifier: Apache-2.0

import CRealTime

// What the meters are told. A bus that nothing was added to, and an output that is silent, are not looked at.
extension Mixer {
  /// Notes what a bus gives to the block at hand, at its gain: of one that moves the higher of its two ends.
  @_noLocks func meter(_ index: Int, _ frames: Int) {
    let bus = buses + index
    let peak = highest(bus.pointee.sum, frames)
    var gain: Float = 1
    if mixFrame < bus.pointee.unityFrom {
      let last = mixFrame + Int64(frames - 1)
      gain = max(bus.pointee.path.magnitude(at: mixFrame), bus.pointee.path.magnitude(at: last))
    }
    note(index, peak * gain, at: mixFrame)
  }

  /// Takes note of what is summed up and about to be mixed, of `bus` alone where it is alone: then the limiter works out its peak. What
  /// that has not seen of the blocks before, less than a group, it sees together with this one.
  @_noLocks mutating func noteBuses(_ bus: Int, _ frames: Int) {
    if bus == LoneBus.several {
      for index in 0..<busCount where buses[index].isTouched { meter(index, frames) }
    }
    let unseen = Int(truncatingIfNeeded: mixFrame & 15)
    if unseen == 0 || bus == loneBus.unseen {
      loneBus.seen = bus
      loneBus.unseen = bus
      return
    }
    // Silence goes with everything.
    if bus == LoneBus.none {
      loneBus.seen = loneBus.unseen
      return
    }
    if loneBus.unseen == LoneBus.none {
      loneBus.seen = bus
      loneBus.unseen = bus
      return
    }
    if loneBus.unseen >= 0 {
      let place = Int(truncatingIfNeeded: mixFrame &- Int64(unseen)) & (limiter.capacity - 1)
      note(loneBus.unseen, highest(limiter.delay + 2 * place, unseen), at: mixFrame)
    }
    if bus >= 0 { meter(bus, frames) }
    loneBus.seen = LoneBus.several
    loneBus.unseen = frames < 16 ? LoneBus.several : bus
  }

  /// Notes what the limiter has just worked out: of a bus that is alone in the mix, and of the output where all passes as it is.
  @_noLocks mutating func meterMix(_ frames: Int) {
    let first = mixFrame - Int64(frames)
    if loneBus.seen >= 0 { note(loneBus.seen, limiter.turnPeak, at: first) }
    // What is passed over is mixed as well, from before the next that is put out.
    if limiter.turnPasses && first >= playFrame {
      note(MixerLink.outputMeter, limiter.turnPeak, at: first)
    }
  }

  @_noLocks private func note(_ meter: Int, _ peak: Float, at frame: Int64) {
    (link.pointee.meters + meter).pointee.note(peak, at: frame + pause.stood)
  }

  /// Notes what was put out from output frame `first` on, where the limiter has to do with it.
  @_noLocks mutating func meterOutput(_ out: UnsafePointer<Float>, from first: Int64, _ frames: Int) {
    var done = 0
    while done < frames {
      let count = min(frames - done, Mixer.blockFrames)
      let peak = highest(out + 2 * done, count)
      (link.pointee.meters + MixerLink.outputMeter).pointee.note(peak, at: first + Int64(done))
      done += count
    }
  }

  /// The highest magnitude of `frames` frames, or what no meter takes in where a sample is no finite number.
  @_noLocks private func highest(_ samples: UnsafePointer<Float>, _ frames: Int) -> Float {
    let whole = frames & ~15
    var highest = rt_mix_peak(kernel, samples, whole >> 4)
    for index in (2 * whole)..<(2 * frames) {
      let magnitude = samples[index].magnitude
      if magnitude > highest { highest = magnitude }
    }
    return highest
  }
}
