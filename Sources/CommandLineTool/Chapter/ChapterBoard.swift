// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// A rhythm chapter as a player sees it: built from what the daemon tells, drawn at any instant.
struct ChapterBoard {
  /// What the daemon said when the chapter started.
  let chapter: RhythmStart.Result
  /// Half-width of the hit window in force.
  var windowUs: Int64
  /// Beats in sight that are not judged yet.
  private(set) var ahead: [RhythmSpawn] = []
  private(set) var hits = 0
  private(set) var misses = 0
  private(set) var ghosts = 0
  /// Hits since the last miss; a ghost costs nothing here either.
  private(set) var combo = 0
  private(set) var bestCombo = 0
  /// The latest judgement and the instant it is of, for drawing.
  private(set) var last: (judgement: RhythmJudgement, atUs: Int64)?
  private(set) var level = HapticsLevel(intensity: 0, sharpness: 0)
  /// How the chapter ended, once it has.
  private(set) var end: RhythmComplete?
  /// The track that is heard, and the instant of its position zero.
  private(set) var music: (track: String, zeroUs: Int64)?

  init(_ chapter: RhythmStart.Result) {
    self.chapter = chapter
    windowUs = chapter.windowUs
  }

  /// Takes in what was told of the instant `tUs`.
  mutating func take(_ told: Event.Notification, tUs: Int64) {
    switch told {
    case .rhythmSpawn(let spawn): ahead.append(spawn)
    case .rhythmJudgement(let judgement): judge(judgement, atUs: tUs)
    case .rhythmAssist(let assist): windowUs = assist.windowUs
    case .rhythmComplete(let complete):
      end = complete
      // What was in sight is not to be tapped any more.
      ahead = []
    case .rhythmChanged(let changed): follow(changed)
    case .hapticsLevel(let level): self.level = level
    case .musicChanged(let changed):
      if let track = changed.track { music = (track, tUs - (changed.positionUs ?? 0)) }
      if changed.change == .stopped || changed.change == .ended { music = nil }
    default: break
    }
  }

  /// What was in sight comes later where the chapter was held, and not at all where it begins anew.
  private mutating func follow(_ changed: RhythmChanged) {
    if let moved = changed.movedUs {
      for index in ahead.indices { ahead[index].beatUs += moved }
    }
    guard changed.change == .restarted else { return }
    (ahead, hits, misses, ghosts, combo, last, windowUs) = ([], 0, 0, 0, 0, nil, chapter.windowUs)
  }

  private mutating func judge(_ judgement: RhythmJudgement, atUs: Int64) {
    last = (judgement, atUs)
    ahead.removeAll { $0.beat == judgement.beat }
    misses = judgement.misses
    switch judgement.verdict {
    case .hit:
      hits += 1
      combo += 1
      bestCombo = max(bestCombo, combo)
    case .ghost: ghosts += 1
    case .miss: combo = 0
    case .void: break
    }
  }

  /// The lane of the beat that a tap at an instant would have hit, had it not been in `lane`; nil where there is none.
  func laneDue(atUs: Int64, besides lane: String?) -> String? {
    let due = ahead.filter { $0.lane != lane && abs($0.beatUs - atUs) <= windowUs }
    return due.min { abs($0.beatUs - atUs) < abs($1.beatUs - atUs) }?.lane
  }

  /// The share of the beats judged so far that were hit; nil before the first.
  var accuracy: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }

  /// The lanes to draw; one without a name where the chapter has none.
  var lanes: [String] { chapter.lanes.isEmpty ? [""] : chapter.lanes }
}

extension ChapterBoard {
  /// The board at `nowUs` in lines of at most `width` characters.
  func frame(atUs nowUs: Int64, width: Int, style: Style) -> [String] {
    [heading(atUs: nowUs, width: width)] + laneLines(atUs: nowUs, width: width, style: style)
      + [feltLine(width: width, style: style)]
  }

  /// The columns before the strips.
  private var label: Int { max("felt".count, lanes.map(\.count).max() ?? 0) + 4 }

  /// A strip for each lane; one where a beat was just judged is painted by its verdict.
  func laneLines(atUs nowUs: Int64, width: Int, style: Style) -> [String] {
    lanes.map { lane in
      let coming = ahead.filter { $0.lane ?? "" == lane }.map { $0.beatUs - nowUs }
      let near = coming.contains { abs($0) <= windowUs }
      let strip = laneStrip(ahead: coming, spanUs: chapter.spawnLeadUs, width: room(width))
      return "  " + lane.padded(label - 2) + style.paint(strip, flash(lane, atUs: nowUs) ?? (near ? .accent : .dim))
    }
  }

  func feltLine(width: Int, style: Style) -> String {
    let bar = levelBar(
      intensity: level.intensity, sharpness: level.sharpness, width: max(4, min(30, room(width) - 12)), style: style)
    return "  " + "felt".padded(label - 2) + bar + " " + fixed(level.intensity, 2)
  }

  private func room(_ width: Int) -> Int { max(12, min(width, 100) - label - 2) }

  /// How long a verdict is seen.
  private static let flashUs: Int64 = 250_000

  private func flash(_ lane: String, atUs nowUs: Int64) -> Ink? {
    guard let last, last.judgement.lane ?? "" == lane, nowUs - last.atUs < Self.flashUs else { return nil }
    return last.judgement.verdict == .hit ? .good : last.judgement.verdict == .miss ? .bad : .warning
  }

  /// The window comes first: that it widens is what there is to see.
  private func heading(atUs nowUs: Int64, width: Int) -> String {
    let place = music.map { clockTime(max(0, nowUs - $0.zeroUs)) } ?? "-"
    // Without its pack: the chapter's is known.
    let name = music.map { "\($0.track.split(separator: ":").last ?? "") " } ?? ""
    return figureLine(
      [
        [window, tally, "♪ \(name)\(place)"], [window, tally, "♪ \(place)"], [window, tally], [window, judged],
        [window], [halfWidth],
      ], width: width)
  }

  /// "5 hits, 1 miss, 0 ghosts".
  var tally: String { tallyText(hits: hits, misses: misses, ghosts: ghosts) }
  /// The same without ghosts, which cost nothing.
  var judged: String { judgedText(hits: hits, misses: misses) }

  /// "window ±150 ms".
  var window: String { "window " + halfWidth }
  /// "±150 ms".
  var halfWidth: String { "±\(windowUs / 1_000) ms" }
}
