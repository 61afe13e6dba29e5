// SPDX-License-Identifier: Apache-2.0

import ControlInput

/// As many game pads as are listened to at once, of which nobody presses anything: a stepped clock listens to no others.
struct PluggedPads: ControlSystem {
  /// One that is listened to.
  private final class Stream: ControlStream {
    var descriptor: Int32 { -1 }
    func keep(_ controls: Set<Control>) -> Bool { true }
    func read() -> [ControlEvent]? { [] }
    func place(of axis: UInt16) -> AxisPlace? { AxisPlace(0, in: -1, 1) }
  }

  private static let count = 16

  func sources() -> [ControlSource] {
    (0..<Self.count).map { number in
      ControlSource(
        path: "/dev/input/event\(number)",
        identity: .init(bus: 3, vendor: 1, product: 1, name: "pad \(number)", unique: "\(number)"),
        keys: CodeSet([0x130]), axes: CodeSet([0]), isJoystick: true)
    }
  }

  func open(_ path: String, keeping controls: Set<Control>, grabs: Bool) throws(ControlErrno) -> any ControlStream {
    Stream()
  }
}
