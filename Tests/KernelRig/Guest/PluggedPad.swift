// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A pad that is plugged in, in a process of its own.
final class PluggedPad {
  let kind: PadKind
  let name: String
  /// Empty until it is plugged in.
  private(set) var node = ""
  private let process: ChildProcess
  private let log: String
  private var seen = 0

  /// Pads of one `product` are one pad, plugged in anew; `log` is a name for its file.
  convenience init(
    _ name: String, _ kind: PadKind, vendor: UInt16 = VirtualPad.anyVendor, product: UInt16, log: String
  ) throws {
    try self.init(plugging: name, kind, vendor: vendor, product: product, log: log)
    try waitForNode()
  }

  /// Begins to plug it in: several take no longer than one.
  init(
    plugging name: String, _ kind: PadKind, vendor: UInt16 = VirtualPad.anyVendor, product: UInt16, log: String
  ) throws {
    (self.name, self.kind) = (name, kind)
    let path = Places.results + "/\(log).pad"
    self.log = path
    unlink(path)
    let pad = VirtualPad(kind: kind, name: name, vendor: vendor, product: product)
    process = try ChildProcess(log: Places.results + "/\(log).err") { pad.run(log: path) }
  }

  /// Waits until it is plugged in.
  func waitForNode() throws {
    try wait(upTo: 10, for: "the pad \(name)") {
      node = readText(log).split(separator: "\n").first.map { String($0.dropFirst(4)) } ?? ""
      return access(node, F_OK) == 0
    }
  }

  func unplug() {
    process.signal(SIGTERM)
    _ = process.wait()
  }

  /// Stops answering, or answers again: the kernel keeps an upload waiting for its answer.
  func answers(_ does: Bool) { process.signal(does ? SIGCONT : SIGSTOP) }

  /// What it was told so far.
  var events: [PadEvent] { readText(log).split(separator: "\n").compactMap { PadEvent($0) } }

  /// What it was told since the last call.
  func takeHistory() -> MotorHistory {
    let events = events
    defer { seen = events.count }
    return MotorHistory(events, since: seen)
  }
}
