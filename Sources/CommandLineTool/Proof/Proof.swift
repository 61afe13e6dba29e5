// SPDX-License-Identifier: Apache-2.0

import AudioInput
import ClosedLoop
import Timing

/// What a closed loop shows: of each way its times, and how they were had.
struct Proof: Encodable, Equatable {
  /// One way from here to there, many times over.
  struct Row: Encodable, Equatable {
    /// A name that stays, for programs.
    var what: What
    /// How all of these were had: from one end to the other, by this program's own clock and ears. What the daemon has of itself
    /// stands apart.
    let origin = "closed loop"
    /// From where to where.
    var from: String
    /// What lies outside of it.
    var unseen: String
    var valuesUs: [Int64]

    var statistics: Statistics? { Statistics(valuesUs) }
  }

  enum What: String, Encodable {
    case commandToSound, toldToHeard, beatHeardToRead, soundToTouch, beatToTouch, tapToVerdict
  }

  /// A difference at its instant, for the picture of the run.
  struct Point: Encodable, Equatable {
    var atUs: Int64
    var differenceUs: Int64
  }

  /// Tried, and heard of these.
  var tried: Int
  var heard: Int
  var rows: [Row]
  /// From told to heard over the run.
  var run: [Point]
  /// Of the playback's timeline against the capture's, in parts per million.
  var driftPPM: Double?
  /// What the capture's own clock may be wrong by.
  var captureErrorUs: Int64
  var captureLosses: Int

  /// Taps that were asked for.
  var touched: Int

  /// What was captured holds of `trials`: of the channels that were kept the first hears. What moved is told by `felt`.
  init(_ trials: ProofTrials, heardIn sound: CapturedSound, felt: ProofTouch = .nothing) {
    var loop = CapturedLoop(sound, channel: 0)
    let heard = trials.sounds.map { loop.onset(ofCode: $0.code, toldUs: $0.toldUs) }
    let beats = trials.beats.map { loop.onset(ofCode: $0.code, toldUs: $0.toldUs) }
    let least = CapturedLoop.leastLikeness((heard + beats).compactMap(\.self))
    func found<Trial>(_ trials: [Trial], _ onsets: [CapturedLoop.Onset?]) -> [(Trial, CapturedLoop.Onset)] {
      zip(trials, onsets).compactMap { trial, onset in onset.flatMap { $0.likeness >= least ? (trial, $0) : nil } }
    }
    let (sounds, told) = (found(trials.sounds, heard), found(trials.beats, beats))
    tried = trials.sounds.count + trials.beats.count
    self.heard = sounds.count + told.count
    run = (sounds.map { ($0.1.us, $0.0.toldUs) } + told.map { ($0.1.us, $0.0.toldUs) })
      .map { heard, told in Point(atUs: heard, differenceUs: heard - told) }.sorted { $0.atUs < $1.atUs }
    driftPPM =
      Drift(
        run.map { (at: Instant(microseconds: $0.atUs), difference: .microseconds($0.differenceUs)) }
      )?.partsPerMillion
    captureErrorUs = loop.errorUs
    captureLosses = loop.losses
    rows = [
      Row(
        what: .commandToSound, from: "from before the line is written to the chirp at the capture",
        unseen: "what the capture itself adds is in it; the way from a speaker to an ear is not",
        valuesUs: sounds.map { $0.1.us - $0.0.sentUs }),
      Row(
        what: .toldToHeard,
        from: "from the instant that the reply or beat tells to the chirp at the capture",
        unseen: "converters, cables and the capture's own way make it larger; the capture's clock is not exact either",
        valuesUs: run.map(\.differenceUs)),
      Row(
        what: .beatHeardToRead, from: "from a beat at the capture to rhythm.beat read",
        unseen: "the game that draws it, and its display", valuesUs: told.map { $0.0.readUs - $0.1.us }),
    ]
    let touches = sounds.filter { $0.0.touchToldUs != nil }.map(\.1)
    let planned = told.filter { $0.0.touchToldUs != nil }.map(\.1)
    touched = touches.count + planned.count
    for (what, onsets) in [(What.soundToTouch, touches), (.beatToTouch, planned)] {
      let begins =
        what == .soundToTouch ? "a chirp fired now with a tap" : "the chirp of a beat that a tap was asked for at"
      rows.append(
        Row(
          what: what, from: "from \(begins) to \(felt.end)", unseen: felt.unseen,
          valuesUs: onsets.compactMap { onset in felt.instant(near: onset, in: loop).map { $0 - onset.us } }))
    }
    rows.append(
      Row(
        what: .tapToVerdict, from: "from before the tap's line is written to its verdict read",
        unseen: "the pad or key that is pressed", valuesUs: trials.tapsUs))
    rows.removeAll(where: \.valuesUs.isEmpty)
  }

  /// The times of one way; nil where it was not measured.
  func row(_ what: What) -> Row? { rows.first { $0.what == what } }
}
