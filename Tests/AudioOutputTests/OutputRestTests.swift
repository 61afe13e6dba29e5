// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Mixing
import SeededNumbers
import Testing
import Timing

@testable import AudioOutput

/// Where an output that rests says it is, it would be if it did not.
@Suite struct OutputRestTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func itIsWhereItWouldBeByPeriods(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    let rate = [8_000, 44_100, 48_000, 96_000, 192_000].randomElement(using: &numbers) ?? 48_000
    let period = Int.random(in: 16...2_048, using: &numbers)
    let first = Int64.random(in: 0...1 << 40, using: &numbers)
    let start = Instant(nanoseconds: Int64.random(in: 0...1 << 50, using: &numbers))
    let pacer = NullPacer(frame: first, heardAt: start, rate: rate, period: period, leadFrames: period)
    let begun = first + Int64(period) * Int64.random(in: 0...1_000, using: &numbers)
    let rest = OutputRest(lasts: true, pacer: pacer, next: begun, mixed: begun + 48)
    let standing = OutputRest(lasts: true, pacer: pacer, next: begun, mixed: begun + 48, stands: true)
    var (next, now) = (begun, pacer.due(begun) - .milliseconds(1))
    for _ in 0..<200 {
      // Often right at, before or behind an edge.
      let edge = pacer.due(next + Int64(period) * Int64.random(in: 0...20, using: &numbers))
      let near = edge + Interval(nanoseconds: Int64.random(in: -1...1, using: &numbers))
      now = max(now, Bool.random(using: &numbers) ? near : now + .microseconds(.random(in: 0...9_000, using: &numbers)))
      while pacer.due(next) <= now { next += Int64(period) }
      #expect(rest.next(at: now) == next)
      #expect(rest.frames(at: now) == next - begun)
      let reach = rest.reach(at: now)
      #expect(reach.mixed == next + 48)
      #expect(standing.reach(at: now).mixed == begun + 48)
      #expect(standing.reach(at: now).nextWake == reach.nextWake)
      #expect(reach.nextWake == pacer.due(next))
      #expect(reach.nextWake > now)
      #expect(reach.timeline == pacer.timeline(through: next))
    }
  }

  /// A mixer that has nothing to play, and an output that plays it by the clock.
  private func resting(_ mixer: MixerController) throws -> (output: AudioOutput, reach: OutputReach) {
    let output = AudioOutput(AudioOutputConfiguration(device: "none"), mixer: mixer.mixer)
    mixer.onWork = { output.endRest() }
    try output.start()
    while true {
      if let reach = output.restingReach(at: Instant(nanoseconds: rt_now_ns())) { return (output, reach) }
      usleep(1_000)
    }
  }

  @Test func whatEndsARestActsAtItsFrame() throws {
    let mixer = MixerController()
    let (output, _) = try resting(mixer)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    samples.initialize(repeating: 0.1, count: 128)
    defer { samples.deallocate() }
    let source = ResidentSource(samples: .float(samples), frames: 64, loop: nil)
    for voice in UInt64(1)...5 {
      var asked: Int64?
      while asked == nil {
        asked = output.restingReach(at: Instant(nanoseconds: rt_now_ns())).map { $0.mixed + 24_000 }
      }
      let at = try #require(asked)
      let start = VoiceStart<VoiceSource>(id: VoiceID(rawValue: voice), source: .resident(source), bus: .sound, at: at)
      #expect(mixer.submit([.start(start)]))
      var descriptor = pollfd(fd: output.wake, events: Int16(POLLIN), revents: 0)
      var events: [MixerEvent] = []
      while events.count < 2, poll(&descriptor, 1, 10_000) == 1 {
        var count: UInt64 = 0
        read(output.wake, &count, 8)
        mixer.drainEvents { events.append($0) }
      }
      // A machine that was stopped for 100 ms meanwhile passes frames over.
      #expect(events.first == .started(VoiceID(rawValue: voice), at: at) || output.statistics.framesLost > 0)
    }
    output.stop()
    #expect(output.statistics.framesRendered + output.statistics.framesLost == mixer.mixer.pointee.outputFrame)
  }

  @Test func anOutputThatRestsIsStoppedAtOnceAndCountsItsFrames() throws {
    let mixer = MixerController()
    let (output, _) = try resting(mixer)
    let before = output.statistics.framesRendered
    for _ in 0..<10_000 where output.statistics.framesRendered == before { usleep(1_000) }
    #expect(output.statistics.framesRendered > before)
    output.stop()
    #expect(output.restingReach(at: Instant(nanoseconds: rt_now_ns())) == nil)
  }
}
