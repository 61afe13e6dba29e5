// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Glibc
import Synchronization
import Timing

/// Devices that a test plugs in, presses and takes away.
final class FakeControls: ControlSystem {
  /// One that is listened to.
  final class Stream: ControlStream {
    struct State {
      var waiting: [ControlEvent] = []
      var isGone = false
      var kept: Set<Control> = []
    }

    let state = Mutex(State())
    let grabs: Bool

    init(grabs: Bool) { self.grabs = grabs }

    var descriptor: Int32 { -1 }
    var kept: Set<Control> { state.withLock { $0.kept } }

    func keep(_ controls: Set<Control>) -> Bool {
      state.withLock { $0.kept = controls }
      return true
    }

    func read() -> [ControlEvent]? {
      state.withLock { state in
        if state.isGone { return nil }
        let taken = Array(state.waiting.prefix(mostControlEvents))
        state.waiting.removeFirst(taken.count)
        return taken
      }
    }

    func place(of axis: UInt16) -> AxisPlace? { AxisPlace(0, in: 0, 255) }

    /// What the kernel hands out, stamped then; masked as the kernel does it.
    func hand(_ type: UInt16, _ code: UInt16, _ value: Int32, atUs: Int64) {
      let event = ControlEvent(type: type, code: code, value: value, at: Instant(microseconds: atUs))
      state.withLock { state in
        if type == 0 || state.kept.contains(where: { $0.isAxis == (type == 3) && $0.code == code }) {
          state.waiting.append(event)
        }
      }
    }

    /// A key goes down and up again.
    func press(_ code: UInt16, atUs: Int64) {
      for (type, code, value) in [(1, code, 1), (0, 0, 0), (1, code, 0), (0, 0, 0)] as [(UInt16, UInt16, Int32)] {
        hand(type, code, value, atUs: atUs)
      }
    }
  }

  private struct State {
    var sources: [ControlSource] = []
    var streams: [String: Stream] = [:]
    var error: ControlErrno?
  }

  private let state = Mutex(State())

  func sources() -> [ControlSource] { state.withLock { $0.sources } }

  func open(
    _ path: String, keeping controls: Set<Control>, grabs: Bool
  ) throws(ControlErrno) -> any ControlStream {
    let (stream, error) = state.withLock { state in
      let stream = Stream(grabs: grabs)
      if state.error == nil { state.streams[path] = stream }
      return (stream, state.error)
    }
    if let error { throw error }
    _ = stream.keep(controls)
    return stream
  }

  /// The stream that was opened last at a path.
  func stream(_ path: String) -> Stream? { state.withLock { $0.streams[path] } }

  /// Lets go of all that was opened.
  func forget() { state.withLock { $0.streams = [:] } }

  func refuse(_ error: ControlErrno?) { state.withLock { $0.error = error } }

  func plug(_ sources: ControlSource...) { state.withLock { $0.sources += sources } }

  func unplug(_ path: String) {
    state.withLock { state in
      state.sources.removeAll { $0.path == path }
      state.streams[path]?.state.withLock { $0.isGone = true }
    }
  }
}

extension ControlSource {
  static func pad(_ name: String = "Pad", at path: String = "/dev/input/event5", isPermitted: Bool = true)
    -> ControlSource
  {
    ControlSource(
      path: path, identity: Identity(bus: 3, vendor: 1, product: 1, name: name, unique: ""),
      keys: CodeSet([0x130, 0x131]), axes: CodeSet([2]), isJoystick: true, isPermitted: isPermitted)
  }

  static let keyboard = ControlSource(
    path: "/dev/input/event1", identity: Identity(bus: 3, vendor: 2, product: 2, name: "Keyboard", unique: ""),
    keys: CodeSet(1...100), axes: CodeSet([]), isJoystick: false)
}
