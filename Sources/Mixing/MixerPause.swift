// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime

/// What the mixer is told of pauses: one of each, in turn.
enum PauseStep: BitwiseCopyable {
  /// Stand before that played frame.
  case stand(before: Int64)
  /// Go on once that many frames have been stood through, since the beginning.
  case goOn(afterStanding: Int64)
}

/// Where the mixer stands: nothing in it moves, and what it puts out is silence.
struct MixerPause: BitwiseCopyable {
  /// Frames put out while it stood, since the beginning.
  var stood: Int64 = 0
  /// The played frame before which it stands; never one while no pause is known.
  var frame: Int64 = .max
  /// How many frames it is to have stood through as it goes on; below 0 while that is not known.
  var goal: Int64 = -1
  /// Down to where it stands, and up from where it stood last.
  var fadeOut = Ramp(steady: 1)
  var fadeIn = Ramp(steady: 1)

  @_noLocks init() {}

  var isKnown: Bool { @_noLocks get { frame < .max } }

  /// Whether there is anything to do but play from `next` on.
  @_noLocks func isNear(_ next: Int64) -> Bool { isKnown || fadeIn.isMoving(at: next) }
}

extension Mixer {
  /// Takes in the next pause, and its end.
  @_noLocks mutating func takePauses() {
    var step = PauseStep.goOn(afterStanding: 0)
    if !pause.isKnown {
      if !takePause(&step) { return }
      guard case .stand(let frame) = step else { return }
      pause.frame = max(frame, playFrame + Int64(declick.frames))
      pause.goal = -1
      pause.fadeOut = Ramp(from: 1, to: 0, start: pause.frame - Int64(declick.frames), fade: declick)
    }
    if pause.goal < 0, takePause(&step), case .goOn(let stood) = step { pause.goal = max(stood, 0) }
  }

  /// Puts out frames of which some are stood through, or fade for it.
  @_noLocks mutating func renderPausing(_ out: UnsafeMutablePointer<Float>, _ frames: Int) {
    var done = 0
    while done < frames {
      let standing = stand(for: Int64(frames - done))
      if standing > 0 {
        rt_zero(out + 2 * done, 2 * Int(standing) * MemoryLayout<Float>.stride)
        done += Int(standing)
      } else {
        let count = Int(min(Int64(frames - done), pause.frame - playFrame))
        let first = playFrame
        play(into: out + 2 * done, frames: count)
        shape(out + 2 * done, from: first, count)
        done += count
      }
    }
    publishStanding()
  }

  /// Passes over frames of which some are stood through.
  @_noLocks mutating func passPausing(_ frames: Int) {
    var left = Int64(max(frames, 0))
    while left > 0 {
      let standing = stand(for: left)
      let count = standing > 0 ? standing : min(left, pause.frame - playFrame)
      if standing == 0 { pass(frames: Int(count)) }
      left -= count
    }
    publishStanding()
  }

  /// Stands for at most `most` frames; how many, and 0 where it plays.
  @_noLocks private mutating func stand(for most: Int64) -> Int64 {
    while playFrame == pause.frame {
      let count = pause.goal < 0 ? most : min(most, pause.goal - pause.stood)
      if count > 0 {
        pause.stood += count
        return count
      }
      goOn()
    }
    return 0
  }

  /// Goes on where it stands. What it has stood through beyond its goal is passed over: what is planned keeps its instants.
  @_noLocks private mutating func goOn() {
    let late = pause.stood - pause.goal
    pause.stood = pause.goal
    pause.frame = .max
    if late > 0 { pass(frames: Int(late)) }
    pause.fadeIn = Ramp(from: 0, to: 1, start: playFrame, fade: declick)
    takePauses()
  }

  @_noLocks private func shape(_ out: UnsafeMutablePointer<Float>, from first: Int64, _ count: Int) {
    let isEnding = pause.isKnown && first + Int64(count) > pause.fadeOut.start
    if !isEnding && !pause.fadeIn.isMoving(at: first) { return }
    for index in 0..<count {
      let frame = first + Int64(index)
      var gain = pause.fadeIn.value(at: frame)
      if isEnding { gain *= pause.fadeOut.value(at: frame) }
      out[2 * index] *= gain
      out[2 * index + 1] *= gain
    }
  }

  /// Commands come in, and those that are taken back are told, also while nothing is played.
  @_noLocks private mutating func publishStanding() {
    takeCommands()
    tell()
    publish()
  }
}
