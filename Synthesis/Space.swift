// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A reverberation: eight delays that feed each other through a reflection, each losing its treble on the way.
///
/// What loops is sent through twice and the second turn kept, so that its beginning holds the tail of its end.
func reverberated(_ dry: borrowing Stereo, seconds: Float, damping: Float, loops: Bool) -> Stereo {
  let lengths = [1_423, 1_777, 2_011, 2_389, 2_713, 3_067, 3_499, 3_881]
  // One after the other in one place, so that nothing is looked up for each sample.
  let starts = lengths.indices.map { lengths[..<$0].reduce(0, +) }
  var memory = [Float](repeating: 0, count: lengths.reduce(0, +))
  var places = starts
  var dull = [Float](repeating: 0, count: 8)
  let gains = lengths.map { powf(10, -3 * Float($0) / rate / seconds) }
  let soft = 1 - expf(-2 * .pi * damping / rate)
  var out = Stereo(frames: dry.frames)
  var heard = [Float](repeating: 0, count: 8)
  for turn in 0..<(loops ? 2 : 1) {
    for frame in 0..<dry.frames {
      var sum: Float = 0
      for line in 0..<8 {
        dull[line] += soft * (memory[places[line]] - dull[line])
        heard[line] = dull[line] * gains[line]
        sum += heard[line]
      }
      sum *= 0.25
      for line in 0..<8 {
        memory[places[line]] = heard[line] - sum + (line % 2 == 0 ? dry.left[frame] : dry.right[frame])
        places[line] += 1
        if places[line] == starts[line] + lengths[line] { places[line] = starts[line] }
      }
      if turn == 1 || !loops {
        out.left[frame] = 0.35 * (heard[0] + heard[2] - heard[4] + heard[7])
        out.right[frame] = 0.35 * (heard[1] + heard[3] - heard[5] + heard[6])
      }
    }
  }
  return out
}

/// Echoes that go from side to side, each duller than the one before.
func echoed(_ dry: borrowing Stereo, frames: Int, feedback: Float, loops: Bool) -> Stereo {
  var lines = (left: [Float](repeating: 0, count: frames), right: [Float](repeating: 0, count: frames))
  var filters = (StateVariable(3_400), StateVariable(3_400))
  var place = 0
  var out = Stereo(frames: dry.frames)
  for turn in 0..<(loops ? 2 : 1) {
    for frame in 0..<dry.frames {
      let left = filters.0(lines.left[place]).low
      let right = filters.1(lines.right[place]).low
      lines.left[place] = 0.7 * dry.left[frame] + 0.3 * dry.right[frame] + feedback * right
      lines.right[place] = feedback * left + 0.3 * dry.right[frame]
      place = place + 1 == frames ? 0 : place + 1
      if turn == 1 || !loops {
        out.left[frame] = left
        out.right[frame] = right
      }
    }
  }
  return out
}

/// Keeps every sample within `ceiling`: gain comes down before a peak and goes up slowly after it.
func limited(_ sound: inout Stereo, ceiling: Float, loops: Bool) {
  let block = 96
  let count = (sound.frames + block - 1) / block
  var needed = (0..<count).map { index in
    let range = index * block..<min(sound.frames, (index + 1) * block)
    let peak = range.reduce(Float(0)) { max($0, abs(sound.left[$1]), abs(sound.right[$1])) }
    return peak > ceiling ? ceiling / peak : 1
  }
  let rise: Float = 1 + 0.012
  for turn in 0..<(loops ? 2 : 1) {
    for index in 0..<count where turn > 0 || index > 0 {
      let before = needed[index == 0 ? count - 1 : index - 1]
      needed[index] = min(needed[index], before * rise)
    }
  }
  func edge(_ index: Int) -> Float {
    let before = index == 0 ? (loops ? needed[count - 1] : 1) : needed[index - 1]
    let after = index == count ? (loops ? needed[0] : 1) : needed[index]
    return min(before, after)
  }
  for index in 0..<count {
    let (from, to) = (edge(index), edge(index + 1))
    if from == 1, to == 1 { continue }
    for frame in index * block..<min(sound.frames, (index + 1) * block) {
      let gain = from + (to - from) * Float(frame - index * block) / Float(block)
      sound.left[frame] *= gain
      sound.right[frame] *= gain
    }
  }
}
