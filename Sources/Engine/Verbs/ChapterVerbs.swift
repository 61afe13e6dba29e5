// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Rhythm
import Timing

/// The verbs of rhythm chapters.
extension Engine {
  /// Starts a chapter and its music. Without `at` it begins as soon as its first spawn is whole.
  mutating func start(
    _ entry: PackChapter, _ key: AssetKey, _ map: BeatMap, isRecorded: Bool, at start: Instant
  ) throws(Refusal) {
    let settings = catalog.pack(named: key.pack)?.manifest.settings ?? .standard
    let request = try musicRequest(
      AssetKey(pack: key.pack, name: entry.track),
      crossfade: fade(settings.crossfade, settings.fadeCurve))
    try plan(.play(request), at: start, for: .chapter, by: .daemon)
    chapter = Chapter(
      key: key, feedback: entry.feedback, start: start, isRecorded: isRecorded,
      session: RhythmSession(map: map, rules: entry.rules),
      announcer: BeatAnnouncer(map: map, spawnLead: entry.rules.spawnLead))
    applySwitches()
    advanceChapter()
  }

  /// Whether a chapter is running, or waits for its beginning.
  public var isJudging: Bool { chapter != nil }

  /// Nobody was listened to from `from` to `to`. Tell it before the requests that waited meanwhile: until `advance` their
  /// taps are kept, to be judged at their stamps.
  public mutating func stalled(from: Instant, to: Instant) {
    guard var current = chapter else { return }
    current.session.stall(from: current.position(at: from), to: current.position(at: to))
    chapter = current
  }

  /// Ends the chapter, and its music with it.
  mutating func stopChapter() throws(Refusal) {
    advanceChapter()
    guard let current = chapter else {
      throw Refusal(.notRunning, "no chapter is running", remedy: "\(method: "rhythm.start") begins one")
    }
    let begins = !cancelMusic(.chapterStopped) { $0.purpose == .chapter && $0.verb.startsVoice }
    endChapter(current, stopped: true, at: turn.now)
    let name = catalog.pack(named: current.key.pack)?.manifest.chapters[current.key.name]?.track
    let track = AssetKey(pack: current.key.pack, name: name ?? "")
    let at = turn.earliestSound.roundedUpToMicrosecond
    if begins, predictedMusic(at: at).player.current?.track == track {
      try plan(.stop(fade(.milliseconds(500), .equalPower)), at: at, for: .chapter, by: .daemon)
    }
    applySwitches()
  }

  /// Tells what became due in the chapter, and ends it at its end.
  mutating func advanceChapter() {
    guard var current = chapter else { return }
    let ahead = current.position(at: turn.now + configuration.announceLead)
    let oldest = current.position(at: turn.now - Self.oldestBeat)
    let announcements = current.announcer.announce(upTo: ahead, oldest: oldest)
    let actions = current.session.advance(to: current.position(at: turn.now))
    chapter = current
    for announcement in announcements { tell(announcement, of: current) }
    tell(actions)
  }

  var chapterDeadline: Instant? {
    guard let chapter else { return nil }
    let announcement = chapter.announcer.nextDeadline.map {
      chapter.instant(ofPosition: $0) - configuration.announceLead
    }
    let judging = chapter.session.nextDeadline.map(chapter.instant(ofPosition:))
    return [announcement, judging].compactMap { $0 }.min()
  }
}
