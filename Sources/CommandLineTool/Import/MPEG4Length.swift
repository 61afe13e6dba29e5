// SPDX-License-Identifier: Apache-2.0

/// What an MPEG-4 file (ISO/IEC 14496-12) tells of how long its sound is without the encoder's padding.
///
/// ffmpeg leaves out what its edit list has before the beginning, and plays the padding at the end; and where the file's clock
/// is coarser than its sound's, the edit list knows the end to the millisecond only. The sound's own table of lengths
/// (`stts`) knows it to the frame, and so does Apple's `iTunSMPB`.
struct MPEG4Length: Equatable {
  /// Units of a second of the sound's own clock: most often its rate.
  let timescale: Int64
  /// The length of all that is there, padding included where the encoder wrote so.
  let media: Int64
  /// What is played of it; nil where no edit list says so.
  let edit: Edit?

  /// The one entry of an edit list that is played.
  struct Edit: Equatable {
    /// Where it begins, in units of the sound.
    var start: Int64
    /// How long it is, in units of the sound; nil where it goes on to the end.
    var length: Int64?
    /// What its length may be off by, for the file's own clock is coarser.
    var grain: Int64
  }

  /// Frames at `rate` that are heard; nil where nothing tells. `gapless` is the text of iTunSMPB.
  func frames(rate: Int, gapless: String?) -> Int64? {
    if let told = Self.gapless(gapless), timescale == rate, edit == nil || edit?.start == told.priming {
      return told.frames
    }
    guard let edit, timescale > 0, rate % Int(timescale) == 0 else { return nil }
    let rest = media - edit.start
    // Within what a coarse clock may be off by the table counts, else whichever is shorter.
    let units = edit.length.map { abs($0 - rest) <= edit.grain ? rest : min($0, rest) } ?? rest
    return units > 0 ? units * Int64(rate) / timescale : nil
  }

  /// " 00000000 00000840 000001CA 00000000003F31F6 ...": frames before, after, and between.
  static func gapless(_ text: String?) -> (priming: Int64, frames: Int64)? {
    let words = (text ?? "").split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard words.count == 4, let priming = words[1], let frames = words[3], (0..<16_384).contains(priming), frames > 0
    else { return nil }
    return (priming, frames)
  }

  /// The most bytes of what tells about the sound; an hour of it takes one million.
  private static let mostBytes = 64 << 20

  /// Looks into a file of `size` bytes, which `read` gives from an offset on. Nil where it is no such file, or in fragments.
  init?(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
    var (offset, movie): (Int, [UInt8]?) = (0, nil)
    while movie == nil, offset + 8 <= size {
      let head = read(offset, 16)
      guard let atom = Atom(head[...], room: size - offset) else { return nil }
      if atom.kind == "moov" {
        guard atom.length <= Self.mostBytes else { return nil }
        movie = read(offset + atom.head, atom.length - atom.head)
      }
      offset += atom.length
    }
    guard let movie else { return nil }
    let clock = Self.child("mvhd", of: movie[...]).flatMap { Self.clock($0) }
    let sounds = Atom.all(in: movie[...]).filter { $0.kind == "trak" }.map(\.body).filter { track in
      guard let handler = Self.child("hdlr", of: Self.child("mdia", of: track)) else { return false }
      return handler.dropFirst(8).starts(with: Array("soun".utf8))
    }
    guard let track = sounds.first, let media = Self.child("mdia", of: track),
      let own = Self.child("mdhd", of: media).flatMap({ Self.clock($0) }),
      let table = Self.child("stts", of: Self.child("stbl", of: Self.child("minf", of: media))),
      let total = Self.total(table), total > 0
    else { return nil }
    timescale = own
    self.media = total
    edit = clock.flatMap { movieScale in
      Self.child("elst", of: Self.child("edts", of: track)).flatMap { Self.edit($0, movieScale, own) }
    }
  }

  /// A box: its kind and what is in it.
  private struct Atom {
    let kind: String
    let head: Int
    let length: Int
    let body: ArraySlice<UInt8>

    /// The one that `bytes` begin with, in as much `room`.
    init?(_ bytes: ArraySlice<UInt8>, room: Int) {
      guard bytes.count >= 8, let short = number(bytes, at: 0, 4) else { return nil }
      kind = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
      let long = short == 1 ? number(bytes, at: 8, 8) : nil
      head = short == 1 ? 16 : 8
      guard let length = short == 0 ? room : short == 1 ? long.map(Int.init) : Int(short), length >= head,
        length <= room
      else { return nil }
      self.length = length
      body = bytes.dropFirst(head).prefix(length - head)
    }

    static func all(in bytes: ArraySlice<UInt8>) -> [Atom] {
      var (rest, atoms): (ArraySlice<UInt8>, [Atom]) = (bytes, [])
      while let atom = Atom(rest, room: rest.count) {
        atoms.append(atom)
        rest = rest.dropFirst(atom.length)
      }
      return atoms
    }
  }

  private static func child(_ kind: String, of bytes: ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
    bytes.flatMap { Atom.all(in: $0).first { $0.kind == kind }?.body }
  }

  /// Units of a second, of a `mvhd` or `mdhd`.
  private static func clock(_ body: ArraySlice<UInt8>) -> Int64? {
    number(body, at: body.first == 1 ? 20 : 12, 4).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func total(_ table: ArraySlice<UInt8>) -> Int64? {
    guard let entries = number(table, at: 4, 4), entries * 8 <= Int64(table.count) else { return nil }
    var total: Int64 = 0
    for index in 0..<Int(entries) {
      guard let count = number(table, at: 8 + index * 8, 4), let length = number(table, at: 12 + index * 8, 4),
        case (let product, let overflow) = count.multipliedReportingOverflow(by: length), !overflow, product < 1 << 52,
        total < 1 << 52
      else { return nil }
      total += product
    }
    return total
  }

  /// The entry that is played, where there is one alone; pauses before it are passed over.
  private static func edit(_ body: ArraySlice<UInt8>, _ movieScale: Int64, _ own: Int64) -> Edit? {
    let wide = body.first == 1
    let size = wide ? 20 : 12
    guard let entries = number(body, at: 4, 4), entries <= 16 else { return nil }
    var edits: [Edit] = []
    for index in 0..<Int(entries) {
      let at = 8 + index * size
      guard let length = number(body, at: at, wide ? 8 : 4),
        let start = number(body, at: at + (wide ? 8 : 4), wide ? 8 : 4)
      else { return nil }
      let isPause = start == (wide ? -1 : 0xFFFF_FFFF)
      if isPause { continue }
      guard start >= 0, start < 1 << 52, length >= 0, length < 1 << 40 else { return nil }
      let (units, overflow) = length.multipliedReportingOverflow(by: own)
      if overflow { return nil }
      edits.append(
        Edit(
          start: start, length: length == 0 ? nil : units / movieScale,
          grain: movieScale == own ? 0 : own / movieScale + 1))
    }
    return edits.count == 1 ? edits[0] : nil
  }
}

/// A whole number of that many bytes, the highest first; nil where there are too few.
private func number(_ bytes: ArraySlice<UInt8>, at offset: Int, _ count: Int) -> Int64? {
  let start = bytes.startIndex + offset
  guard start >= bytes.startIndex, start + count <= bytes.endIndex else { return nil }
  return bytes[start..<(start + count)].reduce(0) { $0 << 8 | Int64($1) }
}
