// SPDX-License-Identifier: Apache-2.0

import JSON
import Rhythm

/// A beat map as its file has it, to be written.
public struct BeatMapText: Equatable, Sendable {
  /// The tempo that it was made for.
  public var bpm: Double?
  /// In the order of their times.
  public var beats: [Beat]
  /// Names of the lanes, which beats count from 0.
  public var lanes: [String]

  /// The text of these beats.
  public init(bpm: Double? = nil, beats: [Beat], lanes: [String] = []) {
    self.bpm = bpm
    self.beats = beats
    self.lanes = lanes
  }

  /// JSON with a beat a line, as `BeatMapFile` reads it.
  public var text: String {
    let lines = beats.map { beat in
      let lane = beat.lane.map { ", \"lane\": \(jsonString(lanes[$0]))" } ?? ""
      return "    { \"at\": \(decimalSeconds(beat.at))\(lane) }"
    }
    let tempo = bpm.map { "  \"bpm\": \(decimalText($0)),\n" } ?? ""
    return "{\n\(tempo)  \"beats\": [\n\(lines.joined(separator: ",\n"))\n  ]\n}\n"
  }
}

/// A number to six decimals, without a needless ".0".
public func decimalText(_ value: Double) -> String { decimalSeconds(Int64((value * 1e6).rounded())) }
