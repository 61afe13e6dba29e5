// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// What happens in a chapter as lines to read, each with its song position.
struct ChapterLog {
  /// The instant of song position zero.
  let startUs: Int64
  /// Half-width of the hit window in force, for the scales.
  var windowUs: Int64
  let style: Style
  /// Of the terminal.
  var columns = 80
  /// Of the scales, so that the verdict behind one is seen.
  private var scaleWidth: Int { (max(5, min(21, columns - 45)) - 1) | 1 }

  /// The line for what was told of `tUs`; nothing for what is only drawn, and for what a tap's reply says better.
  ///
  /// What is told ahead of its time stands at the instant it was told, `arrivalUs`.
  mutating func line(_ told: Event.Notification, tUs instant: Int64, arrivalUs: Int64) -> String? {
    let ahead = instant - arrivalUs
    let tUs = min(instant, arrivalUs)
    switch told {
    case .rhythmSpawn(let spawn):
      let text = "due in \(fixed(seconds(spawn.beatUs - instant), 1)) s"
      return entry(tUs, "spawn", name(spawn.beat, spawn.lane), text, .dim)
    case .rhythmBeat(let beat): return entry(tUs, "beat", name(beat.beat, beat.lane), "", .bold)
    case .rhythmJudgement(let judgement) where judgement.verdict == .miss:
      let total = count(judgement.misses, "miss", plural: "misses") + " so far"
      return entry(tUs, "miss", name(judgement.beat ?? 0, judgement.lane), total, .bad)
    case .rhythmJudgement(let judgement) where judgement.verdict == .void:
      let text = "the daemon stood still: counts as nothing"
      return entry(tUs, "void", name(judgement.beat ?? 0, judgement.lane), text, .warning)
    case .rhythmAssist(let assist):
      windowUs = assist.windowUs
      return entry(tUs, "assist", "", "the window is ±\(assist.windowUs / 1_000) ms from here on", .warning)
    case .musicChanged(let changed):
      let when = ahead > 50_000 ? ", in \(fixed(seconds(ahead), 1)) s" : ""
      return entry(tUs, "music", "", musicChange(changed) + when, .accent)
    case .rhythmComplete(let complete):
      return entry(tUs, "end", "", complete.stopped ? "the chapter was stopped" : "the chapter is over", .bold)
    case .rhythmChanged(let changed): return entry(tUs, "chapter", "", chapterChange(changed), .bold)
    case .timelineCorrected(let correction):
      let lost = "\(correction.lostFrames) frames lost, \(signedMilliseconds(correction.correctionUs))"
      return entry(tUs, "sound", "", lost, .warning)
    default: return nil
    }
  }

  /// The line for a pad that came or went; nil where there is nothing to say.
  func line(_ changed: RhythmBindingChanged, atUs: Int64) -> String? {
    if changed.lostOn != nil {
      return entry(atUs, "pad", "", "sent more than was read: presses may be missing", .warning)
    }
    guard let device = changed.devices.first else { return entry(atUs, "pad", "", "is unplugged", .warning) }
    switch device.state {
    case .listening: return entry(atUs, "pad", "", device.name + " taps", .accent)
    case .denied, .failed:
      return entry(atUs, "pad", "", device.problem?.description ?? "\(device.name) cannot be read", .warning)
    case .waiting, .opening: return nil
    }
  }

  /// The line for a tap that was judged; `due` is the lane of a beat that it would have hit there.
  func line(tap: RhythmTap.Result, lane: String?, due: String? = nil) -> String {
    if tap.verdict == .held {
      return entry(tap.tapUs, "tap", lane.map { "   " + $0 } ?? "", "is judged in a moment", .dim)
    }
    if tap.verdict == .ghost {
      let reason = due.map { "the wrong lane, the beat is in \($0)" } ?? "in no beat's window"
      return entry(tap.tapUs, "tap", lane.map { "   " + $0 } ?? "", "a ghost, \(reason): costs nothing", .warning)
    }
    let error = signedMilliseconds(tap.errorUs ?? 0).rightAligned(9)
    let scale = tapScale(errorUs: tap.errorUs, windowUs: windowUs, width: scaleWidth)
    return entry(tap.tapUs, "tap", name(tap.beat ?? 0, lane), "\(error) \(scale) hit", .good)
  }

  /// "music", "main begins".
  func entry(_ tUs: Int64, _ kind: String, _ what: String, _ text: String, _ ink: Ink) -> String {
    let time = clockTime(tUs - startUs).rightAligned(8)
    return trimmed("\(style.paint(time, .dim))  \(style.paint(kind.padded(7), ink)) \(what.padded(10)) \(text)")
  }

  /// "12 left": beat 12 as the socket counts them, from 0.
  private func name(_ beat: Int, _ lane: String?) -> String {
    String(beat).rightAligned(2) + (lane.map { " " + $0 } ?? "")
  }

  private func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1e6 }
}

/// "goes on, 2.13 s later than planned".
func chapterChange(_ changed: RhythmChanged) -> String {
  switch changed.change {
  case .started: "begins"
  case .paused: "is paused"
  case .resumed: "goes on, \(length(changed.movedUs ?? 0)) later than planned"
  case .restarted: "begins anew"
  case .unattended: "goes on alone for a while: its client has gone"
  case .takenOver: "is another client's now"
  }
}

/// "cross-fade from main to finale over 2.00 s".
func musicChange(_ changed: MusicChanged) -> String {
  let track = changed.track ?? "the music"
  switch changed.change {
  case .started: return "\(track) begins"
  case .crossfaded where changed.from == changed.track: return "\(track) begins again"
  case .crossfaded:
    let fade = changed.fadeUs.map { " over \(length($0))" } ?? ""
    let out = changed.fadeOutUs.map { ", out over \(length($0))" } ?? ""
    return "cross-fade from \(changed.from ?? "what played") to \(track)\(fade)\(out)"
  case .paused: return "\(track) pauses"
  case .resumed: return "\(track) goes on"
  case .stopped: return "\(track) stops"
  case .ended: return "\(track) ends"
  case .starved: return "\(track) falls silent: it is not read from disk fast enough"
  case .rejoined: return "\(track) is back, in place"
  }
}
