// SPDX-License-Identifier: Apache-2.0

import Timing

/// How records are kept: one after the other as bytes, each number as what it differs by from a like one before it, so that one takes
/// some 20 bytes and not 64. All of a record comes back, to the bit, whatever is in it.
enum PackedTrace {
  /// More bytes than any record takes.
  static let mostBytes = 96
  /// In the place of a record's kind: the next is in another block.
  static let end: UInt8 = .max

  /// Kinds of records, as their first byte has them.
  enum Kind: UInt8, CaseIterable {
    case period, lost, turn, line, errand, asked, start, moved, letGo, unbegun, silent, ended, stood, player, writing
    case wrote, changed, handedOut, told, client, processor
  }

  /// What comes before the number that tells how an instant differs from the one before it.
  enum InstantCode {
    static let distantPast: UInt64 = 0
    static let distantFuture: UInt64 = 1
    /// The instant itself follows: it differs by too much.
    static let whole: UInt64 = 2
    /// A difference, by so much more.
    static let difference: UInt64 = 3
  }

  /// What the numbers of the next record are likely to be like.
  struct Likely: ~Copyable {
    /// How many numbers a record has at most, its client and line among them.
    private static let numbers = 8

    /// The latest instant.
    var instant: Int64 = 0
    /// Of each kind the numbers of the latest, in their order.
    private let latest: UnsafeMutablePointer<Int64>
    /// Where the next number has its like.
    private var place: UnsafeMutablePointer<Int64>

    /// Nothing is known: all are likely to be zero.
    init() {
      let count = Kind.allCases.count * Self.numbers
      latest = .allocate(capacity: count)
      latest.initialize(repeating: 0, count: count)
      place = latest
    }

    deinit { latest.deallocate() }

    /// A record of that kind begins.
    @inline(__always) mutating func begin(_ kind: Kind) { place = latest + Int(kind.rawValue) * Self.numbers }

    /// What the next number was in the record before, to be replaced by what it is.
    @inline(__always) mutating func next() -> UnsafeMutablePointer<Int64> {
      defer { place += 1 }
      return place
    }
  }
}

/// Puts records behind each other.
struct TracePacker: ~Copyable {
  private var likely = PackedTrace.Likely()
  /// Where the next byte goes.
  private var place: UnsafeMutablePointer<UInt8>

  /// Writes from `start` on, what is read by a `TraceUnpacker` from there on.
  init(at start: UnsafeMutablePointer<UInt8>) { place = start }

  /// How many bytes it has written from `start` on, where its block begins.
  func count(from start: UnsafeMutablePointer<UInt8>) -> Int { place - start }

  /// Goes on in a block of its own.
  mutating func goOn(at start: UnsafeMutablePointer<UInt8>) {
    byte(PackedTrace.end)
    place = start
  }

  /// Writes one, for which there must be room for `PackedTrace.mostBytes`.
  mutating func write(_ record: TraceRecord) {
    switch record.event {
    case .period(let first, let due, let woken, let done, let heard, let frames):
      begin(.period, record)
      instants(due, woken, done, heard)
      numbers(first, Int64(frames))
    case .lost(let first, let frames, let heard, let noticed, let cause):
      begin(.lost, record)
      instants(heard, noticed)
      numbers(first, frames, bits(cause))
    case .turn(let due, let woken, let done, let processor, let isInterrupted):
      begin(.turn, record)
      instants(due, woken, done)
      numbers(processor.nanoseconds, bits(isInterrupted))
    case .line(let arrived, let begun, let decoded, let planned, let done, let processor, let method):
      begin(.line, record)
      instants(arrived, begun, decoded, planned, done)
      numbers(processor.nanoseconds, Int64(method))
    case .errand(let begun, let done):
      begin(.errand, record)
      instants(begun, done)
    case .asked(let id, let asked, let scheduled, let at, let subject):
      begin(.asked, record)
      instants(asked, scheduled, at)
      numbers(id, bits(subject))
    case .start(let voice, let frame, let heard, let at, let cue, let plan, let isTrack):
      begin(.start, record)
      instants(heard, at)
      numbers(Int64(bitPattern: voice), frame, cue, plan, bits(isTrack))
    case .moved(let voice, let frame, let heard):
      begin(.moved, record)
      instants(heard)
      numbers(Int64(bitPattern: voice), frame)
    case .letGo(let voice, let at):
      begin(.letGo, record)
      instants(at)
      numbers(Int64(bitPattern: voice))
    case .unbegun(let id, let due, let at, let cue, let subject, let why):
      begin(.unbegun, record)
      instants(due, at)
      numbers(id, cue, bits(subject), bits(why))
    case .silent(let voice, let from, let heard, let isOver):
      begin(.silent, record)
      instants(heard)
      numbers(Int64(bitPattern: voice), from, bits(isOver))
    case .ended(let voice, let frame, let heard):
      begin(.ended, record)
      instants(heard)
      numbers(Int64(bitPattern: voice), frame)
    case .stood(let at, let frame, let frames, let length, let resumed):
      begin(.stood, record)
      instants(at)
      numbers(frame, frames, length.nanoseconds, bits(resumed))
    case .player(let player, let felt, let at, let cue, let silence):
      begin(.player, record)
      instants(felt, at)
      numbers(Int64(bitPattern: player), cue, silence.nanoseconds)
    case .writing(let due, let felt, let woken, let device):
      begin(.writing, record)
      instants(due, felt, woken)
      numbers(Int64(device))
    case .wrote(let due, let felt, let woken, let done, let device, let isRefused, let spacing, let tookLate):
      begin(.wrote, record)
      instants(due, felt, woken, done)
      numbers(Int64(device), bits(isRefused), spacing.nanoseconds, bits(tookLate))
    case .changed(let cue, let frame, let heard, let at, let isFelt, let plan):
      begin(.changed, record)
      instants(heard, at)
      numbers(cue, frame, bits(isFelt), plan)
    case .handedOut(let number, let due, let at, let subject):
      begin(.handedOut, record)
      instants(due, at)
      numbers(number, bits(subject))
    case .told(let number, let due, let queued, let written, let subject):
      begin(.told, record)
      instants(due, queued, written)
      numbers(number, bits(subject))
    case .client(let at, let change):
      begin(.client, record)
      instants(at)
      numbers(bits(change))
    case .processor(let at, let used, let thread):
      begin(.processor, record)
      instants(at)
      numbers(used.nanoseconds, bits(thread))
    }
  }

  private mutating func begin(_ kind: PackedTrace.Kind, _ record: TraceRecord) {
    byte(kind.rawValue)
    likely.begin(kind)
    number(Int64(record.client))
    number(Int64(record.line))
  }

  // As many as there are, and no list of them, which is allocated and takes as long as all else.

  @inline(__always) private mutating func instants(
    _ first: Instant, _ second: Instant? = nil, _ third: Instant? = nil, _ fourth: Instant? = nil,
    _ fifth: Instant? = nil
  ) {
    instant(first)
    if let second { instant(second) }
    if let third { instant(third) }
    if let fourth { instant(fourth) }
    if let fifth { instant(fifth) }
  }

  @inline(__always) private mutating func numbers(
    _ first: Int64, _ second: Int64? = nil, _ third: Int64? = nil, _ fourth: Int64? = nil, _ fifth: Int64? = nil
  ) {
    number(first)
    if let second { number(second) }
    if let third { number(third) }
    if let fourth { number(fourth) }
    if let fifth { number(fifth) }
  }

  private mutating func instant(_ instant: Instant) {
    typealias Code = PackedTrace.InstantCode
    if instant == .distantPast { return varying(Code.distantPast) }
    if instant == .distantFuture { return varying(Code.distantFuture) }
    let difference = folded(instant.nanoseconds &- likely.instant)
    if difference > .max - Code.difference {
      varying(Code.whole)
      varying(folded(instant.nanoseconds))
    } else {
      varying(difference + Code.difference)
    }
    likely.instant = instant.nanoseconds
  }

  private mutating func number(_ number: Int64) {
    let before = likely.next()
    varying(folded(number &- before.pointee))
    before.pointee = number
  }

  /// Small where it is near zero, on either side.
  private func folded(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }

  /// Seven bits a byte, the lowest first.
  private mutating func varying(_ number: UInt64) {
    var (rest, end) = (number, place)
    while rest >= 0x80 {
      end.pointee = UInt8(truncatingIfNeeded: rest) | 0x80
      end += 1
      rest >>= 7
    }
    end.pointee = UInt8(rest)
    place = end + 1
  }

  @inline(__always) private mutating func byte(_ byte: UInt8) {
    place.pointee = byte
    place += 1
  }

  /// One of a few cases as it lies in memory: no other process ever reads it.
  private func bits<Case: BitwiseCopyable>(_ value: Case) -> Int64 { Int64(unsafeBitCast(value, to: UInt8.self)) }
}
