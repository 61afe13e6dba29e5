// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Glibc
import Problems

/// A device that is listened to, or is being opened for that.
final class HeardDevice {
  /// What is to be listened to.
  struct Want {
    var source: ControlSource
    var controls: Set<Control>
    var grabs: Bool

    func isOf(_ device: HeardDevice) -> Bool {
      device.source.path == source.path && device.source.identity == source.identity && device.grabs == grabs
    }
  }

  let source: ControlSource
  let number: Int
  let grabs: Bool
  private(set) var stream: (any ControlStream)?
  var reader = ControlReader()
  var problem: Problem?
  private var controls: Set<Control>

  init(_ want: Want, number: Int) {
    (source, controls, grabs) = (want.source, want.controls, want.grabs)
    self.number = number
    reader.listen(to: controls)
  }

  func begin(_ stream: any ControlStream) {
    self.stream = stream
    keep()
  }

  func listen(to controls: Set<Control>) {
    guard controls != self.controls else { return }
    self.controls = controls
    reader.listen(to: controls)
    if stream != nil { keep() }
  }

  private func keep() {
    guard let stream else { return }
    guard stream.keep(controls) else {
      self.stream = nil
      problem = .listening(to: source, ControlErrno(code: ENOTSUP))
      return
    }
    findAxes()
  }

  /// Looks where the axes are of which nobody knows.
  func findAxes() {
    for axis in reader.unknownAxes {
      if let place = stream?.place(of: axis) { reader.find(axis, at: place) }
    }
  }
}
