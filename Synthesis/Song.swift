// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A piece of music as it is put together: bars of four beats, and what is played in them.
final class Song {
  let bpm: Double
  let bars: Int
  let loops: Bool
  /// Where the second of two sixteenths falls between the first and the next eighth: 0.5 is straight.
  let swing: Double
  let frames: Int
  private var dry: Stereo
  private var pumped: Stereo
  private var room: Stereo
  private var echo: Stereo
  private var kicks: [Int] = []

  /// `tail` is what rings on after the last bar of music that does not loop.
  init(bpm: Double, bars: Int, swing: Double = 0.5, loops: Bool = true, tail: Double = 0) {
    self.bpm = bpm
    self.bars = bars
    self.swing = swing
    self.loops = loops
    let exact = Double(bars) * 4 * 60 / bpm * Double(rate)
    frames = Int(exact.rounded()) + Int(tail * Double(rate))
    dry = Stereo(frames: frames)
    pumped = dry
    room = dry
    echo = dry
  }

  /// The frame of a beat counted from the beginning, swung.
  func frame(_ beat: Double) -> Int {
    let eighths = beat * 2
    let whole = eighths.rounded(.down)
    let part = eighths - whole
    let swung = part < 0.5 ? part * 2 * swing : swing + (part - 0.5) * 2 * (1 - swing)
    return Int(((whole + swung) / 2 * 60 / bpm * Double(rate)).rounded())
  }

  func seconds(_ beats: Double) -> Float { Float(beats * 60 / bpm) }

  /// Where a part of the mix goes.
  struct Place {
    var gain: Float = 1
    /// -1 is left, 1 right.
    var pan: Float = 0
    var room: Float = 0
    var echo: Float = 0
    /// Steps back when a kick is heard.
    var pumps = false
  }

  func add(_ sound: borrowing Stereo, at beat: Double, _ place: Place) {
    let angle = (place.pan + 1) * .pi / 4
    let (left, right) = (cosf(angle) * 1.4142 * place.gain, sinf(angle) * 1.4142 * place.gain)
    let at = max(0, frame(beat))
    if place.pumps {
      pumped.add(sound, at: at, left, right, wraps: loops)
    } else {
      dry.add(sound, at: at, left, right, wraps: loops)
    }
    if place.room > 0 { room.add(sound, at: at, left * place.room, right * place.room, wraps: loops) }
    if place.echo > 0 { echo.add(sound, at: at, left * place.echo, right * place.echo, wraps: loops) }
  }

  /// One drum over some bars. A bar is written in sixteenths: `X` loud, `x` as usual, `o` soft, `r` two quick ones, else
  /// nothing; bars are parted by blanks and taken in turn.
  func drum(_ sound: [Float], _ pattern: String, bars: Range<Int>, _ place: Place) {
    let drum = Stereo(both: sound)
    let rows = pattern.split(separator: " ").map(Array.init)
    for bar in bars {
      let row = rows[(bar - bars.lowerBound) % rows.count]
      for (step, sign) in row.enumerated() {
        let beat = Double(bar) * 4 + Double(step) * 4 / Double(row.count)
        var place = place
        switch sign {
        case "X": place.gain *= 1.2
        case "x", "r": break
        case "o": place.gain *= 0.45
        default: continue
        }
        // Hands are never quite even.
        place.gain *= 1 + 0.06 * Float((bar * 7 + step * 5) % 5 - 2)
        add(drum, at: beat, place)
        if sign == "r" {
          place.gain *= 0.7
          add(drum, at: beat + 2 / Double(row.count), place)
        }
      }
    }
  }

  /// A kick drum, which the parts that pump step back for.
  func kick(_ sound: [Float], _ pattern: String, bars: Range<Int>, _ place: Place) {
    drum(sound, pattern, bars: bars, place)
    let rows = pattern.split(separator: " ").map(Array.init)
    for bar in bars {
      let row = rows[(bar - bars.lowerBound) % rows.count]
      for (step, sign) in row.enumerated() where "Xx".contains(sign) {
        kicks.append(frame(Double(bar) * 4 + Double(step) * 4 / Double(row.count)))
      }
    }
  }

  /// Notes one after the other from `beat` on: `A4/1.5 C#5/.5 -/1`, each with its beats; a dash rests.
  func melody(
    _ text: String, from beat: Double, _ place: Place, length: Double = 0.95, transpose: Float = 0,
    _ instrument: (Float, Float, Float) -> Stereo
  ) {
    var beat = beat
    for (index, word) in text.split(separator: " ").enumerated() {
      let parts = word.split(separator: "/")
      let beats = parts.count > 1 ? Double(parts[1]) ?? 1 : 1
      if let note = midi(parts[0]) {
        let velocity = 0.9 + 0.1 * Float((index * 3) % 4) / 3
        add(instrument(note + transpose, seconds(beats * length), velocity), at: beat, place)
      }
      beat += beats
    }
  }

  /// The music as it is heard: parts that pump under the kicks, room and echoes, gently saturated.
  func mixed(pump: Float, roomSeconds: Float, damping: Float, echoBeats: Double, warmth: Float = 0.6, air: Float = 0.8)
    -> Stereo
  {
    if pump > 0 { duck(by: pump) }
    var out = dry
    out.add(pumped, gain: 1)
    out.add(reverberated(room, seconds: roomSeconds, damping: damping, loops: loops), gain: 1)
    let late = Int((echoBeats * 60 / bpm * Double(rate)).rounded())
    out.add(echoed(echo, frames: late, feedback: 0.42, loops: loops), gain: 1)
    let level = 0.28 / max(0.01, sqrtf(out.left.reduce(0) { $0 + $1 * $1 } / Float(out.frames)))
    out.map { tanhf(warmth * level * $0) }
    // What loops comes to its beginning from its end.
    let before = loops ? Int(rate) : 0
    out.left = Array((out.left.suffix(before) + out.left).balanced(air: air).dropFirst(before))
    out.right = Array((out.right.suffix(before) + out.right).balanced(air: air).dropFirst(before))
    return out
  }

  private func duck(by depth: Float) {
    var gains = [Float](repeating: 1, count: frames)
    let length = Int(0.3 * rate)
    for kick in kicks {
      for index in 0..<length {
        let time = Float(index) / rate
        let gain = 1 - depth * min(1, time / 0.004) * expf(-time / 0.09)
        let place = loops ? (kick + index) % frames : min(kick + index, frames - 1)
        gains[place] = min(gains[place], gain)
      }
    }
    for frame in 0..<frames {
      pumped.left[frame] *= gains[frame]
      pumped.right[frame] *= gains[frame]
    }
  }
}

extension [Float] {
  /// Nothing below 28 Hz, less below 70, and more above 1.7 kHz: so that it is clear on small loudspeakers too.
  fileprivate func balanced(air: Float) -> [Float] {
    var rumble = StateVariable(28)
    var deep = StateVariable(70)
    var clear = StateVariable(1_700)
    return map { sample in
      let heard = rumble(sample).high
      return heard - 0.4 * deep(heard).low + air * clear(heard).high
    }
  }
}

/// The MIDI number of `C#4`; nil for a rest.
func midi(_ name: Substring) -> Float? {
  let steps: [Character: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
  guard let first = name.first, var step = steps[first], let octave = name.last?.wholeNumberValue else { return nil }
  if name.contains("#") { step += 1 }
  if name.contains("b") { step -= 1 }
  return Float(12 * (octave + 1) + step)
}

/// `C4 E4 G4` as MIDI numbers.
func notes(_ text: String) -> [Float] { text.split(separator: " ").compactMap { midi($0) } }
