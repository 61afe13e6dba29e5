// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Mixing
import Testing
import Timing

@testable import AudioOutput

/// What becomes of a device for which the clock wakes: by readings at pretended instants, on alsa-lib's `null`, which has periods of
/// 256 by itself.
@Suite(.serialized) struct DeviceSteppingTests {
  private let controller = MixerController()
  private let memory = SharedOutput(
    OutputShared(timeline: AudioTimeline(frame: 0, instant: Instant(nanoseconds: 0), rate: 48_000)))
  private let start = Instant(microseconds: 1_000_000)

  private var isTold: Bool { memory.pointer.pointee.wakesByItself.load(ordering: .relaxed) }
  private var toldFill: Int { memory.pointer.pointee.fill.load(ordering: .relaxed) }

  /// What wakes, and how many frames are ahead, after a device that was given 1 000 frames told at those instants, in microseconds
  /// since its start, that it has played so many.
  private func read(
    _ readings: [(us: Int64, played: Int64)], period: Int? = nil
  ) throws -> (wakes: WakeSource, ahead: Int) {
    let opened = try openDevice(DeviceRequest(name: "null", rate: 48_000, period: period, periods: nil))
    defer { closeDevice(opened.device) }
    let fill = DeviceFill(frames: 192, period: 64, ring: 1_024)
    let plan = AudioTimeline(frame: 0, instant: start, rate: 48_000)
    var thread = AudioThread(
      mixer: controller.mixer, shared: memory.pointer, tap: nil, rate: 48_000, period: 128, wake: -1, keeperWake: -1,
      start: plan)
    var playing = PlayingDevice(
      device: opened.device, fill: fill, wakes: .timer, phase: .playing,
      recovery: DeviceRecovery(canGrow: opened.device.pointee.canGrow),
      clock: DeviceClock(
        frame: 0, heardAt: start, rate: 48_000, bufferFrames: fill.frames, biasFloor: .zero, startedAt: start),
      queue: QueuedFrames(buffer: 1_024, next: 0), plan: plan, lead: .zero)
    playing.taken = 1_000
    playing.steps.start(queued: 192, at: start)
    thread.playing = playing
    for (us, played) in readings {
      var status = rt_alsa_status_t()
      status.available = 24 + played
      let instant = start + .microseconds(us)
      thread.judge(opened.device.pointee, status, asked: instant, at: instant)
    }
    let last = thread.playing
    return (try #require(last).wakes, try #require(last).fill.frames)
  }

  private static let steps: [(us: Int64, played: Int64)] = [
    (4_000, 192), (8_000, 384), (10_700, 384), (12_000, 576), (14_700, 576),
  ]

  @Test func oneThatMovesInStepsWakesByItselfWithThreeOfItsPeriodsAhead() throws {
    let (wakes, ahead) = try read(Self.steps)
    #expect(wakes == .device && ahead == 768)
    #expect(isTold && toldFill == 768)
  }

  @Test func oneWithAConfiguredPeriodTooHasWhatItsStepsTakeAhead() throws {
    let (wakes, ahead) = try read(Self.steps, period: 256)
    #expect(wakes == .device && ahead == 768)
  }

  @Test func oneStandIsNoneAndAFinePositionNever() throws {
    let once = try read(Array(Self.steps.prefix(4)))
    #expect(once.wakes == .timer && once.ahead == 192)
    let fine = try read((1...15).map { (us: $0 * 1_333, played: $0 * 64) })
    #expect(fine.wakes == .timer && fine.ahead == 192)
    #expect(!isTold)
  }

  @Test func thatIsTold() {
    var told = AudioOutputDescription.null(
      rate: 48_000, period: 64,
      message: "playing on hw:0, periods of 64 frames, woken by the clock (the card's own are of 480); and so on")
    (told.isWokenByClock, told.buffer) = (true, 1_024)
    told.wakesByItself(ownPeriod: 480)
    #expect(!told.isWokenByClock)
    #expect(
      told.message
        == "playing on hw:0, periods of 64 frames, woken by the card each 480, for its position moves in steps, with 1024 frames "
        + "ahead; and so on")
  }
}
