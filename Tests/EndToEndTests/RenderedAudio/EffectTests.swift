// SPDX-License-Identifier: Apache-2.0

import Moments
import SoundMeasures
import Testing

/// The effects of both packs as they are rendered: what the designs say of how they sound, and that they sit beside the music.
@Suite struct EffectTests {
  private static let starlightSync = [
    "sfx_haptic_thud", "sfx_success_chime", "sfx_shield_impact", "sfx_click", "sfx_error",
  ]
  private static let freefall = [
    "flip", "death", "goal", "level-complete", "ui-tap", "world-unlock", "collect", "intermission-voice",
  ]
  static let all = starlightSync.map { ["starlight-sync", $0] } + freefall.map { ["freefall", $0] }

  private func effect(_ name: String) throws -> Sound {
    try RenderedPacks.sound(name.hasPrefix("sfx_") ? "starlight-sync" : "freefall", name)
  }

  @Test(arguments: all) func anEffectBeginsAndEndsWithNothingAndLeansNowhere(_ name: [String]) throws {
    let sound = try RenderedPacks.sound(name[0], name[1])
    for channel in [sound.left, sound.right] {
      #expect(abs(channel[0]) < 0.001)
      #expect(abs(channel[channel.count - 1]) < 0.001)
    }
    #expect(!sound.isClipped)
    #expect(sound.means.allSatisfy { abs($0) < 0.001 })
    // Nothing that nobody hears is kept in memory: it is over in its last quarter, not long before.
    #expect(sound.level(sound.frames / 2..<sound.frames) > -90)
  }

  /// What is felt with a sound is felt with the sound, not with a silence before it.
  @Test(arguments: [
    "sfx_haptic_thud", "sfx_success_chime", "sfx_shield_impact", "sfx_click", "sfx_error", "flip", "death", "goal",
    "ui-tap", "collect",
  ]) func whatIsFeltIsHeardAtOnce(_ name: String) throws {
    let sound = try effect(name)
    let levels = sound.levels(every: 120)
    #expect((levels.prefix(3).max() ?? -200) > (levels.max() ?? 0) - 9, "\(levels.prefix(8))")
  }

  /// A hit on each beat of Firewall, the music and its bells beside it: the limiter has next to nothing to do.
  @Test func hitsOnTheBeatStandBesideTheMusic() throws {
    let table = try #require(try MomentTable.read("starlight-sync").chapter)
    let (main, bells) = (
      try RenderedPacks.sound("starlight-sync", "audio_bgm_main"),
      try RenderedPacks.sound("starlight-sync", "audio_bgm_main-bells")
    )
    let shield = try effect("sfx_shield_impact")
    var largest: Float = 0
    for beat in table.beats {
      let first = Int(beat.us * 48 / 1_000)
      for (channel, (music, stem)) in [shield.left, shield.right].enumerated().map({
        ($0.element, $0.offset == 0 ? (main.left, bells.left) : (main.right, bells.right))
      }) {
        for (index, sample) in channel.enumerated() where first + index < music.count {
          largest = max(largest, abs(sample + music[first + index] + stem[first + index]))
        }
      }
    }
    #expect(largest < 1.12, "\(largest)")
    #expect(largest > 0.8, "or something was left out")
  }

  @Test func theThudIsLowAndHeavy() throws {
    let spectrum = Spectrum(try effect("sfx_haptic_thud").middle)
    #expect(spectrum.centroid < 120)
    #expect(spectrum.share(of: 20...150) > 0.9)
  }

  @Test func theChimeIsAHighSparkle() throws {
    let chime = try effect("sfx_success_chime")
    let spectrum = Spectrum(chime.middle)
    #expect(spectrum.centroid > 1_500)
    #expect(spectrum.share(of: 800...20_000) > 0.95)
    // It sparkles: a part of its first third of a second is higher still.
    #expect(Spectrum(Array(chime.middle.prefix(16_000))).share(of: 2_000...20_000) > 0.1)
  }

  @Test func theClickIsADetent() throws {
    let click = try effect("sfx_click")
    #expect(click.seconds < 0.05)
    let levels = click.levels(every: 240)
    #expect((levels.dropFirst(3).max() ?? 0) < (levels.max() ?? 0) - 9)
    #expect(Spectrum(click.middle).centroid > 1_000)
  }

  @Test func theShieldIsStruckAndRings() throws {
    let shield = try effect("sfx_shield_impact")
    let levels = shield.levels(every: 480)
    #expect(levels[0] > (levels.max() ?? 0) - 3)
    #expect(levels[20] < levels[0] - 12)
    // Between the thud and the chime.
    #expect(250...1_200 ~= Spectrum(shield.middle).centroid)
  }

  @Test func aCollectibleIsShortHighAndStruck() throws {
    let collect = try effect("collect")
    #expect(0.1...0.2 ~= collect.seconds)
    let spectrum = Spectrum(collect.middle)
    #expect(spectrum.centroid > 1_500)
    #expect(spectrum.share(of: 1_000...20_000) > 0.98)
    // There within 5 ms, and going from its last stroke on.
    let levels = collect.levels(every: 240)
    let loudest = levels.max() ?? 0
    #expect(levels[0...1].max() ?? 0 > loudest - 9)
    #expect(levels[levels.count - 4] < loudest - 20)
  }

  /// Music is at -17 LUFS, that of the intermission at -16: the loudest 400 ms of an effect are no louder, and are heard.
  @Test(arguments: all) func anEffectSitsBesideTheMusic(_ name: [String]) throws {
    let sound = try RenderedPacks.sound(name[0], name[1])
    let loudness = sound.momentaryLoudness
    #expect(-30 ... -16.9 ~= loudness, "\(loudness) LUFS")
    // Below full scale with room to spare by itself; what adds up with music is the limiter's.
    #expect(sound.peak <= 0.6)
  }

  @Test(arguments: TrackTests.loops + [TrackTests.finale]) func musicIsAsLoudAsMusic(_ track: TrackTests.Track) throws {
    let loudness = try track.sound().loudness
    let wanted = track.name == "intermission-track" ? -16.0 : -17
    #expect(abs(loudness - wanted) < 0.15, "\(loudness) LUFS")
  }

  /// It tells, and does not scold.
  @Test func theErrorIsSofterThanTheMusicByEveryMeasure() throws {
    let error = try effect("sfx_error")
    let music = try RenderedPacks.sound("starlight-sync", "audio_bgm_main")
    #expect(error.momentaryLoudness < music.loudness - 3)
    #expect(error.peak < music.peak / 2)
    // Its loudest tenth of a second beside what the music is on the whole.
    #expect((error.levels(every: 4_800).max() ?? 0) < music.level(0..<music.frames))
    // Nor is it shrill.
    #expect(Spectrum(error.middle).centroid < 500)
    #expect(error.momentaryLoudness < (try effect("sfx_success_chime")).momentaryLoudness)
  }
}
