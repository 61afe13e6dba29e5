// SPDX-License-Identifier: Apache-2.0

import Haptics
import JSON

extension AHAPDocument {
  /// The document as an AHAP file in canonical form. Parsed again it gives the same document, but for numbers, which are
  /// written to six decimals (of seconds, a microsecond), and metadata values that were not strings, which stay strings.
  public func text() -> String {
    var parts = ["\"Version\": \(decimal(version ?? 1))"]
    if !metadata.isEmpty {
      let members = metadata.map { jsonString($0.key) + ": " + jsonString($0.value) }
      parts.append("\"Metadata\": {\(members.joined(separator: ", "))}")
    }
    let entries = events.map(\.json) + controls.map(\.json)
    parts.append("\"Pattern\": [\(entries.joined(separator: ", "))]")
    let compact = "{\(parts.joined(separator: ", "))}"
    // What was just written can be read; were it not, it would still be right as it is.
    return (try? AHAPLint.canonical(Array(compact.utf8), name: "document")) ?? compact + "\n"
  }
}

extension AHAPEvent {
  fileprivate var json: String {
    var members = ["\"Time\": \(decimal(time))", "\"EventType\": \(jsonString(type.rawValue))"]
    if let duration { members.append("\"EventDuration\": \(decimal(duration))") }
    if let waveformPath { members.append("\"EventWaveformPath\": \(jsonString(waveformPath))") }
    if waveformLoops { members.append("\"EventWaveformLoopEnabled\": true") }
    if !waveformUsesEnvelope { members.append("\"EventWaveformUseVolumeEnvelope\": false") }
    let set = AHAPEventParameter.allCases.compactMap { parameter in
      parameters[parameter].map {
        "{\"ParameterID\": \(jsonString(parameter.rawValue)), \"ParameterValue\": \(decimal($0))}"
      }
    }
    if !set.isEmpty { members.append("\"EventParameters\": [\(set.joined(separator: ", "))]") }
    return "{\"Event\": {\(members.joined(separator: ", "))}}"
  }
}

extension AHAPControl {
  fileprivate var json: String {
    if points.count == 1, points[0].time == 0 {
      return "{\"Parameter\": {\"ParameterID\": \(jsonString(parameter.rawValue)), \"Time\": \(decimal(time)), "
        + "\"ParameterValue\": \(decimal(points[0].value))}}"
    }
    let corners = points.map { "{\"Time\": \(decimal($0.time)), \"ParameterValue\": \(decimal($0.value))}" }
    return "{\"ParameterCurve\": {\"ParameterID\": \(jsonString(parameter.rawValue)), \"Time\": \(decimal(time)), "
      + "\"ParameterCurveControlPoints\": [\(corners.joined(separator: ", "))]}}"
  }
}
