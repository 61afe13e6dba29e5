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
  fileprivate var line: String? {
    let parts = [name, card, driver]
    guard parts.allSatisfy({ part in part.utf8.allSatisfy { $0 >= 0x20 } }) else { return nil }
    return parts.joined(separator: "\t")
  }
}

/// How far ahead devices turned out to need to be filled, the latest last: pure.
///
/// As text, a line each: frames, name, card and driver, between tabs. What does not read so is passed over.
public struct FillMemory: Equatable, Sendable {
  /// Devices remembered, at most: the latest.
  public static let limit = 32

  private var entries: [(key: DeviceKey, fill: Int)] = []

  /// Nothing remembered.
  public init() {}

  /// What a text says, as far as it can be read: 32 to `ReopenPolicy.longestFill` frames.
  public init(reading text: String) {
    // Names may have any other of the characters that end a line for people.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let parts = content.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard parts.count == 4, let fill = Int(parts[0]) else { continue }
      remember(fill, for: DeviceKey(name: parts[1], card: parts[2], driver: parts[3]))
    }
  }

  /// The text of it all.
  public var text: String { entries.compactMap { entry in entry.key.line.map { "\(entry.fill)\t\($0)\n" } }.joined() }

  /// The frames that a device needed ahead; nil where nothing is known of it.
  public subscript(key: DeviceKey) -> Int? { entries.first { $0.key == key }?.fill }

  /// From now on a device is known to need `fill` frames ahead; nothing changes where that cannot be.
  public mutating func remember(_ fill: Int, for key: DeviceKey) {
    guard (32...ReopenPolicy.longestFill).contains(fill), !key.name.isEmpty, key.line != nil else { return }
    entries.removeAll { $0.key == key }
    entries.append((key, fill))
    entries.removeFirst(max(0, entries.count - Self.limit))
  }

  /// From now on nothing is known of a device.
  public mutating func forget(_ key: DeviceKey) { entries.removeAll { $0.key == key } }

  /// The same devices with the same fills in the same order.
  public static func == (a: FillMemory, b: FillMemory) -> Bool {
    a.entries.elementsEqual(b.entries) { $0.key == $1.key && $0.fill == $1.fill }
  }
}
