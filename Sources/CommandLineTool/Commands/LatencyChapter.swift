// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// A chapter played for what it tells of beats and taps.
private struct MeasuredChapter {
  var beats: [Int64] = []
  var taps: [Int64] = []
  let connection: StarlightConnection
  private(set) var hasEnded = false
  private(set) var firstBeatUs: Int64?
  /// How much of the chapter was played.
  private(set) var playedUs: Int64 = 1

  /// Takes in beats and taps for `lengthUs` from the first beat on, for a song may be long in coming to it, to the chapter's end
  /// or to a signal.
  mutating func measure(
    _ started: RhythmStart.Result, lengthUs: Int64, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) {
    defer { playedUs = max(1, nowUs() - started.startUs) }
    var nextTap = started.startUs
    while !hasEnded, case let end = (firstBeatUs ?? started.endUs) + lengthUs, nowUs() < end, signals.take() == nil {
      try listen()
      if !hasEnded, nowUs() >= nextTap { nextTap = try tap(started.lanes.first) + 47_000 }
      _ = waitReadable([connection.descriptor, signals.descriptor], microseconds: min(nextTap, end) - nowUs())
    }
    try listen()
  }

  private mutating func listen() throws(ToolFailure) {
    while let notification = try connection.next(withinUs: 0) {
      if notification.method == RhythmBeat.name {
        beats.append(nowUs() - notification.tUs)
        if firstBeatUs == nil { firstBeatUs = notification.tUs }
      }
      if notification.method == RhythmComplete.name { hasEnded = true }
    }
  }

  /// Gives the instant of the tap. One that finds the chapter over is no failure: its end is on its way.
  private mutating func tap(_ lane: String?) throws(ToolFailure) -> Int64 {
    let sent = nowUs()
    do throws(ClientError) {
      _ = try connection.call(RhythmTap.self, RhythmTap.Params(atUs: sent, lane: lane))
      taps.append(nowUs() - sent)
    } catch {
      guard error.isNotRunning else { throw ToolFailure(error) }
      hasEnded = true
    }
    return sent
  }

  /// Ends the chapter where it still runs, and the music, which goes on when a chapter ends by itself.
  ///
  /// There was none before, so what plays is the chapter's or that of a cue it fired. A chapter that another client has
  /// begun since keeps its music.
  func end(_ started: RhythmStart.Result) throws(ToolFailure) {
    do throws(ClientError) {
      if hasEnded {
        if try connection.call(RhythmStatus.self, Empty()).running { return }
      } else {
        _ = try connection.call(RhythmStop.self, Empty())
      }
    } catch {
      guard error.isNotRunning else { throw ToolFailure(error) }
    }
    // Music that has not begun is stopped as it begins.
    _ = try connection.ask(MusicStop.self, FadeParams(atUs: started.startUs))
  }
}

extension LatencyMeasurement {
  /// Plays `chapter` for `lengthUs`, or to its end, and leaves nothing playing; what cannot be measured is noted.
  ///
  /// Throws when the daemon cannot be asked any more.
  mutating func measureChapter(
    _ connection: StarlightConnection, _ chapter: PackList.Chapter, lengthUs: Int64
  ) throws(ToolFailure) {
    let signals = SignalWatch()
    try connection.subscribe(to: [.rhythm])
    let started: RhythmStart.Result
    do throws(ClientError) {
      started = try connection.call(RhythmStart.self, RhythmStart.Params(chapter: chapter.name, unrecorded: true))
    } catch {
      guard case .rpc = error.kind else { throw ToolFailure(error) }
      notes.append("beats and taps were not measured: \(ToolFailure(error).message)")
      return
    }
    var measured = MeasuredChapter(connection: connection)
    do throws(ToolFailure) {
      try measured.measure(started, lengthUs: lengthUs, signals)
    } catch {
      notes.append("beats and taps were not measured to the end: \(error.message)")
    }
    try measured.end(started)
    add("beat to event", "rhythm.beat, from the beat's instant to its arrival", measured.beats)
    add("tap to verdict", "rhythm.tap, from asking to the verdict", measured.taps)
    if measured.beats.isEmpty { notes.append("beat to event was not measured: no beat of \(chapter.name) came") }
    let part = Double(min(measured.playedUs, chapter.lengthUs)) / Double(chapter.lengthUs)
    let inAll = [("beat to event", Double(chapter.beats)), ("tap to verdict", Double(measured.taps.count) / part)]
    for (what, all) in inAll {
      noteFewSamples(of: what) { wanted in
        if Double(wanted) > all { return "more than all of \(chapter.name) brings" }
        // Beats lie unevenly: a tenth more time is asked for.
        let needed = Double(chapter.lengthUs) / 1e6 * min(1, 1.1 * Double(wanted) / all)
        return "`--seconds \(Int(needed.rounded(.up)))`"
      }
    }
    if lengthUs > chapter.lengthUs {
      notes.append("chapter \(chapter.name) lasts \(length(chapter.lengthUs)): beats and taps are of that time")
    }
  }
}

extension ClientError {
  /// Whether the daemon refused because nothing of the kind runs.
  fileprivate var isNotRunning: Bool {
    if case .rpc(let refusal) = kind { refusal.data.kind == RPCError.Kind.notRunning.rawValue } else { false }
  }
}
