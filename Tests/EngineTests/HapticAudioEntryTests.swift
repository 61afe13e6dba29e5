// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing

@testable import Engine
@testable import Haptics

@Suite("A sound of a pattern and its voices") struct HapticAudioEntryTests {
  private let whole = VoiceID(rawValue: 1)
  private let dull = VoiceID(rawValue: 2)

  /// A tone of a second that is made duller from 50 ms on.
  private func splitSound() throws -> HapticAudioEntry {
    let text = #"{"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"AudioContinuous","EventDuration":1}}]}"#
    let (document, _) = try AHAPDocument.parse(Array(text.utf8), name: "tone")
    let event = try #require(HapticPattern(document).audioEvents.first)
    let start = HapticAudioStart(
      player: HapticPlayerID(rawValue: 1), event: event, at: .zero, offset: .zero, isMuted: false, rate: 1,
      controls: HapticAudioControls())
    var sound = HapticAudioEntry(start, of: VoiceOwner.daemon, pack: nil, voices: [(whole, .whole)])
    sound.split(dull, at: Instant(microseconds: 50_000), frame: 2_400)
    return sound
  }

  @Test("gives back the dull voice that has not begun, and goes on with the whole one") func takesBackTheDull() throws {
    var sound = try splitSound()
    #expect(sound.rollBack(to: Instant(microseconds: 20_000), frame: 960, settled: .distantPast) { _ in } == [dull])
    #expect(sound.voices.map(\.id) == [whole])
  }

  @Test("keeps its last voice until the mixer is done with it, so that it is not left without an end")
  func keepsTheLast() throws {
    var sound = try splitSound()
    sound.lose(whole)
    #expect(sound.rollBack(to: Instant(microseconds: 20_000), frame: 960, settled: .distantPast) { _ in } == [dull])
    #expect(sound.voices.map(\.id) == [dull])
  }
}
