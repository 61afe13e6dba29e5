// SPDX-License-Identifier: Apache-2.0

/// A control that taps a lane for a client.
public struct ControlBinding: Hashable, Sendable {
  /// Counts from 1 through the daemon's life.
  public var id: Int64
  /// Whose it is: it ends with that connection.
  public var client: UInt64
  /// What is pressed.
  public var control: Control
  /// On which devices: every pad, those of a name, or one.
  public var devices: ControlSelection
  /// What it taps; nil in a chapter without lanes.
  public var lane: String?
  /// Whether nobody else is to hear of the devices meanwhile.
  public var grabs: Bool
}

/// All that is bound, by all clients.
public struct ControlBindings: Sendable {
  /// What a client may have bound at once.
  public static let mostOfClient = 16

  /// In the order in which they were asked for.
  public private(set) var all: [ControlBinding] = []
  private var last: Int64 = 0

  /// Nothing is bound.
  public init() {}

  /// Binds a control for a client; its binding, or nil where the client has as many as it may.
  public mutating func bind(
    _ control: Control, of devices: ControlSelection, to lane: String?, grabs: Bool, for client: UInt64
  ) -> ControlBinding? {
    guard all.count(where: { $0.client == client }) < Self.mostOfClient else { return nil }
    last += 1
    let binding = ControlBinding(
      id: last, client: client, control: control, devices: devices, lane: lane, grabs: grabs)
    all.append(binding)
    return binding
  }

  /// Ends those of a client: the one of that number, or all; how many there were.
  public mutating func unbind(_ id: Int64? = nil, of client: UInt64) -> Int {
    let before = all.count
    all.removeAll { $0.client == client && (id == nil || $0.id == id) }
    return before - all.count
  }

  /// Those that listen to `source`, one of `sources`, which has their controls.
  public func listening(to source: ControlSource, among sources: [ControlSource]) -> [ControlBinding] {
    all.filter { $0.devices.contains(source, among: sources) && source.has($0.control) }
  }
}
