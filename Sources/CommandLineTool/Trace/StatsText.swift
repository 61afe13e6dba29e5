// SPDX-License-Identifier: Apache-2.0

import Wire

/// How the daemon fares, for people; with the peaks of the buses where these are not drawn beside it.
func statsLines(_ stats: EngineStats.Result, width: Int = .max, tellsPeaks: Bool = true) -> [String] {
  let audio = stats.audio
  let span = max(0.001, Double(stats.overUs) / 1e6)
  var rows: [[String]] = [
    ["Over", "\(fixed(span, 1)) s, of \(length(stats.uptimeUs)) up"],
    [
      "Audio",
      "\(fixed(audio.load * 100, 1)) % load (at most \(fixed(audio.mostLoad * 100, 1)) %), "
        + "\(fixed(Double(audio.recentPeriods) / span, 0)) periods a second, "
        + "woken \(milliseconds(audio.latestWakeUs, places: 2)) late at most",
    ],
    [
      "",
      "\(count(audio.voices, "voice")), \(count(audio.xruns, "xrun")), \(count(audio.lateStarts, "late start")), "
        + "\(audio.recentFramesLost) frames lost lately, peak \(fixed(audio.peak, 2))",
    ],
    ["Plays", "\(count(stats.sounds, "sound")), \(count(stats.players, "haptic player"))"],
    ["Beats", beatsText(stats.beats)],
    [
      "Process",
      "\(fixed(Double(stats.processorUs) / Double(max(1, stats.uptimeUs)) * 100, 1)) % of a core, "
        + "\(size(stats.residentBytes)), \(stats.lines) lines served",
    ],
  ]
  if tellsPeaks { rows.insert(["Peaks", peaksText(stats.meters)], at: 3) }
  let outputs = stats.outputs.map { output in
    let refused = output.refused > 0 ? ", \(output.refused) refused" : ""
    return "\(output.device): \(fixed(Double(output.recentWrites) / span, 1)) writes a second, "
      + "\(milliseconds(output.slowestUs, places: 2)) the slowest, \(milliseconds(output.latestUs, places: 2)) late at most\(refused)"
  }
  let clients = stats.clients.map { client in
    let queue = client.queuedBytes > 0 ? ", \(size(Int64(client.queuedBytes))) not read" : ""
    return "client \(client.client): \(fixed(Double(client.recentLines) / span, 1)) lines a second, "
      + "\(fixed(Double(client.processorUs) / Double(max(1, stats.overUs)) * 100, 2)) % of a core, "
      + "\(milliseconds(client.mostProcessorUs, places: 2)) for the slowest line, \(count(client.topics, "topic"))\(queue)"
  }
  return columns(rows + headed("Haptics", outputs) + headed("Clients", clients), width: width)
}

private func beatsText(_ beats: EngineStats.Beats) -> String {
  guard let median = beats.medianLateUs, let high = beats.highLateUs else { return "none told lately" }
  return "\(beats.recent) told, median \(milliseconds(median, places: 2)) late, p99 \(milliseconds(high, places: 2))"
}
