// SPDX-License-Identifier: Apache-2.0

/// How many voices of a pool each owner has, for as long as a slot is looked for: a table by hashing, so that owners whose
/// numbers lie far apart are never taken for one.
struct OwnerCounts {
  private struct Entry: BitwiseCopyable {
    var owner: UInt64 = 0
    /// In which it was entered: in another it is empty.
    var round: UInt64 = 0
    /// Slots it occupies.
    var slots: Int32 = 0
    /// Of these, voices that sound and were not sent off.
    var sounding: Int32 = 0
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let capacity: Int
  private let shift: UInt64
  private var round: UInt64 = 1

  /// Room for `owners` of them; half of the table stays empty, so that a search soon ends.
  init(owners: Int) {
    var bits = 1
    while 1 << bits < 2 * owners { bits += 1 }
    capacity = 1 << bits
    shift = UInt64(64 - bits)
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
  }

  func deallocate() { entries.deallocate() }

  /// Forgets all, at once however large the table is: it is done for each voice that begins.
  @_noLocks mutating func clear() { round &+= 1 }

  /// Counts slots of an owner, and of them voices that sound; what it has then. At most as many owners as there is room for.
  @discardableResult @_noLocks func add(
    _ owner: UInt64, slots: Int32, sounding: Int32
  ) -> (slots: Int32, sounding: Int32) {
    let entry = entries + place(of: owner)
    if entry.pointee.round != round { entry.pointee = Entry(owner: owner, round: round) }
    entry.pointee.slots &+= slots
    entry.pointee.sounding &+= sounding
    return (entry.pointee.slots, entry.pointee.sounding)
  }

  /// How many slots an owner occupies, with voices that are on their way out.
  @_noLocks func slots(of owner: UInt64) -> Int { Int(entry(of: owner).slots) }

  /// How many voices of an owner sound and were not sent off.
  @_noLocks func sounding(of owner: UInt64) -> Int32 { entry(of: owner).sounding }

  @_noLocks private func entry(of owner: UInt64) -> Entry {
    let entry = entries[place(of: owner)]
    return entry.round == round ? entry : Entry()
  }

  /// Where an owner is entered, or would be.
  @_noLocks private func place(of owner: UInt64) -> Int {
    // Fibonacci hashing: numbers that follow each other are spread.
    var place = Int(truncatingIfNeeded: (owner &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while entries[place].round == round && entries[place].owner != owner { place = (place &+ 1) & (capacity &- 1) }
    return place
  }
}
