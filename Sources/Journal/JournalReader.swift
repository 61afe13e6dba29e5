// SPDX-License-Identifier: Apache-2.0

/// Why a journal cannot be read, or not on.
public enum JournalFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is no journal.
  case noJournal
  /// One of another form: that version.
  case version(String)
  /// A record is none.
  case record
  /// From that byte on it is not what was written.
  case damaged(at: Int)

  /// What is wrong, as the end of a sentence.
  public var description: String {
    switch self {
    case .noJournal: "it is no journal of starlightd"
    case .version(let version):
      "it is of form \(version), and this program reads form \(JournalForm.version): replay it by the one that wrote it"
    case .record: "it holds a record that cannot be read"
    case .damaged(let place): "from byte \(place) on it is not what was written"
    }
  }
}

/// All records of a journal, read at once.
public struct JournalReader: Sendable {
  /// In order.
  public private(set) var records: [JournalRecord] = []
  /// Where what follows is not whole: the daemon ended within a block.
  public private(set) var cutAt: Int?

  /// Reads the bytes of a file. A last block that is not whole is left out; one that is not what was written is a fault.
  public init(_ bytes: [UInt8]) throws(JournalFault) {
    guard bytes.starts(with: JournalForm.anyFirstLine) else { throw .noJournal }
    guard bytes.starts(with: JournalForm.firstLine) else {
      let version = bytes.dropFirst(JournalForm.anyFirstLine.count).prefix(12).prefix { $0 != 0x0A }
      throw .version(String(decoding: version, as: UTF8.self))
    }
    var place = JournalForm.firstLine.count
    while place < bytes.count {
      guard place + JournalForm.blockHead <= bytes.count else {
        cutAt = place
        return
      }
      var length = 0
      for index in 0..<4 { length |= Int(bytes[place + index]) << (8 * index) }
      var fingerprint: UInt64 = 0
      for index in 0..<8 { fingerprint |= UInt64(bytes[place + 4 + index]) << UInt64(8 * index) }
      let start = place + JournalForm.blockHead
      guard length > 0, length <= JournalForm.mostBytesOfBlock else { throw .damaged(at: place) }
      guard start + length <= bytes.count else {
        cutAt = place
        return
      }
      let body = bytes[start..<start + length]
      guard Fingerprint(of: body).value == fingerprint else { throw .damaged(at: place) }
      try read(body)
      place = start + length
    }
  }

  private mutating func read(_ body: ArraySlice<UInt8>) throws(JournalFault) {
    var place = body.startIndex
    while place < body.endIndex {
      guard let kind = JournalKind(rawValue: body[place]) else { throw .record }
      place += 1
      var (length, shift) = (0, 0)
      while true {
        guard place < body.endIndex, shift < 35 else { throw .record }
        let byte = body[place]
        place += 1
        length |= Int(byte & 0x7F) << shift
        if byte < 0x80 { break }
        shift += 7
      }
      guard length <= body.endIndex - place else { throw .record }
      records.append(JournalRecord(kind, Array(body[place..<place + length])))
      place += length
    }
  }
}
