// SPDX-License-Identifier: Apache-2.0

import Mixing
import SeededNumbers
import Testing

/// Commands at random, for frames around what is in reach, taken back at random and planned anew, against the model.
@Suite struct ScheduleModelTests {
  @Test func whateverIsPlannedAndTakenBackIsHeardAndToldAsTheModelSays() throws {
    var takenBack: Set<String> = []
    try search(upTo: 40) { random in
      let session = Session(random)
      if let frame = session.firstDifference {
        throw Unmet("frame \(frame) is \(session.heard[frame]), and not \(session.wanted[frame])")
      }
      let (told, toTell) = (Set(session.told), Set(session.toTell))
      try hold(
        session.told.sorted() == session.toTell.sorted(),
        "told \(told.subtracting(toTell).sorted()), and not \(toTell.subtracting(told).sorted())")
      takenBack.formUnion(session.takenBack)
    }
    // Nothing that can be taken back has been left out.
    #expect(takenBack == ["start", "start paused", "stop", "end", "fadeOut", "bringBack", "pause", "resume", "gain"])
  }

  @Test(arguments: [[1], [7, 1, 300], [4_096]]) func anyPeriodsGiveTheSameBits(periods: [Int]) {
    for seed in 100...107 as ClosedRange<UInt64> {
      let (whole, cut) = (Session(SeededRandom(seed: seed)), Session(SeededRandom(seed: seed), periods: periods))
      #expect(cut.heard == whole.heard && cut.told.sorted() == whole.told.sorted(), "seed \(seed)")
    }
  }
}

/// The commands of a seed, given to a mixer and to the model.
private struct Session {
  private(set) var heard: [Frame] = []
  private(set) var wanted: [Frame] = []
  /// What the mixer has said, and what the model says it should.
  let told: [String]
  let toTell: [String]
  let takenBack: Set<String>
  /// The first frame that the mixer and the model disagree about.
  let firstDifference: Int?

  init(_ random: SeededRandom, periods: [Int] = [256]) {
    var numbers = random
    let studio = Studio()
    var sources: [VoiceID: (frames: [Frame], loops: Bool)] = [:]
    var starts: [VoiceStart<VoiceSource>] = []
    let rules = [Float(0), 0.25, 0.5].map { depth in
      let frames: [Int32] = (0..<3).map { _ in [0, 40, 400].randomElement(using: &numbers) ?? 0 }
      return DuckRule(.music, depth: depth, attack: frames[0], hold: frames[1], release: frames[2])
    }
    for index in 0..<10 {
      let length = Int.random(in: 100...3_000, using: &numbers)
      // Every frame tells its number, and every voice its own.
      let frames = (0..<length).map { Frame(left: Float($0 % 512) * 0x1p-13, right: Float(1 + index) * 0x1p-8) }
      let loops = index % 3 != 0
      let source = studio.source(frames: length, loop: loops ? 0..<length : nil) { frames[$0] }
      let id = studio.voice()
      sources[id] = (frames, loops)
      let rule = [nil, rules.randomElement(using: &numbers)].randomElement(using: &numbers) ?? nil
      let bus = index % 2 == 0 ? Bus.sound : .voice
      starts.append(VoiceStart(id: id, source: .resident(source), bus: bus, at: 0, ducking: rule))
    }
    let music = VoiceStart<VoiceSource>(
      id: studio.voice(), source: .resident(studio.constant(0.25)), bus: .music, at: 0)
    sources[music.id] = ([Frame(left: 0.25, right: 0.25)], true)
    var model = ScheduleModel(sources)
    _ = studio.controller.submit([.start(music)])
    model.submit([.start(music)])
    var begun = 0
    var ends: [VoiceID] = []
    for _ in 0..<30 {
      let reach = studio.controller.mixedFrame
      var batch: [MixerCommand] = []
      for _ in 0..<Int.random(in: 0...5, using: &numbers) {
        // So few frames that many commands meet at one, some of them too late.
        let at = (reach / 50 + Int64.random(in: -4...16, using: &numbers)) * 50
        let fade = Fade(frames: [0, 16, 64, 256, 1_500].randomElement(using: &numbers) ?? 0)
        let gain = [0, 0.25, 0.5, 1].randomElement(using: &numbers) ?? Float(1)
        let voice = starts[Int.random(in: 0..<max(begun, 1), using: &numbers)].id
        switch Int.random(in: 0..<17, using: &numbers) {
        case 0: batch.append(.stop(voice, at: at, fade: fade))
        // Half of them of what is to end just then.
        case 1, 12:
          let ending = ends.filter { _ in Bool.random(using: &numbers) }.last
          batch.append(.gain(ending ?? voice, to: gain, at: at, fade: fade))
        case 2: batch.append(.pause(voice, at: at, fade: fade))
        case 3: batch.append(.resume(voice, at: at, fade: fade))
        case 4, 5, 6: batch.append(.retract(voice, from: at))
        case 7: batch.append(.busGain(Bool.random(using: &numbers) ? .sound : .voice, to: gain, at: at, fade: fade))
        case 8: batch.append(.fadeOut(voice, at: at, fade: fade))
        case 9: batch.append(.bringBack(voice, at: at, fade: fade))
        case 11, 13:
          batch.append(.end(voice, at: at, fade: fade))
          ends = ends.suffix(3) + [voice]
        // The newest, which most likely has yet to begin.
        case 10: batch.append(.pause(starts[max(begun, 1) - 1].id, at: at, fade: fade))
        case _ where begun < starts.count:
          var start = starts[begun]
          (start.at, start.gain, start.fadeIn) = (at, gain, fade)
          batch.append(.start(start))
          begun += 1
        default: break
        }
      }
      _ = studio.controller.submit(batch)
      model.submit(batch)
      heard += studio.render(Int.random(in: 1...400, using: &numbers), periods: periods)
      while model.frame < studio.controller.mixedFrame { wanted.append(model.next()) }
    }
    told = studio.events.map { "\($0)" }
    toTell = model.events.map { "\($0)" }
    takenBack = model.takenBack
    firstDifference =
      zip(heard, wanted).enumerated().first { _, pair in
        abs(pair.0.left - pair.1.left) > 2e-6 || abs(pair.0.right - pair.1.right) > 2e-6
      }?.offset
  }
}
