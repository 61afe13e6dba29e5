// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// The audio output of a stepped clock: renders just as far as time has gone, on the caller's thread.
final class SteppedAudio {
  /// Where the stepped clock begins: not at zero, so that "before the start" is an instant too.
  static let origin = Instant(microseconds: 1_000_000)
  static let period = 256

  let timeline: AudioTimeline
  let recording: Recording?
  private(set) var now = origin
  private(set) var frame: Int64 = 0
  private let mixer: UnsafeMutablePointer<Mixer>
  private let buffer: UnsafeMutableBufferPointer<Float>

  init(mixer: UnsafeMutablePointer<Mixer>, rate: Int, recording: Recording?) {
    self.mixer = mixer
    self.recording = recording
    timeline = AudioTimeline(frame: 0, instant: Self.origin, rate: rate)
    buffer = .allocate(capacity: Self.period * 2)
    buffer.initialize(repeating: 0)
  }

  deinit { buffer.deallocate() }

  /// The instant by which the next period has been rendered.
  var nextPeriod: Instant { timeline.instant(ofFrame: frame + Int64(Self.period)) }

  /// The first frame heard now or later: before anything is rendered, the first that can be promised.
  var nextFrame: Int64 {
    let frame = timeline.frame(at: now)
    return timeline.instant(ofFrame: frame) < now ? frame + 1 : frame
  }

  /// Moves the clock to `instant`, at most one period on, and renders every frame heard before it.
  func run(to instant: Instant) {
    now = instant
    let count = min(Int(timeline.frame(at: instant) - frame), Self.period)
    guard count > 0, let samples = buffer.baseAddress else { return }
    mixer.pointee.render(into: samples, frames: count)
    recording?.write(UnsafeBufferPointer(start: samples, count: 2 * count))
    frame += Int64(count)
  }
}
