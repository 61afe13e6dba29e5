// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Mixing
import Testing
import Timing

@testable import AudioOutput

/// A PCM that takes frames at any speed, as alsa-lib's `null`, and what is given it by the clock as its lead changes.
@Suite(.serialized) struct UnpacedLeadTests {
  private let controller = MixerController()
  private let memory = SharedOutput(
    OutputShared(timeline: AudioTimeline(frame: 0, instant: Instant(nanoseconds: 0), rate: 48_000)))

  /// Lets the thread go by a lead; what it told.
  private func go(_ thread: inout AudioThread, by lead: Interval) -> [AudioOutputNotice] {
    memory.pointer.pointee.lead.store(lead.nanoseconds, ordering: .relaxed)
    thread.followLead()
    var notices: [AudioOutputNotice] = []
    while let notice = memory.pointer.pointee.notices.pop() { notices.append(notice) }
    return notices
  }

  /// Whether what is next is to be given so many frames before it is heard, to the nanosecond.
  private func isDue(_ thread: borrowing AudioThread, _ frames: Int64) -> Bool {
    let next = thread.next
    let due = thread.timeline.instant(ofFrame: next) - .frames(frames, rate: 48_000)
    return abs((thread.pacer.due(next) - due).nanoseconds) <= 1
  }

  @Test func itIsGivenWhatIsHeardALeadLaterAndThatIsInForce() throws {
    let opened = try openDevice(DeviceRequest(name: "null", rate: 48_000, period: nil, periods: nil))
    defer { closeDevice(opened.device) }
    let period = Int64(opened.device.pointee.period)
    let began = Instant(nanoseconds: rt_now_ns())
    let plan = AudioTimeline(frame: 0, instant: began, rate: 48_000)
    var thread = AudioThread(
      mixer: controller.mixer, shared: memory.pointer, tap: nil, rate: 48_000, period: Int(period), wake: -1,
      keeperWake: -1, start: plan)
    thread.playing = PlayingDevice(
      device: opened.device, fill: opened.device.pointee.fill, wakes: .device, phase: .unpaced,
      recovery: DeviceRecovery(canGrow: false),
      clock: DeviceClock(
        frame: 0, heardAt: began, rate: 48_000, bufferFrames: 1_024, biasFloor: .zero, startedAt: began),
      queue: QueuedFrames(buffer: 1_024, next: 0), plan: plan, lead: .zero)
    let before = go(&thread, by: .zero)
    #expect(before.isEmpty)
    // What is heard up to then is to be with it by now: a period is given at a time.
    let notices = go(&thread, by: .milliseconds(400))
    let passed = (Instant(nanoseconds: rt_now_ns()) - began).frames(rate: 48_000)
    guard case .skipped(at: 0, let lost)? = notices.first, notices.count == 1 else {
      Issue.record("\(notices) is told")
      return
    }
    let next = thread.next
    #expect((19_200 + period...19_200 + period + passed).contains(lost) && next == lost)
    let isAhead = isDue(thread, 19_200 + period)
    #expect(isAhead)
    #expect(memory.pointer.pointee.leadInForce.load(ordering: .relaxed) == 400_000_000)
    // A shorter one waits for what it was given already.
    let told = go(&thread, by: .zero)
    #expect(told.isEmpty)
    let isAsBefore = isDue(thread, period)
    #expect(isAsBefore)
    #expect(memory.pointer.pointee.leadInForce.load(ordering: .relaxed) == 0)
  }
}
