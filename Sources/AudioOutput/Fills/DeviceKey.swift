// SPDX-License-Identifier: Apache-2.0

/// What a device is recognised by in another run of the program.
public struct DeviceKey: Hashable, Sendable {
  /// The ALSA PCM's name.
  public var name: String
  /// The card's own short name (`PCH`, `Loopback`), or empty where there is no card behind the PCM.
  public var card: String
  /// The card's driver (`HDA-Intel`, `USB-Audio`), or empty.
  public var driver: String

  /// The key of a PCM, with what stands behind it.
  public init(name: String, card: String = "", driver: String = "") {
    self.name = name
    self.card = card
    self.driver = driver
  }

  /// Its parts, between tabs; nil where a part itself has a tab or a line's end in it.
  var line: String? {
    let parts = [name, card, driver]
    guard parts.allSatisfy({ part in part.utf8.allSatisfy { $0 >= 0x20 } }) else { return nil }
    return parts.joined(separator: "\t")
  }
}
