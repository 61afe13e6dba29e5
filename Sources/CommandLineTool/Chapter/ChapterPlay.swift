// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// A chapter played by a person at the keyboard of this terminal.
struct ChapterPlay {
  /// What is played, `pack:chapter`.
  let chapter: String
  private let connection: StarlightConnection
  private let out: Terminal
  private let keys: LaneKeys
  /// What a pad taps for it.
  private let bindings: Set<Int64>
  private var board: ChapterBoard
  private var log: ChapterLog
  private var lastTap: RhythmTap.Result?
  /// Why nothing is heard, where that is so.
  private let silence: String?
  private var reader = KeyReader()
  /// What happened, the newest at the end: more than any terminal shows.
  private var said: [String] = []
  private var hasQuit = false

  init(
    _ params: RhythmStart.Params, _ connection: StarlightConnection, bindings: Set<Int64> = [], out: Terminal
  ) throws(ToolFailure) {
    self.connection = connection
    self.bindings = bindings
    self.out = out
    silence = try connection.hearing(.music).silence
    try connection.subscribe(to: [.rhythm, .music, .haptics])
    let started = try connection.ask(RhythmStart.self, params)
    chapter = started.chapter
    keys = LaneKeys(lanes: started.lanes)
    board = ChapterBoard(started)
    log = ChapterLog(
      startUs: started.startUs - started.positionUs, windowUs: started.windowUs, style: out.style, columns: out.width)
  }

  /// Plays until the chapter is over, q or a signal; gives the final score.
  mutating func play() throws(ToolFailure) -> Score {
    guard let raw = RawMode(descriptor: 0) else {
      throw ToolFailure("the keyboard cannot be read key by key", hint: "run this in a terminal")
    }
    let signals = SignalWatch()
    out.write(WholeScreen.begin)
    defer { out.write(WholeScreen.end) }
    while board.end == nil, !hasQuit, signals.take() == nil, !out.isBroken {
      try listen()
      draw()
      let readable = waitReadable([0, connection.descriptor, signals.descriptor], microseconds: 25_000)
      if readable[0] {
        try takeKeys(stampUs: nowUs())
      } else if reader.flush().contains(.escape) {
        // ESC alone ends; ESC at the start of an arrow key has company within one frame.
        hasQuit = true
      }
    }
    _ = consume raw
    if let end = board.end { return end.score }
    return try connection.ask(RhythmStop.self, Empty()).score
  }

  private mutating func listen() throws(ToolFailure) {
    while let notification = try connection.next(withinUs: 0) {
      guard let told = Event.Notification(notification) else { continue }
      board.take(told, tUs: notification.tUs)
      switch told {
      case .rhythmJudgement, .rhythmAssist, .rhythmComplete, .rhythmChanged, .musicChanged, .timelineCorrected:
        if let line = log.line(told, tUs: notification.tUs, arrivalUs: nowUs()) { say(line) }
      case .rhythmTapped(let tapped) where bindings.contains(tapped.binding): take(tapped, atUs: notification.tUs)
      case .rhythmBindingChanged(let changed) where bindings.contains(changed.binding):
        if let line = log.line(changed, atUs: notification.tUs) { say(line) }
      default: break
      }
    }
  }

  /// A pad's tap, which the daemon read.
  private mutating func take(_ tapped: RhythmTapped, atUs: Int64) {
    guard let verdict = tapped.verdict else {
      return say(log.entry(atUs, "tap", tapped.lane ?? "", tapped.reason ?? "refused", .warning))
    }
    let result = RhythmTap.Result(
      verdict: verdict, beat: tapped.beat, errorUs: tapped.errorUs, tapUs: atUs, stamp: .at, grade: tapped.grade,
      run: tapped.run ?? 0)
    show(result, lane: tapped.lane)
  }

  private mutating func show(_ result: RhythmTap.Result, lane: String?) {
    lastTap = result
    say(log.line(tap: result, lane: lane, due: board.laneDue(atUs: result.tapUs, besides: lane)))
  }

  private mutating func takeKeys(stampUs: Int64) throws(ToolFailure) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(0, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 { hasQuit = true }
      return
    }
    for key in reader.read(Array(bytes[..<count])) {
      switch keys.meaning(of: key) {
      case .quit: hasQuit = true
      case .nothing: break
      case .tap(let lane): try tap(lane, atUs: stampUs)
      }
    }
  }

  private mutating func tap(_ lane: String?, atUs: Int64) throws(ToolFailure) {
    do throws(ClientError) {
      let result = try connection.call(RhythmTap.self, RhythmTap.Params(atUs: atUs, lane: lane))
      show(result, lane: lane)
    } catch {
      guard case .rpc(let refusal) = error.kind else { throw ToolFailure(error) }
      say(log.entry(atUs, "tap", lane ?? "", refusal.message, .warning))
    }
  }

  private mutating func say(_ line: String) {
    said.append(line)
    if said.count > 200 { said.removeFirst(100) }
  }

  private func draw() {
    let screen = ChapterScreen(
      board: board, lastTap: lastTap, log: said, hint: keys.hint, silence: silence, style: out.style)
    let size = out.size
    out.write(
      WholeScreen.drawing(screen.lines(atUs: nowUs(), rows: size.rows, columns: size.columns), style: out.style))
  }
}

/// A score, and what it means for the player where `byKeyboard` tells that this terminal's keys made the taps.
func scoreLines(_ chapter: String, _ score: Score, byKeyboard: Bool = false) -> [String] {
  var lines = ["\(chapter): \(scoreText(score))"]
  guard let median = score.medianErrorUs else { return lines }
  var text = "tap error: median \(signedMilliseconds(median))"
  if let mean = score.meanErrorUs { text += ", mean \(signedMilliseconds(mean))" }
  if let spread = score.spreadUs { text += ", spread \(milliseconds(spread)) (median absolute deviation)" }
  lines.append(text)
  if byKeyboard, abs(median) >= 20_000 {
    lines.append(
      "you tap \(milliseconds(abs(median), places: 0)) \(median > 0 ? "late" : "early"), the keyboard's and the sound's "
        + "delay included: a game would subtract that")
  }
  return lines
}
