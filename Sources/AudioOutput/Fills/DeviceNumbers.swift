// SPDX-License-Identifier: Apache-2.0

/// A number for each of some devices, the latest last: pure.
///
/// As text, a line each: the number, name, card and driver, between tabs. What does not read so is passed over.
struct DeviceNumbers: Equatable, Sendable {
  /// Devices remembered, at most: the latest.
  static let limit = 32

  private let range: ClosedRange<Int>
  private var entries: [(key: DeviceKey, number: Int)] = []

  /// Nothing remembered, of numbers in `range`.
  init(_ range: ClosedRange<Int>) { self.range = range }

  /// What a text says, as far as it can be read.
  init(_ range: ClosedRange<Int>, reading text: String) {
    self.init(range)
    // Names may have any other of the characters that end a line for people.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let parts = content.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard parts.count == 4, let number = Int(parts[0]) else { continue }
      remember(number, for: DeviceKey(name: parts[1], card: parts[2], driver: parts[3]))
    }
  }

  /// The text of it all.
  var text: String { entries.compactMap { entry in entry.key.line.map { "\(entry.number)\t\($0)\n" } }.joined() }

  /// A device's number; nil where nothing is known of it.
  subscript(key: DeviceKey) -> Int? { entries.first { $0.key == key }?.number }

  /// From now on `number` is a device's; nothing changes where that cannot be.
  mutating func remember(_ number: Int, for key: DeviceKey) {
    guard range.contains(number), !key.name.isEmpty, key.line != nil else { return }
    forget(key)
    entries.append((key, number))
    entries.removeFirst(max(0, entries.count - Self.limit))
  }

  /// From now on nothing is known of a device.
  mutating func forget(_ key: DeviceKey) { entries.removeAll { $0.key == key } }

  /// The same devices with the same numbers in the same order.
  static func == (a: Self, b: Self) -> Bool {
    a.entries.elementsEqual(b.entries) { $0.key == $1.key && $0.number == $1.number }
  }
}
