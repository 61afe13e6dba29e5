// SPDX-License-Identifier: Apache-2.0

import AudioInput
import Rhythm
import Timing
import Wire

/// By how much a sound device turned out to be heard late, from chirps that were told to be heard and captured again.
struct FoundLead: Encodable, Equatable {
  /// Chirps that were played.
  var tried: Int
  /// Of these were found again.
  var heard: Int
  /// How much later than told they are heard, of each, in microseconds.
  var valuesUs: [Int64]
  /// Their middle: by how much the lead that was in force is wrong.
  var offByUs: Int64
  /// 1.4826 times their median absolute deviation.
  var spreadUs: Int64
  /// Of the middle.
  var standardErrorUs: Int64
  /// From the first to the last.
  var driftUs: Int64
  /// The lead that was in force.
  var knownUs: Int64
  /// What it is by this.
  var deviceLeadUs: Int64

  /// What the capture heard on its first channel of `chirps`, which were told with a lead of `knownUs` in force.
  init(_ chirps: [ProofTrials.Sound], heardIn sound: CapturedSound, knownUs: Int64) throws(OffsetRefusal) {
    var loop = CapturedLoop(sound, channel: 0)
    // A device that needs no lead at all is heard as much too early as the one in force has it.
    let early = CapturedLoop.early + .microseconds(max(0, knownUs))
    let late = Interval.microseconds(deviceLeads.upperBound)
    var found: [(chirp: ProofTrials.Sound, onset: CapturedLoop.Onset)] = []
    for chirp in chirps {
      guard let onset = loop.onset(ofCode: chirp.code, toldUs: chirp.toldUs, early: early, late: late) else { continue }
      found.append((chirp, onset))
    }
    let least = CapturedLoop.leastLikeness(found.map(\.onset))
    found.removeAll { $0.onset.likeness < least }
    valuesUs = found.map { $0.onset.us - $0.chirp.toldUs }
    let offset = try SteadyOffset(
      found.map { SteadyOffset.Sample(at: $0.chirp.toldUs, error: $0.onset.us - $0.chirp.toldUs) }, limits: .chirps)
    (tried, heard) = (chirps.count, found.count)
    (offByUs, spreadUs, standardErrorUs, driftUs) = (
      offset.median, offset.spread, offset.standardError, offset.drift
    )
    self.knownUs = knownUs
    deviceLeadUs = knownUs + offset.median
  }
}

/// What was found, for people; `device` is the daemon's.
func leadLines(_ found: FoundLead, device: String, width: Int = .max) -> [String] {
  func ms(_ us: Int64) -> String { signedMilliseconds(us, places: 2) }
  var said = [
    "\(device) is heard \(ms(found.offByUs)) after what is told (median of \(found.heard) of \(found.tried) chirps): "
      + "spread \(milliseconds(found.spreadUs, places: 2)), standard error \(milliseconds(found.standardErrorUs, places: 2)), "
      + "drift \(ms(found.driftUs))."
  ]
  if let statistics = Statistics(found.valuesUs) {
    let names = ["median", "p99", "most"]
    let figures = zip(names, shownFigures(statistics)).map { "\($0) \($1.map(ms) ?? "-")" }
    said.append("Of each: least \(ms(statistics.least)), " + figures.joined(separator: ", ") + ".")
  }
  said.append(
    "Its lead was \(ms(found.knownUs)) and is \(ms(found.deviceLeadUs)) by this: "
      + (found.deviceLeadUs < 0
        ? "it is heard earlier than the device tells, so all is handed over that much later."
        : "it is heard that much later than the device tells, so all is handed over that much earlier."))
  said.append(
    "In it: what the capture itself adds, and the way through the air (3 ms a metre). Not in it: the way from the place of the "
      + "microphone to an ear.")
  return said.flatMap { hanging($0, indent: 2, width: width) }
}
