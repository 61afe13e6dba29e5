// SPDX-License-Identifier: Apache-2.0

import Mixing

/// What the schedule, the voices and the ducking of a mixer should do, worked out one frame at a time from the commands
/// alone, with nothing but lists to look through. Fades are linear; nothing is panned or pitched.
struct ScheduleModel {
  struct Entry {
    /// When it is carried out: the frame asked for, or the first in reach when it came.
    var frame: Int64
    var order: Int
    var command: MixerCommand
    var startsPaused = false
  }

  struct Level {
    var from: Float = 1
    var to: Float = 1
    var start: Int64 = 0
    var frames: Int64 = 0

    func value(at frame: Int64) -> Float {
      if frame >= start + frames { return to }
      return from + (to - from) * Float(frame - start) / Float(frames)
    }

    func isOver(at frame: Int64) -> Bool { frame >= start + frames }

    mutating func turn(to gain: Float, at frame: Int64, frames length: Int32) {
      let from = value(at: frame)
      self = Level(from: from, to: gain, start: frame, frames: from == gain ? 0 : Int64(length))
    }
  }

  struct ModelVoice {
    let id: VoiceID
    let bus: Bus
    let ducking: DuckRule?
    let source: [Frame]
    let loops: Bool
    var gain: Float
    var position = 0
    /// How many frames it has sounded for: its own clock, by which its gain goes.
    var age: Int64 = 0
    var level: Level
    /// Whether that is still on the way by which it comes in.
    var comesIn: Bool
    /// What is left of it on its way out, by its own clock too.
    var ending = Level()
    /// By the output's clock: down while it is paused.
    var gate = Level()
    var isStopping = false

    mutating func turn(to gain: Float, _ fade: Fade) { level.turn(to: gain, at: age, frames: fade.frames) }
  }

  struct Rule {
    let ducking: DuckRule
    var lastHeard: Int64
    var isDown = false
    var level = Level()
  }

  private(set) var events: [MixerEvent] = []
  /// What kinds of commands have been taken back.
  private(set) var takenBack: Set<String> = []
  private(set) var frame: Int64 = 0
  private var planned: [Entry] = []
  private var voices: [ModelVoice] = []
  private var buses: [Bus: Level] = [:]
  private var rules: [Rule] = []
  private var arrivals = 0
  private let sources: [VoiceID: (frames: [Frame], loops: Bool)]

  init(_ sources: [VoiceID: (frames: [Frame], loops: Bool)]) { self.sources = sources }

  /// A batch that comes while `frame` is the first frame in reach.
  mutating func submit(_ batch: [MixerCommand]) {
    for command in batch {
      if case .retract(let id, let from) = command {
        let gone = planned.filter { $0.command.concerns(id) && $0.command.frame >= from }
        planned.removeAll { entry in gone.contains { $0.order == entry.order } }
        for entry in gone {
          takenBack.insert(String("\(entry.command)".prefix { $0 != "(" }) + (entry.startsPaused ? " paused" : ""))
          if case .start = entry.command { events.append(.finished(id, at: frame, .cancelled)) }
        }
      } else {
        planned.append(Entry(frame: max(command.frame, frame), order: arrivals, command: command))
        arrivals += 1
      }
    }
  }

  /// The sum of the voices at `frame`, which it goes on from.
  mutating func next() -> Frame {
    while let index = planned.indices.min(by: {
      (planned[$0].frame, planned[$0].order) < (planned[$1].frame, planned[$1].order)
    }), planned[index].frame <= frame {
      carryOut(planned.remove(at: index))
    }
    var sums: [Bus: Frame] = [:]
    for index in voices.indices.reversed() { render(index, into: &sums) }
    var sum = Frame(left: 0, right: 0)
    let ducks = duck()
    for (bus, heard) in sums {
      let gain = (buses[bus] ?? Level()).value(at: frame) * (ducks[bus] ?? 1)
      sum.left += heard.left * gain
      sum.right += heard.right * gain
    }
    frame += 1
    return sum
  }

  /// What the rules make of the buses at `frame`.
  private mutating func duck() -> [Bus: Float] {
    var gains: [Bus: Float] = [:]
    for index in rules.indices {
      let rule = rules[index].ducking
      let isDown = frame <= rules[index].lastHeard + Int64(rule.hold)
      if isDown != rules[index].isDown {
        rules[index].isDown = isDown
        rules[index].level.turn(
          to: isDown ? rule.depth : 1, at: frame, frames: isDown ? rule.attack : rule.release)
      }
      gains[rule.bus] = min(gains[rule.bus] ?? 1, rules[index].level.value(at: frame))
    }
    return gains
  }

  private mutating func noteHeard(_ voice: ModelVoice) {
    let bus = buses[voice.bus] ?? Level()
    guard let rule = voice.ducking, bus.to > 0 || !bus.isOver(at: frame) else { return }
    if let index = rules.firstIndex(where: { $0.ducking == rule }) {
      rules[index].lastHeard = frame
    } else {
      rules.append(Rule(ducking: rule, lastHeard: frame))
    }
  }

  private mutating func render(_ index: Int, into sums: inout [Bus: Frame]) {
    let voice = voices[index]
    if voice.isStopping && voice.ending.isOver(at: voice.age) { return finish(index, .stopped) }
    if voice.gate.to == 0 && voice.gate.isOver(at: frame) { return }
    if voice.position == voice.source.count { return finish(index, .ended) }
    noteHeard(voice)
    var sum = sums[voice.bus] ?? Frame(left: 0, right: 0)
    let gain = voice.level.value(at: voice.age) * voice.ending.value(at: voice.age) * voice.gate.value(at: frame)
    sum.left += voice.source[voice.position].left * gain
    sum.right += voice.source[voice.position].right * gain
    sums[voice.bus] = sum
    voices[index].position += 1
    voices[index].age += 1
    if voice.loops && voices[index].position == voice.source.count { voices[index].position = 0 }
  }

  private mutating func finish(_ index: Int, _ reason: FinishReason) {
    events.append(.finished(voices.remove(at: index).id, at: frame, reason))
  }

  private mutating func carryOut(_ entry: Entry) {
    switch entry.command {
    case .start(let start):
      guard let source = sources[start.id] else { return }
      var begun = ModelVoice(
        id: start.id, bus: start.bus, ducking: start.ducking, source: source.frames, loops: source.loops,
        gain: start.gain, level: Level(from: start.fadeIn.frames > 0 ? 0 : start.gain, to: start.gain),
        comesIn: start.fadeIn.frames > 0)
      if begun.level.from != begun.gain { begun.level.frames = Int64(start.fadeIn.frames) }
      if entry.startsPaused { begun.gate = Level(from: 0, to: 0, start: frame) }
      voices.append(begun)
      events.append(.started(start.id, at: frame))
    case .stop(let id, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }) {
        hold(index)
        stop(index, voices[index].level.to == 0 ? .none : fade)
      } else if changeStart(of: id, { _ in nil }) {
        events.append(.finished(id, at: frame, .cancelled))
      }
    case .end(let id, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }) {
        if !isOver(voices[index], within: fade) {
          if voices[index].comesIn { hold(index) }
          stop(index, fade)
        }
      } else if changeStart(of: id, { _ in nil }) {
        events.append(.finished(id, at: frame, .cancelled))
      }
    case .fadeOut(let id, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }) {
        hold(index)
        let age = voices[index].age
        if voices[index].level.to * voices[index].ending.value(at: age) == 0 { return stop(index, .none) }
        voices[index].isStopping = true
        voices[index].ending.turn(to: 0, at: age, frames: fade.frames)
      } else if changeStart(of: id, { _ in nil }) {
        events.append(.finished(id, at: frame, .cancelled))
      }
    case .bringBack(let id, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }), voices[index].isStopping {
        let age = voices[index].age
        let heard = voices[index].level.value(at: age) * voices[index].ending.value(at: age)
        voices[index].isStopping = false
        voices[index].ending = Level()
        voices[index].level = Level(from: heard, to: heard)
        voices[index].turn(to: voices[index].gain, fade)
        voices[index].comesIn = true
      }
    case .gain(let id, let gain, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }) {
        voices[index].gain = gain
        voices[index].turn(to: gain, fade)
        voices[index].comesIn = false
      } else {
        _ = changeStart(of: id) { entry in
          guard case .start(var start) = entry.command else { return entry }
          start.gain = gain
          var changed = entry
          changed.command = .start(start)
          return changed
        }
      }
    case .pause(let id, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }) {
        if voices[index].gate.to == 1 { voices[index].gate.turn(to: 0, at: frame, frames: fade.frames) }
      } else {
        setPaused(true, id)
      }
    case .resume(let id, _, let fade):
      if let index = voices.firstIndex(where: { $0.id == id }) {
        if voices[index].gate.to == 0 { voices[index].gate.turn(to: 1, at: frame, frames: fade.frames) }
      } else {
        setPaused(false, id)
      }
    case .busGain(let bus, let gain, _, let fade):
      buses[bus, default: Level()].turn(to: gain, at: frame, frames: fade.frames)
    case .endMany, .leave, .stopAll, .stem, .pan, .pitch, .retract, .restore, .drive, .retractDriven:
      break
    }
  }

  /// Whether it goes on, and is on its way out by no more than a fade.
  private func isOver(_ voice: ModelVoice, within fade: Fade) -> Bool {
    voice.isStopping && voice.gate.to == 1
      && voice.ending.start + voice.ending.frames <= voice.age + Int64(fade.frames)
  }

  /// Its gain stays where it is.
  private mutating func hold(_ index: Int) {
    let now = voices[index].level.value(at: voices[index].age)
    voices[index].level = Level(from: now, to: now)
    voices[index].comesIn = false
  }

  /// Fades out from what is heard of it, whatever becomes of its gain.
  private mutating func stop(_ index: Int, _ fade: Fade) {
    let age = voices[index].age
    let left = voices[index].ending.value(at: age) * voices[index].gate.value(at: frame)
    voices[index].isStopping = true
    voices[index].gate = Level()
    voices[index].ending = Level(from: left, to: left, start: age)
    voices[index].ending.turn(to: 0, at: age, frames: fade.frames)
  }

  private mutating func setPaused(_ isPaused: Bool, _ id: VoiceID) {
    _ = changeStart(of: id) { entry in
      var changed = entry
      changed.startsPaused = isPaused
      return changed
    }
  }

  /// Changes the plan of a voice that has not begun, or takes it away; whether there was one.
  private mutating func changeStart(of id: VoiceID, _ change: (Entry) -> Entry?) -> Bool {
    let index = planned.firstIndex { if case .start(let start) = $0.command { start.id == id } else { false } }
    guard let index else { return false }
    if let changed = change(planned[index]) { planned[index] = changed } else { planned.remove(at: index) }
    return true
  }
}
