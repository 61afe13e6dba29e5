// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Problems
import RealTime
import Testing
import Timing

@testable import AudioOutput

/// The real thread, on devices that need no hardware. Waits for what is announced, never for time to pass.
@Suite(.serialized) struct AudioOutputTests {
  /// Notices up to and including the first that `isLast` accepts; empty when none comes within 10 s.
  private func notices(
    of output: AudioOutput, until isLast: (AudioOutputNotice) -> Bool
  ) -> [AudioOutputNotice] {
    var all: [AudioOutputNotice] = []
    while true {
      var found = false
      output.drainNotices {
        all.append($0)
        if isLast($0) { found = true }
      }
      if found { return all }
      var descriptor = pollfd(fd: output.wake, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 10_000) == 1 else { return [] }
      var count: UInt64 = 0
      read(output.wake, &count, 8)
    }
  }

  @Test func withoutADeviceTheClocksPeriodIsTheOneTold() throws {
    let mixer = TestMixer()
    let output = AudioOutput(AudioOutputConfiguration(device: "no-such-device", period: 1_024), mixer: mixer.pointer)
    try output.start()
    #expect(output.description.kind == .null)
    #expect(output.description.period == 1_024)
    #expect(output.statistics.latency == .frames(1_024, rate: 48_000))
    output.stop()
  }

  /// Else the audio thread waits for the least urgent thread of the machine, which gathers pages into huge ones.
  @Test func theKernelLeavesItsPagesWhereTheyAre() throws {
    let mixer = TestMixer()
    let output = AudioOutput(AudioOutputConfiguration(device: "none"), mixer: mixer.pointer)
    try output.start()
    output.stop()
    let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(status) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = read(status, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("THP_enabled:\t0\n"))
  }

  @Test func theNullPlugInIsPacedByTheClock() throws {
    let mixer = TestMixer()
    let output = AudioOutput(AudioOutputConfiguration(device: "null"), mixer: mixer.pointer)
    try output.start()
    #expect(notices(of: output) { $0 == .unpaced } == [.deviceStarted(at: 0), .unpaced])
    #expect(output.statistics.isPacedByClock)
    #expect(output.description.type == "NULL")
    output.stop()
    #expect(output.statistics.framesRendered == mixer.pointer.pointee.outputFrame)
    #expect(output.timeline.nanosecondsPerFrame == 1e9 / 48_000)
    #expect(output.timeline.errorBound == .zero)
  }

  @Test func fileAndRecordingHoldExactlyWhatAnOfflineRenderGives() throws {
    let mixer = TestMixer()
    let file = TemporaryFile()
    let recording = TemporaryFile()
    let configuration = AudioOutputConfiguration(device: "file:'\(file.path)',raw", recordPath: recording.path)
    let output = AudioOutput(configuration, mixer: mixer.pointer)
    try output.start()
    #expect(notices(of: output) { $0 == .unpaced } == [.deviceStarted(at: 0), .unpaced])
    #expect(output.stop() == [])
    let frames = Int(output.statistics.framesRendered)
    let all = file.floats(after: 0)
    // A device starts with silence, until it is on the plan.
    let written = Array(all.suffix(2 * frames))
    #expect(written.count == 2 * frames)
    #expect(all.dropLast(2 * frames).allSatisfy { $0 == 0 })
    // A machine stopped for 100 ms passes frames over; then the recording has silence in their place.
    if output.statistics.framesLost == 0 {
      #expect(written == TestMixer().render(frames))
      #expect(recording.floats(after: 94) == written)
    }
  }

  @Test func eventsOfTheMixerWakeTheControlSide() throws {
    let mixer = TestMixer()
    let output = AudioOutput(AudioOutputConfiguration(device: "none"), mixer: mixer.pointer)
    try output.start()
    var descriptor = pollfd(fd: output.wake, events: Int16(POLLIN), revents: 0)
    #expect(poll(&descriptor, 1, 10_000) == 1)
    var events: [MixerEvent] = []
    mixer.controller.drainEvents { events.append($0) }
    output.stop()
    guard case .started(let id, let frame) = events.first else {
      Issue.record("no start was told")
      return
    }
    #expect(id == VoiceID(rawValue: 1))
    #expect(frame == 480 || output.statistics.framesLost > 0)
  }

  @Test func aDeviceThatIsNotThereLeavesTheClockInChargeAndSaysWhy() throws {
    let mixer = TestMixer()
    let output = AudioOutput(AudioOutputConfiguration(device: "no-such-device"), mixer: mixer.pointer)
    try output.start()
    #expect(output.description.kind == .null)
    #expect(output.description.message.contains("no-such-device"))
    output.stop()
  }

  /// A file PCM waits in open for somebody to read its pipe, as a plug-in does for a sound server that hangs.
  @Test func aDeviceThatHangsHoldsUpNeitherStartNorStopAndIsClosedOnceItAnswers() throws {
    let file = TemporaryFile()
    let pipe = file.path + ".pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let mixer = TestMixer()
    var configuration = AudioOutputConfiguration(device: "file:'\(pipe)',raw")
    configuration.patience = 100
    let output = AudioOutput(configuration, mixer: mixer.pointer)
    try output.start()
    #expect(output.description.kind == .null)
    #expect(output.description.message.contains("has not answered yet"))
    // The plan runs on the clock meanwhile.
    var descriptor = pollfd(fd: output.wake, events: Int16(POLLIN), revents: 0)
    #expect(poll(&descriptor, 1, 10_000) == 1)
    #expect(output.stop().map(\.kind) == [.deviceHangs])
    #expect(output.statistics.framesRendered > 0)

    // The thread left behind wakes up, and lets go of what it opened.
    let reader = open(pipe, O_RDONLY)
    var byte: UInt8 = 0
    #expect(read(reader, &byte, 1) == 0)
    close(reader)
  }

  @Test func aRecordingThatCannotBeCreatedIsAnErrorBeforeAnythingStarts() {
    let mixer = TestMixer()
    let configuration = AudioOutputConfiguration(device: "none", recordPath: "/nowhere/at/all.wav")
    let output = AudioOutput(configuration, mixer: mixer.pointer)
    #expect(throws: Problem.self) { try output.start() }
    #expect(output.statistics.framesRendered == 0)
  }
}
