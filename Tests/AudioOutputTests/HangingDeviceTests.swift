// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Testing
import Timing

@testable import AudioOutput

/// A file PCM writes to a pipe that nobody empties, as a plug-in waits for a sound server that hangs, in the middle of a call.
@Suite(.serialized) struct HangingDeviceTests {
  private let file = TemporaryFile()
  private var pipe: String { file.path + ".pipe" }

  /// The pipe's other end.
  private func makePipe() -> Int32 {
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    #expect(reader >= 0)
    return reader
  }

  private func makeOutput(_ mixer: TestMixer, recordPath: String? = nil) -> AudioOutput {
    var configuration = AudioOutputConfiguration(device: "file:'\(pipe)',raw", recordPath: recordPath)
    configuration.patience = 300
    return AudioOutput(configuration, mixer: mixer.pointer)
  }

  /// All notices until they are what is waited for; what there is after 10 s.
  private func notices(
    of output: AudioOutput, until isComplete: ([AudioOutputNotice]) -> Bool
  ) -> [AudioOutputNotice] {
    var all: [AudioOutputNotice] = []
    for _ in 0..<1_000 {
      output.drainNotices { all.append($0) }
      if isComplete(all) { break }
      var descriptor = pollfd(fd: output.wake, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10)
      var count: UInt64 = 0
      if descriptor.revents != 0 { read(output.wake, &count, 8) }
    }
    return all
  }

  /// Until what waits in the pipe is nearly all it holds (64 KiB) and has not grown for 150 ms.
  private func awaitHang(writing reader: Int32) {
    var (waiting, unchanged): (Int32, Int) = (0, 0)
    for _ in 0..<2_000 where unchanged < 30 {
      var now: Int32 = 0
      _ = ioctl(reader, UInt(FIONREAD), &now)
      unchanged = now > 50_000 && now == waiting ? unchanged + 1 : 0
      waiting = now
      usleep(5_000)
    }
    #expect(unchanged == 30)
  }

  /// Lets the writer go on. The pipe stays open: alsa-lib ends the process where its reader goes as a file is closed.
  private func empty(_ reader: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    read(reader, &bytes, bytes.count)
  }

  @Test func theClockTakesOverFromADeviceThatHangsInACall() throws {
    let reader = makePipe()
    defer { unlink(pipe) }
    let mixer = TestMixer()
    let recording = TemporaryFile()
    let output = makeOutput(mixer, recordPath: recording.path)
    try output.start()
    // Another thread passes first over what was missed meanwhile.
    let hung = notices(of: output) { if case .skipped = $0.last { $0.contains(.deviceLost(.hanging)) } else { false } }
    #expect(hung.contains(.unpaced))
    guard let end = hung.firstIndex(of: .deviceLost(.hanging)), case .skipped(_, let lost) = hung[end...].last else {
      Issue.record("nothing goes on: \(hung)")
      return
    }
    #expect(lost > 0)
    #expect(output.description.kind == .null)
    #expect(output.description.message.contains("does not answer"))

    #expect(output.statistics.deviceLosses == 1)
    let rendered = output.statistics.framesRendered
    for _ in 0..<10_000 where output.statistics.framesRendered < rendered + 4_800 { usleep(1_000) }
    #expect(output.statistics.framesRendered >= rendered + 4_800)
    #expect(output.stop().map(\.kind) == [.deviceHangs])
    empty(reader)
    // What was rendered is recorded to the last frame, by both threads in turn.
    let planned = Int(mixer.pointer.pointee.outputFrame)
    #expect(recording.floats(after: 94).count == 2 * planned)
  }

  /// The thread that hung comes back before another was granted: there must be one all the same.
  @Test func soundGoesOnAlsoWhereTheSystemRefusesAThreadAtFirst() async {
    await #expect(processExitsWith: .success) {
      let rig = HangingDeviceTests()
      let reader = rig.makePipe()
      defer { unlink(rig.pipe) }
      let mixer = TestMixer()
      let output = rig.makeOutput(mixer)
      try output.start()
      setDefaultStack(1 << 47)
      let hung = rig.notices(of: output) { $0.contains(.deviceLost(.hanging)) }
      #expect(hung.contains(.deviceLost(.hanging)))
      let rendered = output.statistics.framesRendered
      rig.empty(reader)
      for _ in 0..<10_000 where !output.description.message.contains("cannot be written to") { usleep(1_000) }
      #expect(output.description.message.contains("cannot be written to"))
      #expect(output.statistics.framesRendered == rendered)
      setDefaultStack(8 << 20)
      for _ in 0..<10_000 where output.statistics.framesRendered == rendered { usleep(1_000) }
      #expect(output.statistics.framesRendered > rendered)
      #expect(output.stop() == [])
    }
  }

  @Test func anOutputThatHangsInACallEndsAndLeavesTheMixerAlone() throws {
    let reader = makePipe()
    defer { unlink(pipe) }
    let mixer = TestMixer()
    let output = makeOutput(mixer)
    try output.start()
    awaitHang(writing: reader)
    #expect(output.stop().map(\.kind) == [.deviceHangs])
    let frame = mixer.pointer.pointee.outputFrame
    // The thread comes back, and ends: under the sanitizers touching what is freed would be seen.
    empty(reader)
    #expect(mixer.pointer.pointee.outputFrame == frame)
  }

  /// Nor does it end the process as it is closed.
  @Test func aFileThatCannotBeWrittenLeavesTheClockInCharge() throws {
    let mixer = TestMixer()
    let output = AudioOutput(AudioOutputConfiguration(device: "file:'/dev/full',raw"), mixer: mixer.pointer)
    try output.start()
    let lost = notices(of: output) { $0.contains(.deviceLost(.failing)) }
    #expect(lost.contains(.deviceLost(.failing)))
    // At once: a game is told what there is to say of it.
    #expect(output.description.kind == .null)
    #expect(output.description.message.contains("cannot be written to"))
    #expect(output.stop() == [])
  }

  /// The keeper hears of the end before it has heard of the trouble.
  @Test func aFileThatWasLetGoJustBeforeTheEndIsLeftOpenToo() throws {
    let mixer = TestMixer()
    let configuration = AudioOutputConfiguration(device: "file:'/dev/full',raw")
    let memory = SharedOutput(
      OutputShared(timeline: AudioTimeline(frame: 0, instant: Instant(nanoseconds: 0), rate: 48_000)))
    let threads = AudioThreads(configuration, mixer: mixer.pointer, memory: memory, wake: -1)
    let keeper = DeviceKeeper(
      request: DeviceRequest(name: "file:'/dev/full',raw", rate: 48_000), shared: memory, threads: threads,
      patience: 2_000, fallback: .null(rate: 48_000, period: 256, message: ""), fillFile: nil)
    let thread = try outputThread("device keeper", nil, runDeviceKeeper, Unmanaged.passRetained(keeper).toOpaque())
    keeper.awaitFirstAttempt(milliseconds: 10_000)
    let offered = memory.pointer.pointee.offered.exchange(nil, ordering: .acquiringAndReleasing)
    let device = try #require(offered)
    device.pointee.releaseReason = .failing
    memory.pointer.pointee.released.store(device, ordering: .releasing)
    keeper.requestStop()
    thread.join()
    #expect(keeper.description.message.contains("cannot be written to"))
  }
}

/// What threads are given for their stacks where they do not ask: with more than there is the system refuses them.
private func setDefaultStack(_ bytes: Int) {
  typealias Setter = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32
  // Swift's import of glibc leaves it out.
  guard let address = dlsym(nil, "pthread_setattr_default_np") else { return }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, bytes)
  _ = unsafeBitCast(address, to: Setter.self)(&attributes)
  pthread_attr_destroy(&attributes)
}
