// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// A peak limiter that sees `lookahead` frames ahead, and so turns down before a peak instead of at it.
///
/// Gains are worked out for every group of sixteen frames, counted from the engine's first frame, and joined by straight
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
  /// Room for the gains of `mostGroups` groups and the one behind them.
  private let gains: UnsafeMutablePointer<Float>
  private let groupMask: Int
  /// The next group to look at.
  private var nextGroup: Int64 = 0
  /// What the last group needed.
  private var lastNeed: Float = 1

  /// Highest magnitude seen and lowest gain given since they were last reset, and frames that were no numbers.
  var peak: Float = 0
  var lowestGain: Float = 1
  var brokenFrames = 0

  /// Of what was taken note of last: the highest magnitude, and whether all of it passes as it is, as far as is known.
  private(set) var turnPeak: Float = 0
  private(set) var turnPasses = true
  /// The frame after the last that may not pass as it is.
  private(set) var shapedEnd: Int64 = 0

  /// Frames of a group, `RT_GROUP_FRAMES` in C: two to the power of 4, by which frames are shifted to groups.
  private static var groupFrames: Int { @_noLocks get { 16 } }
  /// Groups that are scaled at a time, at most.
  private static var mostGroups: Int { @_noLocks get { 16 } }
  /// Loudest sample that passes.
  private static var ceiling: Float { @_noLocks get { 1 } }

  init(lookahead: Int, blockFrames: Int, rate: Int, kernel: rt_mix_kernel) {
    self.kernel = kernel
    var rounded = 64
    while rounded < lookahead + 2 * blockFrames { rounded *= 2 }
    capacity = rounded
    delay = .room(2 * (rounded + blockFrames))
    groupMask = rounded / Self.groupFrames - 1
    peaks = .room(rounded / Self.groupFrames)
    gains = .room(Self.mostGroups + 1)
    envelope = GainEnvelope(
      span: lookahead / Self.groupFrames - 1, memory: rounded / Self.groupFrames,
      groupSeconds: Float(Self.groupFrames) / Float(rate))
  }

  func deallocate() {
    delay.deallocate()
    peaks.deallocate()
    gains.deallocate()
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
    let end = mixedEnd >> 4
    turnPeak = 0
    turnPasses = true
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
      let loudest = rt_mix_peak(kernel, delay + 32 * place, count)
      if loudest <= Self.ceiling {
        if loudest > turnPeak { turnPeak = loudest }
        if loudest > peak { peak = loudest }
        envelope.addCalm(from: nextGroup, to: nextGroup + Int64(count))
        lastNeed = 1
        return
      }
    }
    rt_mix_group_peaks(kernel, delay + 32 * place, count, peaks)
    for index in 0..<count where peaks[index].isNaN {
      silenceBrokenFrames(of: nextGroup + Int64(index))
      rt_mix_group_peaks(kernel, delay + 32 * (place + index), 1, peaks + index)
    }
    turnPeaksIntoNeeds(count)
    turnPasses = false
    shapedEnd = (nextGroup + Int64(count)) << 4
    lowestGain = min(lowestGain, envelope.add(peaks, count: count, from: nextGroup))
  }

  /// Puts what each of `count` groups needs in the place of its peak.
  @_noLocks private mutating func turnPeaksIntoNeeds(_ count: Int) {
    var (loudest, last) = (turnPeak, lastNeed)
    for index in 0..<count {
      let peak = peaks[index]
      loudest = peak > loudest ? peak : loudest
      let need = Self.ceiling / (peak > Self.ceiling ? peak : Self.ceiling)
      // Gains are given at the beginnings of groups, so both neighbours of a beginning have a say.
      peaks[index] = need < last ? need : last
      last = need
    }
    (turnPeak, lastNeed) = (loudest, last)
    if loudest > peak { peak = loudest }
  }

  @_noLocks private mutating func silenceBrokenFrames(of group: Int64) {
    let base = delay + 32 * (Int(truncatingIfNeeded: group) & groupMask)
    for frame in 0..<Self.groupFrames where !(base[2 * frame].isFinite && base[2 * frame + 1].isFinite) {
      base[2 * frame] = 0
      base[2 * frame + 1] = 0
      brokenFrames += 1
    }
  }

  /// Whether silence would change nothing of what is remembered.
  var isStill: Bool { @_noLocks get { envelope.isStill } }

  /// Takes note of all frames before `mixedEnd`, which are silence, while it is still.
  @_noLocks mutating func rest(upTo mixedEnd: Int64) { nextGroup = mixedEnd >> 4 }

  // MARK: Putting out

  /// Writes `count` frames from `frame` on, each at its gain; all of them `lookahead` frames behind what was analysed.
  @_noLocks mutating func emit(_ out: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
    var done = 0
    while done < count {
      let at = frame + Int64(done)
      let place = Int(truncatingIfNeeded: at) & (capacity - 1)
      let within = Int(truncatingIfNeeded: at & 15)
      let run: Int
      if at >> 4 > envelope.lastReducedGroup {
        run = min(count - done, capacity - place)
        rt_copy(out + 2 * done, delay + 2 * place, 2 * run * MemoryLayout<Float>.stride)
      } else if within > 0 || count - done < Self.groupFrames {
        run = min(Self.groupFrames - within, count - done)
        scale(out + 2 * done, delay + 2 * place, group: at >> 4, within: within, count: run)
      } else {
        let groups = min(min(count - done, capacity - place) >> 4, Self.mostGroups)
        for index in 0...groups { gains[index] = envelope.gain(at: at >> 4 + Int64(index)) }
        rt_mix_scale(kernel, delay + 2 * place, gains, groups, out + 2 * done)
        run = Self.groupFrames * groups
      }
      done += run
    }
  }

  /// `count` frames of one group, from its frame `within` on, as `rt_mix_scale` does it.
  @_noLocks private func scale(
    _ out: UnsafeMutablePointer<Float>, _ source: UnsafePointer<Float>, group: Int64, within: Int, count: Int
  ) {
    let gain = envelope.gain(at: group)
    let slope = (envelope.gain(at: group + 1) - gain) * (1 / Float(Self.groupFrames))
    for frame in 0..<count {
      let now = gain + Float(within + frame) * slope
      out[2 * frame] = min(max(source[2 * frame] * now, -Self.ceiling), Self.ceiling)
      out[2 * frame + 1] = min(max(source[2 * frame + 1] * now, -Self.ceiling), Self.ceiling)
    }
  }

  /// Moves on by a whole number of turns of the delay, of which nothing was mixed.
  @_noLocks mutating func pass(frames: Int64) {
    nextGroup += frames >> 4
    envelope.pass(groups: frames >> 4)
  }
}
