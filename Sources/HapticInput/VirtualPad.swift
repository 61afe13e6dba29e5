// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Problems
import RealTime
import Synchronization
import Timing

/// A pad of this program's own, by uinput: whoever plays pads takes it for one, and what reaches it is stamped.
public final class VirtualPad: Sendable {
  /// What it calls itself.
  public static let name = "Starlight Latency Pad"
  /// The real-time priority asked for: who uploads an effect waits for the answer, as no driver of a real pad lets it.
  public static let priority = 80

  /// The event node that it is.
  public let path: String
  private let motion = Mutex(PadMotion())
  private let wakes: Int32
  private let thread = Mutex<RealTimeThread?>(nil)

  /// Plugs it in.
  public init() throws(Problem) {
    let device = try UinputDevice.plug(Self.name)
    path = device.path
    wakes = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    let start = Start(pad: self, device: device)
    do throws(ThreadError) {
      let started = try RealTimeThread(name: "pad", priority: Self.priority) { start.pad.run(start.device) }
      var slot: RealTimeThread? = consume started
      thread.withLock { swap(&$0, &slot) }
    } catch {
      throw Problem(.threadRefused, "cannot start a thread for a pad: \(String(cString: strerror(error.code)))")
    }
  }

  deinit { close(wakes) }

  /// Each time that it was told to move after it had been still.
  public var beginnings: [Instant] { motion.withLock { $0.beginnings } }

  /// Unplugs it. What does not come to this is unplugged as the program ends.
  public func unplug() {
    eventfd_write(wakes, 1)
    var ending: RealTimeThread?
    thread.withLock { swap(&$0, &ending) }
    ending.take()?.join()
  }

  /// What the thread is started with: the device goes where it is used.
  private final class Start: @unchecked Sendable {
    // Sendable because it is made by one thread and used by the one it starts, never by both.
    let pad: VirtualPad
    let device: UinputDevice

    init(pad: VirtualPad, device: consuming UinputDevice) {
      self.pad = pad
      self.device = device
    }
  }

  private func run(_ device: borrowing UinputDevice) {
    while true {
      var watched = [device.descriptor, wakes].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&watched, nfds_t(watched.count), -1) >= 0 || errno == EINTR else { return }
      if watched[1].revents != 0 { return }
      motion.withLock { device.answer(&$0) }
    }
  }
}
