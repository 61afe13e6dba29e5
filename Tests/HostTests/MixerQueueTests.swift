// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

@testable import Host

/// What becomes of commands for which the mixer has no room.
@Suite struct MixerQueueTests {
  private let controller = MixerController(MixerConfiguration(commandCapacity: 32))
  private let tone = ToneSource(frequency: 200, rate: 48_000)

  private func gain(_ voice: UInt64, at frame: Int64) -> MixerCommand {
    .gain(VoiceID(rawValue: voice), to: 0.5, at: frame, fade: .none)
  }

  private func start(_ voice: UInt64, at frame: Int64) -> MixerCommand {
    .start(VoiceStart(id: VoiceID(rawValue: voice), source: .resident(tone.source), bus: .sound, at: frame))
  }

  /// Lets the mixer come to `frame`.
  private func play(to frame: Int) { controller.mixer.pointee.skip(frames: frame) }

  @Test func soundsLeaveAnEighthOfTheRoomToTheRest() {
    var queue = MixerQueue(controller)
    let refused = queue.submit((1...30).map { start($0, at: 48_000) })
    // They go in batches of 4.
    #expect(refused.map(\.id.rawValue) == [29, 30] && controller.room == 4)
    #expect(queue.submit((1...4).map { gain($0, at: 48_000) }).isEmpty && controller.room == 0)
    #expect(queue.count == 0)
  }

  @Test func whatMayNotGetLostWaitsInItsOrder() {
    var queue = MixerQueue(controller)
    _ = queue.submit((0..<32).map { gain(1, at: 1_000 + $0) })
    let refused = queue.submit([gain(1, at: 2_000), start(2, at: 2_000), gain(1, at: 2_001)])
    #expect(refused.map(\.id.rawValue) == [2] && queue.count == 2)
    // Room that is there again is for what has waited, not for what comes.
    play(to: 1_500)
    #expect(queue.submit([gain(1, at: 2_002)]).isEmpty)
    #expect(queue.count == 0 && controller.room == 29)
  }

  @Test func whatLeadsSoundsGivesWayToAllElse() {
    var queue = MixerQueue(controller)
    queue.steer((0..<40).map { gain(1, at: 1_000 + $0) })
    #expect(controller.room == 24 && queue.count == 32)
    #expect(queue.submit([gain(2, at: 500), start(3, at: 500)]).isEmpty && controller.room == 22)
    // What is to happen first goes first, whenever it came.
    queue.steer([gain(4, at: 10)])
    play(to: 2_000)
    queue.submitWaiting()
    #expect(controller.room == 24 && queue.count == 25)
  }

  @Test func whatWaitsIsTakenBackAsTheMixerWould() {
    var queue = MixerQueue(controller)
    queue.steer((0..<16).map { gain(1, at: 90_000 + $0) })
    for _ in 0..<1_000 {
      queue.steer([.retract(VoiceID(rawValue: 1), from: 50_000)] + (0..<10).map { gain(1, at: 50_000 + $0 * 480) })
    }
    // The last plan, and that all before it is taken back.
    #expect(queue.count == 11)
  }

  @Test func whatComesAtOnceIsPutInOrderAmongWhatWaits() {
    var queue = MixerQueue(controller)
    // All the room there is for it.
    queue.steer((0..<8).map { gain(9, at: 10 + $0) })
    queue.steer([gain(1, at: 300), gain(2, at: 100), gain(3, at: 200), gain(4, at: 100)])
    queue.steer([
      gain(5, at: 200), gain(2, at: 250), gain(6, at: 50), .retract(VoiceID(rawValue: 2), from: 100), gain(2, at: 400),
      gain(7, at: 300),
    ])
    let order = queue.steering.map { command -> String in
      let voice = (1...9).first { command.concerns(VoiceID(rawValue: $0)) } ?? 0
      if case .retract = command { return "\(command.frame): \(voice) taken back" }
      return "\(command.frame): \(voice)"
    }
    #expect(
      order == ["50: 6", "100: 4", "100: 2 taken back", "200: 3", "200: 5", "300: 1", "300: 7", "400: 2"])
  }
}
