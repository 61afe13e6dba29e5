// SPDX-License-Identifier: Apache-2.0

import Mixing
import SeededNumbers
import Testing

/// Sounds that turn the music down, once or in a loop, on buses that are muted and turned up meanwhile.
@Suite struct RandomDuckingTests {
  private static let length = 16_000

  /// A voice that carries the rule, from its first frame to the one behind its last.
  private struct Ducking {
    var bus: Bus
    var frames: Range<Int>
  }

  /// A bus is turned down to nothing, or up, in a straight line.
  private struct Turn {
    var bus: Bus
    var at: Int
    var isDown: Bool
    var fade: Int
  }

  /// Of each frame whether a bus has come down to nothing by then: turned down, for all of its fade, and not up again.
  private func muted(_ bus: Bus, _ turns: [Turn]) -> [Bool] {
    var isMuted = [Bool](repeating: false, count: Self.length)
    let own = turns.filter { $0.bus == bus }.sorted { $0.at < $1.at }
    for (place, turn) in own.enumerated() where turn.isDown {
      // One that comes down further while it is down stays so.
      let isDown = turn.at > 0 && isMuted[turn.at - 1]
      let end = place + 1 < own.count ? own[place + 1].at : Self.length
      for frame in (isDown ? turn.at : turn.at + turn.fade)..<max(end, turn.at + turn.fade) where frame < end {
        isMuted[frame] = true
      }
    }
    return isMuted
  }

  /// The music's gain at each frame, by the rule's own words: down as soon as any counts, back `hold` after none does.
  private func gains(_ voices: [Ducking], _ turns: [Turn], _ rule: DuckRule) -> [Double] {
    let muted = Dictionary(uniqueKeysWithValues: [Bus.sound, .voice].map { ($0, self.muted($0, turns)) })
    var way = (from: 1.0, to: 1.0, at: 0, frames: 1)
    func gain(_ frame: Int) -> Double { Oracle.linear(way.from, way.to, frame - way.at, of: max(way.frames, 1)) }
    var last: Int?
    var counted = false
    return (0..<Self.length).map { frame in
      let counts = voices.contains { $0.frames.contains(frame) && muted[$0.bus]?[frame] == false }
      if counted, !counts { last = frame }
      counted = counts
      if !counts, let end = last, frame == end + Int(rule.hold) {
        way = (gain(frame), 1, frame, Int(rule.release))
        last = nil
      }
      if counts {
        last = nil
        let depth = Double(rule.depth)
        if way.to != depth { way = (gain(frame), depth, frame, Int(rule.attack)) }
      }
      return gain(frame)
    }
  }

  @Test func theMusicIsDownWhileAnySoundThatIsHeardCarriesTheRule() throws {
    try search(upTo: 40) { random in
      let rule = DuckRule(
        .music, depth: 0.25, attack: Int32(1 + random.next(below: 900)), hold: Int32(random.next(below: 1_500)),
        release: Int32(1 + random.next(below: 2_000)))
      let studio = Studio()
      studio.start(studio.constant(0.5), on: .music, at: 0)
      var turns: [Turn] = []
      for at in Set((0..<random.next(below: 6)).map { _ in random.next(below: Self.length) }).sorted() {
        let turn = Turn(
          bus: random.pick([.sound, .voice]), at: at, isDown: !random.oneIn(3), fade: 10 * random.next(below: 120))
        turns.append(turn)
        studio.submit(
          .busGain(turn.bus, to: turn.isDown ? 0 : 1, at: Int64(at), fade: Fade(frames: Int32(turn.fade))))
      }
      var voices: [Ducking] = []
      for _ in 0..<1 + random.next(below: 4) {
        let (at, frames) = (random.next(below: 12_000), 100 + random.next(below: 4_000))
        let (loops, bus) = (random.oneIn(2), random.pick([Bus.sound, .voice]))
        let source = studio.source(frames: frames, loop: loops ? 0..<frames : nil) { _ in Frame(left: 0, right: 0) }
        let voice = studio.start(source, on: bus, at: Int64(at), ducking: rule)
        var end = loops ? Self.length : at + frames
        if random.oneIn(2) {
          let (stop, fade) = (at + 1 + random.next(below: 6_000), 1 + random.next(below: 900))
          studio.submit(.stop(voice, at: Int64(stop), fade: Fade(frames: Int32(fade))))
          end = min(end, stop + fade)
        }
        voices.append(Ducking(bus: bus, frames: at..<end))
      }
      let wanted = gains(voices, turns, rule)
      let out = studio.render(Self.length, periods: [64 + random.next(below: 400)])
      let off = out.indices.first { abs(Double(out[$0].left) - 0.5 * wanted[$0]) > 1e-5 }
      try hold(
        off == nil,
        "at \(off ?? 0) the music is at \(out[off ?? 0].left * 2), not at \(wanted[off ?? 0]): \(voices) \(turns) \(rule)"
      )
    }
  }
}
