// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc
import Problems
import RealTime
import Synchronization
import Timing

/// A capture under way, by a thread of its own that keeps all of it in memory.
public final class Capture: Sendable {
  /// The real-time priority asked for: above whatever the machine does, below the audio thread of a daemon.
  public static let priority = 60

  private let result: Mutex<CapturedSound>
  private let most: Int
  private let stops = Atomic(false)
  private let thread = Mutex<RealTimeThread?>(nil)

  /// Opens the PCM `name` at `rate` frames a second and begins, keeping some of its channels, counted from 0. It ends by
  /// itself after `seconds`.
  public init(_ name: String, rate: Int, keeping kept: [Int], atMost seconds: Double) throws(Problem) {
    let device = try CaptureDevice.open(name, rate: rate, channels: 1 + (kept.max() ?? 0))
    most = Int(seconds * Double(rate))
    result = Mutex(
      CapturedSound(
        device: name, rate: rate, kept: kept, channels: Array(repeating: [], count: kept.count), readings: [],
        biasFloor: device.biasFloor))
    let start = Start(capture: self, device: device)
    do throws(ThreadError) {
      let started = try RealTimeThread(name: "capture", priority: Self.priority) { start.capture.run(start.device) }
      var slot: RealTimeThread? = consume started
      thread.withLock { swap(&$0, &slot) }
    } catch {
      throw Problem(.threadRefused, "cannot start a thread to capture: \(String(cString: strerror(error.code)))")
    }
  }

  /// Whether it captures; false once it ended by itself.
  public var isRunning: Bool { result.withLock { $0.ending == nil } }

  /// Frames so far.
  public var frames: Int { result.withLock { $0.channels.first?.count ?? 0 } }

  /// Ends it and gives what there is.
  public func finish() -> CapturedSound {
    stops.store(true, ordering: .releasing)
    var ending: RealTimeThread?
    thread.withLock { swap(&$0, &ending) }
    ending.take()?.join()
    return result.withLock { $0 }
  }

  /// What the thread is started with: a device has one owner, and goes where it is used.
  private final class Start: @unchecked Sendable {
    // Sendable because it is made by one thread and used by the one it starts, never by both.
    let capture: Capture
    let device: CaptureDevice

    init(capture: Capture, device: consuming CaptureDevice) {
      self.capture = capture
      self.device = device
    }
  }

  private func run(_ device: borrowing CaptureDevice) {
    let layout = device.layout
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block * layout.frameByteCount, alignment: 16)
    defer { block.deallocate() }
    var lossBefore: Int64?
    while !stops.load(ordering: .acquiring) {
      let waited = rt_alsa_wait(device.pcm, Self.patience)
      var status = rt_alsa_status_t()
      let code = rt_alsa_status(device.pcm, &status)
      if code < 0 || waited == -ENODEV { return end("the device went away") }
      if status.state != Int32(bitPattern: SND_PCM_STATE_RUNNING.rawValue) {
        guard snd_pcm_prepare(device.pcm) >= 0, snd_pcm_start(device.pcm) >= 0 else {
          return end("the device stopped and does not start again")
        }
        lossBefore = result.withLock { Int64($0.channels[0].count) }
        continue
      }
      // Of a sound server what is not handed over yet counts as well; a card has both alike.
      let ahead = max(status.available, status.delay)
      let instant = Instant(nanoseconds: status.timestamp_ns > 0 ? status.timestamp_ns : rt_now_ns())
      let count = snd_pcm_readi(
        device.pcm, block.baseAddress, snd_pcm_uframes_t(max(0, min(status.available, Int64(Self.block)))))
      let isFull = result.withLock { result in
        result.readings.append(
          .init(frame: Int64(result.channels[0].count) + ahead, instant: instant, lossBefore: lossBefore))
        if count > 0 {
          layout.append(
            UnsafeRawBufferPointer(block), frames: Int(count), keeping: result.kept, to: &result.channels)
        }
        return result.channels[0].count >= most
      }
      lossBefore = nil
      // A device that says there is something and gives nothing must not take the processor.
      if waited < 0 || count <= 0 { usleep(1_000) }
      if isFull { return end("it had lasted for as long as it may") }
    }
  }

  private func end(_ reason: String) { result.withLock { $0.ending = reason } }

  /// Frames that are read at once.
  private static let block = 8_192
  /// Milliseconds until it is looked whether the capture is to end.
  private static let patience: Int32 = 100
}
