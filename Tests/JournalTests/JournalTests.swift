// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Journal

@Suite struct JournalTests {
  private func file(_ blocks: [[UInt8]]) -> [UInt8] { JournalForm.firstLine + blocks.flatMap { $0 } }

  private func block(_ records: [JournalRecord]) -> [UInt8] {
    var block = JournalBlock()
    for record in records { block.add(record) }
    return block.take()
  }

  private let some = [JournalRecord(.turn, [1, 0, 1]), JournalRecord(.advance), JournalRecord(.carryOut)]

  @Test func whatIsWrittenIsRead() throws {
    let read = try JournalReader(file([block(some), block([]), block([JournalRecord(.end)])]))
    #expect(read.records == some + [JournalRecord(.end)])
    #expect(read.cutAt == nil)
  }

  @Test func numbersAndTextsComeBack() throws {
    var fields = JournalFields()
    let numbers: [Int64] = [0, 1, -1, 63, 64, -65, 1 << 40, .max, .min]
    for number in numbers { fields.add(number) }
    fields.add(UInt64.max)
    fields.add(whole: 0x0123_4567_89AB_CDEF)
    fields.add("Grüße")
    fields.add(optional: Int64?.none)
    fields.add(optional: "")
    var reader = JournalFieldReader(JournalRecord(.call, fields.bytes))
    for number in numbers { #expect(try reader.signed() == number) }
    #expect(try reader.unsigned() == .max)
    #expect(try reader.whole() == 0x0123_4567_89AB_CDEF)
    #expect(try reader.text() == "Grüße")
    #expect(try reader.optionalSigned() == nil)
    #expect(try reader.optionalText() == "")
    #expect(reader.isAtEnd)
    #expect(throws: JournalFault.record) { try reader.signed() }
  }

  @Test func aBlockThatWasCutShortIsLeftOut() throws {
    let whole = file([block(some)])
    let cut = whole + block(some).dropLast(1)
    let read = try JournalReader(cut)
    #expect(read.records == some)
    #expect(read.cutAt == whole.count)
  }

  @Test func everyBitOfABlockCounts() throws {
    let whole = file([block(some), block(some)])
    for place in JournalForm.firstLine.count..<whole.count {
      for bit in 0..<8 {
        var changed = whole
        changed[place] ^= 1 << UInt8(bit)
        let read = try? JournalReader(changed)
        // A length that is too long looks like one that was cut short; nothing is read that was not written.
        #expect(read == nil || read.map { $0.cutAt != nil && (some + some).starts(with: $0.records) } == true)
      }
    }
  }

  @Test func whatIsNoJournalIsRefused() {
    #expect(throws: JournalFault.noJournal) { try JournalReader(Array("RIFF".utf8)) }
    #expect(throws: JournalFault.version("99")) { try JournalReader(Array("starlight journal 99\n".utf8)) }
    #expect(throws: JournalFault.damaged(at: JournalForm.firstLine.count)) {
      try JournalReader(JournalForm.firstLine + [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    }
  }
}
