// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import CRealTime
import Glibc
import Problems
import RealTime
import Synchronization

/// Opens a sound device on a thread that can be left behind: the plug-in of a sound server that does not answer blocks.
final class DeviceAttempt: Sendable {
  private let device: String
  private let result = Mutex<SoundFacts.Opening?>(nil)
  /// An eventfd, readable once there is a result.
  private let done = rt_eventfd_open()

  private init(_ device: String) { self.device = device }

  deinit { close(done) }

  /// What becomes of opening `device`, within that time.
  static func opening(_ device: String, seconds: Int) -> SoundFacts.Opening {
    let attempt = DeviceAttempt(device)
    do throws(ThreadError) {
      try RealTimeThread(name: "device check", priority: nil) { attempt.run() }.detach()
    } catch {
      return .failed(
        Problem(.threadRefused, "no thread could be started: \(errnoText(error.code))"))
    }
    _ = waitReadable([attempt.done], microseconds: Int64(seconds) * 1_000_000)
    return attempt.result.withLock { $0 } ?? .blocked(seconds: seconds)
  }

  private func run() {
    let opening: SoundFacts.Opening
    do throws(Problem) {
      let found = try checkDevice(device)
      opening = .opened(
        SoundFacts.Device(
          card: found.card, rate: found.rate, period: found.period, buffer: found.buffer,
          isWokenByClock: found.isWokenByClock))
    } catch {
      opening = .failed(error)
    }
    result.withLock { $0 = opening }
    rt_eventfd_signal(done)
  }
}
