// SPDX-License-Identifier: Apache-2.0

import Engine
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
  /// How much later than it is handed over what is rendered is heard: as of a headset by radio.
  private(set) var lead = Interval.zero
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
  var nextPeriod: Instant { timeline.instant(ofFrame: frame + Int64(Self.period)) - lead }

  /// What the output is at and can still meet. Before anything is rendered that is what is heard now or later.
  func state(controller: MixerController, hapticLead: Interval, pause: EnginePausing) -> Turn {
    let engineNow = pause.clock.now(at: now)
    let timeline = pause.timeline(timeline)
    let mixed = controller.mixedFrame
    // What is handed over now may be heard when the engine stands, or has gone on.
    let reachable = max(mixed, timeline.nextFrame(at: pause.clock.now(at: now + ahead)))
    var turn = Turn(
      now: engineNow, timeline: timeline,
      reachableFrame: pause.reachable(reachable, mixed: mixed, lookahead: controller.configuration.lookaheadFrames),
      hapticLead: hapticLead, clockNow: now)
    turn.soundLead = ahead
    return turn
  }

  /// How much later than now the first is heard that can still be reached: of a device that is early by its lead what is heard by now
  /// may be yet to be handed over, but nobody is told of what has been.
  private var ahead: Interval { max(lead, .zero) }

  /// The first frame of the output before which the mixer can still be told to go on.
  var reachableOutputFrame: Int64 { max(frame, timeline.nextFrame(at: now + ahead)) }

  /// Moves the clock to `instant`, at most one period on, and renders every frame that is handed over before it.
  func run(to instant: Instant) {
    now = instant
    let count = min(Int(timeline.frame(at: instant + lead) - frame), Self.period)
    guard count > 0, let samples = buffer.baseAddress else { return }
    mixer.pointee.render(into: samples, frames: count)
    recording?.write(UnsafeBufferPointer(start: samples, count: 2 * count))
    frame += Int64(count)
  }

  /// What is rendered from here on is heard `lead` later than it is handed over. Of a longer lead the frames are passed over
  /// that were to be handed over by now; of a shorter one it waits. The frames passed over, if any, and the first of them.
  func setLead(_ lead: Interval) -> (first: Int64, count: Int64)? {
    self.lead = lead
    let first = frame
    let count = timeline.frame(at: now + lead) - first
    guard count > 0 else { return nil }
    mixer.pointee.skip(frames: Int(count))
    frame += count
    if let recording {
      [Float](repeating: 0, count: 2 * Int(count)).withUnsafeBufferPointer { recording.write($0) }
    }
    return (first, count)
  }
}

extension AudioTimeline {
  /// The first frame heard at `instant` or later.
  fileprivate func nextFrame(at instant: Instant) -> Int64 {
    let frame = frame(at: instant)
    return self.instant(ofFrame: frame) < instant ? frame + 1 : frame
  }
}
