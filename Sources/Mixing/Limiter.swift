import CRealTime

private typealias Lanes = SIMD8<Float>

/// A peak limiter that sees `lookahead` frames ahead, and so turns down before a peak instead of at it.
///
/// Gains are worked out for every group of eight frames, counted from the engine's first frame, and joined by straight
/// lines. The gain of a frame is never more than its peak allows; where nothing exceeds 1, samples pass bit for bit.
struct Limiter {
  /// The mix, ahead of the output, by frame modulo `capacity`; behind it is room for a block that goes beyond its end.
  let delay: UnsafeMutablePointer<Float>
  /// Frames of the delay: a power of two.
  let capacity: Int

  private let kernel: rt_mix_kernel
  private var envelope: GainEnvelope
  /// Room for the peaks of one turn of the delay.
  private let peaks: UnsafeMutablePointer<Float>
  private let groupMask: Int
  /// The next group to look at.
  private var nextGroup: Int64 = 0
  /// What the last group needed.
  private var lastNeed: Float = 1

  /// Highest magnitude seen and lowest gain given since they were last reset, and frames that were no numbers.
  var peak: Float = 0
  var lowestGain: Float = 1
  var brokenFrames = 0

  /// Loudest sample that passes.
  private static var ceiling: Float { @_noLocks get { 1 } }

  init(lookahead: Int, blockFrames: Int, rate: Int, kernel: rt_mix_kernel) {
    self.kernel = kernel
    var rounded = 64
    while rounded < lookahead + 2 * blockFrames { rounded *= 2 }
    capacity = rounded
    delay = .room(2 * (rounded + blockFrames))
    groupMask = rounded / 8 - 1
    peaks = .room(rounded / 8)
    envelope = GainEnvelope(span: lookahead / 8 - 1, memory: rounded / 8, rate: rate)
  }

  func deallocate() {
    delay.deallocate()
    peaks.deallocate()
    envelope.deallocate()
  }

  // MARK: Looking ahead

  /// Brings what was mixed beyond the end of the delay, as the end of `count` frames from its frame `place` on, to its
  /// beginning. So a block is mixed in one piece wherever it lies.
  @_noLocks func fold(_ place: Int, _ count: Int) {
    let beyond = place + count - capacity
    if beyond > 0 { rt_copy(delay, delay + 2 * capacity, 2 * beyond * MemoryLayout<Float>.stride) }
  }

  /// Takes note of all frames before `mixedEnd`.
  @_noLocks mutating func analyse(upTo mixedEnd: Int64) {
    let end = mixedEnd >> 3
    while nextGroup < end {
      let place = Int(truncatingIfNeeded: nextGroup) & groupMask
      let count = min(Int(end - nextGroup), groupMask + 1 - place)
      analyse(count, at: place)
      nextGroup += Int64(count)
    }
  }

  /// `count` groups from `nextGroup` on, which lie in one piece.
  @_noLocks private mutating func analyse(_ count: Int, at place: Int) {
    if envelope.isCalm {
      let loudest = rt_mix_peak(kernel, delay + 16 * place, count)
      if loudest <= Self.ceiling {
        if loudest > peak { peak = loudest }
        envelope.addCalm(from: nextGroup, to: nextGroup + Int64(count))
        lastNeed = 1
        return
      }
    }
    rt_mix_group_peaks(kernel, delay + 16 * place, count, peaks)
    // A copy, so that what goes from group to group stays in registers.
    var envelope = self.envelope
    for index in 0..<count {
      if peaks[index].isNaN {
        silenceBrokenFrames(of: nextGroup + Int64(index))
        rt_mix_group_peaks(kernel, delay + 16 * (place + index), 1, peaks + index)
      }
      let loudest = peaks[index]
      if loudest > peak { peak = loudest }
      let need = loudest > Self.ceiling ? Self.ceiling / loudest : 1
      // Gains are given at the beginnings of groups, so both neighbours of a beginning have a say.
      let gain = envelope.add(min(need, lastNeed), at: nextGroup + Int64(index))
      lastNeed = need
      if gain < lowestGain { lowestGain = gain }
    }
    self.envelope = envelope
  }

  @_noLocks private mutating func silenceBrokenFrames(of group: Int64) {
    let base = delay + 16 * (Int(truncatingIfNeeded: group) & groupMask)
    for frame in 0..<8 where !(base[2 * frame].isFinite && base[2 * frame + 1].isFinite) {
      base[2 * frame] = 0
      base[2 * frame + 1] = 0
      brokenFrames += 1
    }
  }

  // MARK: Putting out

  /// Writes `count` frames from `frame` on, each at its gain; all of them `lookahead` frames behind what was analysed.
  @_noLocks mutating func emit(_ out: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
    var done = 0
    while done < count {
      let at = frame + Int64(done)
      let place = Int(truncatingIfNeeded: at) & (capacity - 1)
      if at >> 3 > envelope.lastReducedGroup {
        let run = min(count - done, capacity - place)
        rt_copy(out + 2 * done, delay + 2 * place, 2 * run * MemoryLayout<Float>.stride)
        done += run
      } else {
        let within = Int(truncatingIfNeeded: at & 7)
        let run = min(8 - within, count - done)
        scale(out + 2 * done, delay + 2 * place, group: at >> 3, within: within, count: run)
        done += run
      }
    }
  }

  /// `count` frames of one group, from its frame `within` on.
  @_noLocks @inline(__always) private func scale(
    _ out: UnsafeMutablePointer<Float>, _ source: UnsafePointer<Float>, group: Int64, within: Int, count: Int
  ) {
    let gain = envelope.gain(at: group)
    let slope = (envelope.gain(at: group + 1) - gain) * 0.125
    if count == 8 {
      let first = Lanes(repeating: gain) + Lanes(0, 0, 1, 1, 2, 2, 3, 3) * slope
      let second = Lanes(repeating: gain) + Lanes(4, 4, 5, 5, 6, 6, 7, 7) * slope
      store(out, 0, Self.clip(load(source, 0) * first))
      store(out, 8, Self.clip(load(source, 8) * second))
      return
    }
    for frame in 0..<count {
      let now = gain + Float(within + frame) * slope
      out[2 * frame] = min(max(source[2 * frame] * now, -Self.ceiling), Self.ceiling)
      out[2 * frame + 1] = min(max(source[2 * frame + 1] * now, -Self.ceiling), Self.ceiling)
    }
  }

  /// Takes off what rounding may leave beyond the ceiling.
  @_noLocks @inline(__always) private static func clip(_ samples: Lanes) -> Lanes {
    let upper = Lanes(repeating: ceiling)
    let capped = samples.replacing(with: upper, where: samples .> upper)
    return capped.replacing(with: -upper, where: capped .< -upper)
  }

  /// Moves on by a whole number of turns of the delay, of which nothing was mixed.
  @_noLocks mutating func pass(frames: Int64) {
    nextGroup += frames >> 3
    envelope.pass(groups: frames >> 3)
  }
}

@_noLocks @inline(__always) private func load(_ samples: UnsafePointer<Float>, _ index: Int) -> Lanes {
  UnsafeRawPointer(samples + index).loadUnaligned(as: Lanes.self)
}

@_noLocks @inline(__always) private func store(_ samples: UnsafeMutablePointer<Float>, _ index: Int, _ value: Lanes) {
  UnsafeMutableRawPointer(samples + index).storeBytes(of: value, as: Lanes.self)
}
