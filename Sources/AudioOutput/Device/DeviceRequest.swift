// SPDX-License-Identifier: Apache-2.0

/// What a device is opened as: pure, so that the choices can be tested.
struct DeviceRequest: Equatable, Sendable {
  /// The ALSA PCM's name.
  var name: String
  var rate: Int
  /// As configured; nil for the device kind's own.
  var period: Int?
  var periods: Int?
  /// The least frames a period after it ran dry with fewer; nil where it did not.
  var grownPeriod: Int?
  /// The layout to ask for before all others: where alsa-lib bridges the rate it is not to touch the samples besides.
  var layout: DeviceLayout?
  /// What devices needed in earlier runs.
  var memory = PeriodMemory()

  /// The request for the device that was found: what it is known to need, unless it is configured.
  func adapted(to key: DeviceKey) -> DeviceRequest {
    var request = self
    if period == nil, let needed = [grownPeriod, memory[key]].compactMap({ $0 }).max() { request.period = needed }
    return request
  }

  /// Frames a period and periods in the buffer: small on hardware, larger where others share the device.
  func geometry(isHardware: Bool) -> (period: Int, buffer: Int) {
    let frames = min(max(period ?? (isHardware ? 128 : 256), 16), 8_192)
    let count = min(max(periods ?? (isHardware ? 3 : 4), 2), 32)
    return (frames, frames * count)
  }

  /// The name under which alsa-lib bridges rate, format and channels to this device; nil when it does so already.
  var bridgedName: String? { alsaBridge(to: name) }
}

/// The name under which alsa-lib bridges rate, format and channels to the PCM of that name; nil when it does so already.
func alsaBridge(to name: String) -> String? {
  if name.hasPrefix("hw:") || name == "hw" { return "plug" + name }
  if name.hasPrefix("plug") || name.contains("'") { return nil }
  return "plug:'\(name)'"
}
