// SPDX-License-Identifier: Apache-2.0

import Timing

/// Reads records in the order in which a `TracePacker` wrote them.
struct TraceUnpacker: ~Copyable {
  private var likely = PackedTrace.Likely()
  private var place: UnsafePointer<UInt8>

  /// Reads from `start` on.
  init(at start: UnsafePointer<UInt8>) { place = start }

  /// Whether the next is in another block.
  var isAtEnd: Bool { place.pointee == PackedTrace.end }

  /// Goes on in another block.
  mutating func goOn(at start: UnsafePointer<UInt8>) { place = start }

  /// The next, which must be there.
  mutating func read() -> TraceRecord {
    guard let kind = PackedTrace.Kind(rawValue: byte()) else { preconditionFailure("no record begins so") }
    likely.begin(kind)
    let client = UInt32(truncatingIfNeeded: number())
    let line = UInt32(truncatingIfNeeded: number())
    return TraceRecord(event(kind), client: client, line: line)
  }

  private mutating func event(_ kind: PackedTrace.Kind) -> TraceEvent {
    switch kind {
    case .period:
      let (due, woken, done, heard) = (instant(), instant(), instant(), instant())
      return .period(
        first: number(), due: due, woken: woken, done: done, heard: heard, frames: Int32(truncatingIfNeeded: number()))
    case .lost:
      let (heard, noticed) = (instant(), instant())
      return .lost(first: number(), frames: number(), heard: heard, noticed: noticed, cause: oneOf())
    case .turn:
      let (due, woken, done) = (instant(), instant(), instant())
      return .turn(due: due, woken: woken, done: done, processor: interval(), isInterrupted: oneOf())
    case .line:
      let (arrived, begun, decoded, planned, done) = (instant(), instant(), instant(), instant(), instant())
      return .line(
        arrived: arrived, begun: begun, decoded: decoded, planned: planned, done: done, processor: interval(),
        method: UInt16(truncatingIfNeeded: number()))
    case .errand: return .errand(begun: instant(), done: instant())
    case .asked:
      let (asked, scheduled, at) = (instant(), instant(), instant())
      return .asked(id: number(), asked: asked, scheduled: scheduled, at: at, subject: oneOf())
    case .start:
      let (heard, at) = (instant(), instant())
      return .start(
        voice: identity(), frame: number(), heard: heard, at: at, cue: number(), plan: number(), isTrack: oneOf())
    case .moved:
      let heard = instant()
      return .moved(voice: identity(), frame: number(), heard: heard)
    case .letGo:
      let at = instant()
      return .letGo(voice: identity(), at: at)
    case .unbegun:
      let (due, at) = (instant(), instant())
      return .unbegun(id: number(), due: due, at: at, cue: number(), subject: oneOf(), why: oneOf())
    case .silent:
      let heard = instant()
      return .silent(voice: identity(), from: number(), heard: heard, isOver: oneOf())
    case .ended:
      let heard = instant()
      return .ended(voice: identity(), frame: number(), heard: heard)
    case .stood: return .stood(at: instant(), frame: number(), frames: number(), length: interval(), resumed: oneOf())
    case .player:
      let (felt, at) = (instant(), instant())
      return .player(player: identity(), felt: felt, at: at, cue: number(), silence: interval())
    case .writing: return .writing(due: instant(), felt: instant(), woken: instant(), device: oneOf())
    case .wrote:
      return .wrote(
        due: instant(), felt: instant(), woken: instant(), done: instant(), device: oneOf(), isRefused: oneOf(),
        spacing: interval(), tookLate: oneOf())
    case .changed:
      let (heard, at) = (instant(), instant())
      return .changed(cue: number(), frame: number(), heard: heard, at: at, isFelt: oneOf(), plan: number())
    case .handedOut:
      let (due, at) = (instant(), instant())
      return .handedOut(number: number(), due: due, at: at, subject: oneOf())
    case .told:
      let (due, queued, written) = (instant(), instant(), instant())
      return .told(number: number(), due: due, queued: queued, written: written, subject: oneOf())
    case .client: return .client(at: instant(), change: oneOf())
    case .processor: return .processor(at: instant(), used: interval(), thread: oneOf())
    }
  }

  private mutating func instant() -> Instant {
    typealias Code = PackedTrace.InstantCode
    let code = varying()
    switch code {
    case Code.distantPast: return .distantPast
    case Code.distantFuture: return .distantFuture
    case Code.whole: likely.instant = unfolded(varying())
    default: likely.instant &+= unfolded(code - Code.difference)
    }
    return Instant(nanoseconds: likely.instant)
  }

  private mutating func number() -> Int64 {
    let before = likely.next()
    before.pointee &+= unfolded(varying())
    return before.pointee
  }

  private mutating func interval() -> Interval { Interval(nanoseconds: number()) }

  private mutating func identity() -> UInt64 { UInt64(bitPattern: number()) }

  /// One of a few cases, which the packer took from memory.
  private mutating func oneOf<Case: BitwiseCopyable>() -> Case {
    unsafeBitCast(UInt8(truncatingIfNeeded: number()), to: Case.self)
  }

  private func unfolded(_ number: UInt64) -> Int64 { Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }

  @inline(__always) private mutating func varying() -> UInt64 {
    let first = byte()
    return first < 0x80 ? UInt64(first) : varying(from: UInt64(first & 0x7F))
  }

  /// The rest of one that has more than a byte.
  private mutating func varying(from first: UInt64) -> UInt64 {
    var (number, shift, end) = (first, UInt64(7), place)
    while true {
      let next = end.pointee
      end += 1
      number |= UInt64(next & 0x7F) << shift
      if next < 0x80 { break }
      shift += 7
    }
    place = end
    return number
  }

  @inline(__always) private mutating func byte() -> UInt8 {
    defer { place += 1 }
    return place.pointee
  }
}
