// SPDX-License-Identifier: Apache-2.0

import Glibc
@_spi(Measuring) import Mixing

let rate = 48_000
/// Frames of a period.
let period = 256
let seconds = 60
let periods = seconds * rate / period
/// Periods between two looks at the clock, so that looking costs nothing.
let slice = 25

func nanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// A mixer with one voice on each source.
struct MixerOnBench {
  let controller: MixerController
  /// Without the limiter and what it looks ahead.
  let alone: Bool
  private let out: UnsafeMutablePointer<Float>
  /// Where the last period lies.
  private(set) var last: UnsafePointer<Float>

  init(
    _ sources: [Samples], gain: Float = 1, fadeIn: Fade = .none, pitch: Float = 1, loopFrames: Int = sourceFrames,
    alone: Bool = false
  ) {
    controller = MixerController(MixerConfiguration(rate: rate, effectVoices: sources.count))
    self.alone = alone
    out = .allocate(capacity: 2 * period)
    out.initialize(repeating: 0, count: 2 * period)
    last = UnsafePointer(out)
    let started = controller.submit(
      sources.enumerated().map { voice, samples in
        .start(
          VoiceStart(
            id: VoiceID(rawValue: UInt64(voice + 1)),
            source: .resident(ResidentSource(samples: samples, frames: loopFrames, loop: 0..<loopFrames)),
            bus: .sound, at: 0, gain: gain, fadeIn: fadeIn, pitch: pitch))
      })
    precondition(started, "the mixer takes one start for every voice")
  }

  /// Renders that many periods.
  mutating func render(periods: Int) {
    for _ in 0..<periods {
      if alone {
        last = controller.mixer.pointee.mixAlone(frames: period)
      } else {
        controller.mixer.pointee.render(into: out, frames: period)
      }
    }
  }

  /// Renders one slice and tells how long that took, in nanoseconds.
  mutating func timeSlice() -> Double {
    let begin = nanoseconds()
    render(periods: slice)
    let time = nanoseconds() - begin
    controller.drainEvents { _ in }
    return time
  }

  /// The power of the last period, summed over its samples.
  var power: Double {
    (0..<2 * period).reduce(0.0) { $0 + Double(last[$1]) * Double(last[$1]) }
  }
}
