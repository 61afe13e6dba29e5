// SPDX-License-Identifier: Apache-2.0

/// Records gathered for one writing: their number of bytes and a fingerprint stand before them, so that what a crash or a
/// full disk cut short is noticed.
public struct JournalBlock: Sendable {
  private var body: [UInt8] = []

  /// Without a record.
  public init() {}

  /// Whether there is no record in it.
  public var isEmpty: Bool { body.isEmpty }
  /// Bytes it takes as it is written.
  public var count: Int { body.isEmpty ? 0 : JournalForm.blockHead + body.count }

  /// Adds a record with its fields.
  public mutating func add(_ kind: JournalKind, _ fields: JournalFields = JournalFields()) {
    add(JournalRecord(kind, fields.bytes))
  }

  /// Adds a record.
  public mutating func add(_ record: JournalRecord) {
    var length = JournalFields()
    length.add(UInt64(record.fields.count))
    body.append(record.kind.rawValue)
    body += length.bytes
    body += record.fields
  }

  /// The bytes to be written; it is empty from here on.
  public mutating func take() -> [UInt8] {
    defer { body = [] }
    if body.isEmpty { return [] }
    var head = [UInt8]()
    head.reserveCapacity(count)
    let length = UInt32(body.count)
    for shift in [0, 8, 16, 24] as [UInt32] { head.append(UInt8(truncatingIfNeeded: length >> shift)) }
    var fingerprint = JournalFields()
    fingerprint.add(whole: Fingerprint(of: body).value)
    return head + fingerprint.bytes + body
  }
}
