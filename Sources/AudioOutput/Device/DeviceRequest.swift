// SPDX-License-Identifier: Apache-2.0

/// What a device is opened as: pure, so that the choices can be tested.
struct DeviceRequest: Equatable, Sendable {
  /// The ALSA PCM's name.
  var name: String
  var rate: Int
  /// As configured; nil for the device kind's own.
  var period: Int?
  var periods: Int?
  /// The least frames to be kept ahead after it ran dry with fewer; nil where it did not.
  var neededFill: Int?
  /// The layout to ask for before all others: where alsa-lib bridges the rate it is not to touch the samples besides.
  var layout: DeviceLayout?
  /// What devices needed in earlier runs.
  var memory = FillMemory()
  /// The SCHED_FIFO priority for threads that a plug-in starts, 1...99; nil for none.
  var threadPriority: Int?

  /// The request for the device that was found: what it is known to need, unless it is configured.
  func adapted(to key: DeviceKey) -> DeviceRequest {
    var request = self
    if period == nil { request.neededFill = [neededFill, memory[key]].compactMap({ $0 }).max() }
    return request
  }

  /// What to ask for: short periods and a little of a long ring on hardware, whose fill can grow while it plays; larger
  /// periods, and all of their ring, where others share the device. A period that is configured fills its ring, too.
  func geometry(_ kind: DeviceKind) -> DeviceFill {
    if let period {
      let frames = min(max(period, 16), 8_192)
      let ring = frames * min(max(periods ?? (kind.isHardware ? 3 : 4), 2), 32)
      return DeviceFill(frames: ring, period: frames, ring: ring)
    }
    let least = Self.leastFill(of: kind, rate: rate)
    let fill = min(max(neededFill ?? least, least), ReopenPolicy.longestFill)
    guard kind.isHardware else { return DeviceFill(frames: fill, period: fill / 4, ring: fill) }
    let ring = max(Self.hardwareRing, fill)
    return DeviceFill(frames: fill, period: ring / 16, ring: ring)
  }

  /// Frames kept ahead of a device of which nothing is known, and the least that one that once needed more comes down to.
  static func leastFill(of kind: DeviceKind, rate: Int) -> Int {
    switch kind {
    case .shared: return sharedFill
    case .card: return hardwareFill
    case .batchCard:
      // Packets take as long at any rate: in whole periods of 64.
      let frames = (batchMilliseconds * rate + 999) / 1_000
      return max(hardwareFill, (frames + 63) / 64 * 64)
    }
  }

  /// Frames kept ahead of a card: three periods of 64, of a ring of sixteen.
  private static let hardwareFill = 192
  private static let hardwareRing = 1_024
  /// What is kept ahead of a card that tells its position by periods or packets, at the least.
  private static let batchMilliseconds = 4
  /// Frames kept ahead of a device that is shared with others: four periods of 256.
  private static let sharedFill = 1_024

  /// The name under which alsa-lib bridges rate, format and channels to this device; nil when it does so already.
  var bridgedName: String? { alsaBridge(to: name) }
}

/// The name under which alsa-lib bridges rate, format and channels to the PCM of that name; nil when it does so already.
func alsaBridge(to name: String) -> String? {
  if name.hasPrefix("hw:") || name == "hw" { return "plug" + name }
  if name.hasPrefix("plug") || name.contains("'") { return nil }
  return "plug:'\(name)'"
}
