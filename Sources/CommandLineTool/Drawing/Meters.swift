// SPDX-License-Identifier: Apache-2.0

import Wire

/// How loud each bus was in the last second: its name, a bar from -60 dBFS to full scale where `width` has room for one, and the
/// number.
func meterRows(_ meters: [EngineStats.Meter], width: Int, style: Style) -> [String] {
  let names = meters.map(\.bus.rawValue.count).max() ?? 0
  let room = min(widestMeter, width - names - levelWidth - 4)
  return meters.map { meter in
    let drawn = bar(meter.peakDb.map { 1 + $0 / meteredDb } ?? 0, width: max(0, room))
    let scale = room < narrowestMeter ? "" : "▕" + style.paint(drawn, ink(meter)) + "▏"
    return meter.bus.rawValue.padded(names) + " " + scale + decibels(meter.peakDb).rightAligned(levelWidth)
  }
}

/// The same in one line.
func peaksText(_ meters: [EngineStats.Meter]) -> String {
  let heard = meters.filter { $0.peakDb != nil }.map { "\($0.bus.rawValue) \(decibels($0.peakDb))" }
  return heard.isEmpty ? "nothing was heard in the last second" : heard.joined(separator: ", ") + " in the last second"
}

/// From the least that is drawn to full scale.
private let meteredDb = 60.0
private let widestMeter = 40
private let narrowestMeter = 6
/// "-120.0 dBFS" takes as many.
private let levelWidth = 11

private func decibels(_ peak: Double?) -> String {
  guard let peak else { return "silent" }
  return (peak > 0 ? "+" : "") + fixed(peak, 1) + " dBFS"
}

/// Beyond full scale the limiter is at work.
private func ink(_ meter: EngineStats.Meter) -> Ink {
  guard let peak = meter.peakDb else { return .normal }
  return peak > 0 ? .bad : peak > -6 ? .warning : .good
}
