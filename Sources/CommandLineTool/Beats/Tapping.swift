// SPDX-License-Identifier: Apache-2.0

import Glibc
import Rhythm

/// A person taps along with a track at the keyboard of this terminal.
struct Tapping {
  private let keys: LaneKeys
  private let title: String
  private let out: Terminal
  private var reader = KeyReader()
  private var frame = LiveFrame()
  private var taps = TapRecord()

  init(keys: LaneKeys, title: String, out: Terminal) {
    (self.keys, self.title, self.out) = (keys, title, out)
  }

  /// Plays the track to its end, or to q; gives what was tapped.
  mutating func record(
    _ track: HeardTrack, fromUs: Int64, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> [Beat] {
    guard let raw = RawMode(descriptor: 0) else {
      throw ToolFailure("the keyboard cannot be read key by key", hint: "run this in a terminal")
    }
    try track.play(fromUs: fromUs)
    out.write(LiveFrame.begin)
    defer { out.write(LiveFrame.end) }
    var hasQuit = false
    while !hasQuit, try track.goesOn(), signals.take() == nil, !out.isBroken {
      draw(atUs: nowUs() - track.zeroUs, of: track.lengthUs)
      let readable = waitReadable([0, track.descriptor, signals.descriptor], microseconds: 50_000)
      if readable[0] {
        hasQuit = takeKeys(atUs: nowUs() - track.zeroUs)
      } else {
        hasQuit = reader.flush().contains(.escape)
      }
    }
    draw(atUs: nowUs() - track.zeroUs, of: track.lengthUs)
    _ = consume raw
    return taps.beats
  }

  /// True once an end is wished for.
  private mutating func takeKeys(atUs: Int64) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(0, &bytes, bytes.count)
    guard count > 0 else { return count == 0 }
    for byte in bytes[..<count] where byte == 0x7F || byte == 0x08 { taps.takeBack() }
    for key in reader.read(bytes[..<count].filter { $0 != 0x7F && $0 != 0x08 }) {
      switch keys.meaning(of: key) {
      case .quit: return true
      case .nothing: break
      case .tap(let lane): taps.add(atUs: atUs, lane: lane.flatMap { keys.lanes.firstIndex(of: $0) })
      }
    }
    return false
  }

  private mutating func draw(atUs: Int64, of length: Int64) {
    let place = "\(clockTime(max(0, min(atUs, length)))) of \(clockTime(length))"
    let lit = taps.beats.last.map { atUs - $0.at < 120_000 } ?? false
    let style = out.style
    out.write(
      frame.update(
        frame: [
          "  \(style.paint(title, .bold))  \(place)   \(style.paint(lit ? "●" : "○", lit ? .good : .dim)) \(count(taps.beats.count, "beat"))",
          style.paint("  \(keys.hint), backspace takes one back", .dim),
        ], size: out.size, style: style))
  }
}

/// What was tapped so far.
struct TapRecord: Equatable {
  /// In microseconds of the track, as they came.
  private(set) var beats: [Beat] = []

  /// A tap; one before the track's beginning is none.
  mutating func add(atUs: Int64, lane: Int?) {
    if atUs >= 0 { beats.append(Beat(at: atUs, lane: lane)) }
  }

  /// Takes the latest back.
  mutating func takeBack() { _ = beats.popLast() }
}
