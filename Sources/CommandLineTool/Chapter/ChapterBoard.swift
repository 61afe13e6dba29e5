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
  /// The latest judgement, for drawing.
  private(set) var last: RhythmJudgement?
  /// What is felt.
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
  mutating func take(_ told: Told, tUs: Int64) {
    switch told {
    case .spawn(let spawn): ahead.append(spawn)
    case .judgement(let judgement): judge(judgement)
    case .assist(let assist): windowUs = assist.windowUs
    case .complete(let complete): end = complete
    case .level(let level): self.level = level
    case .music(let changed):
      if let track = changed.track { music = (track, tUs - (changed.positionUs ?? 0)) }
      if changed.change == .stopped || changed.change == .ended { music = nil }
    default: break
    }
  }

  private mutating func judge(_ judgement: RhythmJudgement) {
    last = judgement
    ahead.removeAll { $0.beat == judgement.beat }
    misses = judgement.misses
    switch judgement.verdict {
    case .hit: hits += 1
    case .ghost: ghosts += 1
    case .miss: break
    }
  }

  /// The lanes to draw; one without a name where the chapter has none.
  var lanes: [String] { chapter.lanes.isEmpty ? [""] : chapter.lanes }
}

extension ChapterBoard {
  /// The board at `nowUs` in lines of at most `width` characters.
  func frame(atUs nowUs: Int64, width: Int, style: Style) -> [String] {
    let label = (lanes.map(\.count).max() ?? 0) + 4
    let room = max(20, min(width, 100) - label - 2)
    var lines = [heading(atUs: nowUs)]
    for lane in lanes {
      let coming = ahead.filter { $0.lane ?? "" == lane }.map { $0.beatUs - nowUs }
      let near = coming.contains { abs($0) <= windowUs }
      let strip = laneStrip(ahead: coming, spanUs: chapter.spawnLeadUs, width: room)
      lines.append("  " + lane.padded(label - 2) + style.paint(strip, near ? .accent : .dim))
    }
    let bar = levelBar(
      intensity: level.intensity, sharpness: level.sharpness, width: min(30, room - 12), style: style)
    lines.append("  " + "felt".padded(label - 2) + bar + " " + fixed(level.intensity, 2))
    return lines
  }

  private func heading(atUs nowUs: Int64) -> String {
    let track = music.map { "♪ \($0.track) \(clockTime(max(0, nowUs - $0.zeroUs)))" } ?? "♪ -"
    let score = "\(count(hits, "hit")), \(count(misses, "miss", plural: "misses")), \(count(ghosts, "ghost"))"
    return "  \(track)   \(score)   window ±\(windowUs / 1_000) ms"
  }
}
