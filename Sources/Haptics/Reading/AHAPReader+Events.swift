// SPDX-License-Identifier: Apache-2.0

import JSON
import Suggestions

extension AHAPReader {
  private static let eventKeys = [
    "Time", "EventType", "EventDuration", "EventParameters", "EventWaveformPath", "EventWaveformUseVolumeEnvelope",
    "EventWaveformLoopEnabled",
  ]
  private static let times = 0...AHAPLimits.time

  /// Reads the value of an Event and adds it to the document; nil when it cannot be played.
  mutating func readEvent(_ index: Int) -> AHAPEvent? {
    guard isObject(index, "Event") else { return nil }
    var event = AHAPEvent(.transient, time: 0)
    var type: AHAPEventType?
    var seenType = false
    var seenTime = false
    var duration: Int?
    var path: Int?
    var parameters: Int?
    tape.forEachMember(of: index) { key, value in
      if tape.isString(key, "Time") {
        seenTime = true
        event.time = number(value, "Time", in: Self.times) ?? 0
      } else if tape.isString(key, "EventType") {
        seenType = true
        type = eventType(value)
      } else if tape.isString(key, "EventDuration") {
        duration = value
      } else if tape.isString(key, "EventParameters") {
        parameters = value
      } else if tape.isString(key, "EventWaveformPath") {
        path = value
        event.waveformPath = string(value, "EventWaveformPath", atMost: AHAPLimits.pathBytes)
      } else if tape.isString(key, "EventWaveformUseVolumeEnvelope") {
        event.waveformUsesEnvelope = boolean(value, "EventWaveformUseVolumeEnvelope") ?? true
      } else if tape.isString(key, "EventWaveformLoopEnabled") {
        event.waveformLoops = boolean(value, "EventWaveformLoopEnabled") ?? false
      } else {
        noteUnknown(key, among: Self.eventKeys)
      }
    }
    if !seenType {
      findings.add(
        .error, "missing-event-type", at: tape.offset(of: index), "this event has no EventType and is left out",
        apple: "refuses the file", fix: "add \"EventType\": \"HapticTransient\" or another")
    }
    guard let type else {
      if let parameters { _ = readParameters(parameters, of: &event, type: nil) }
      return nil
    }
    event.type = type
    if !seenTime { noteMissingTime(index, of: "this event") }
    readDuration(duration, of: &event, index)
    let named = parameters.map { readParameters($0, of: &event, type: type) } ?? []
    noteDefaults(of: event, index, named: named)
    if type == .audioCustom && isMissing(path) {
      findings.add(
        .warning, "missing-waveform", at: tape.offset(of: path ?? index),
        "AudioCustom without EventWaveformPath is not heard",
        apple: "refuses the event", fix: "name a sound file")
    }
    // An envelope that is not sustained ends by itself.
    let isCutOff = event.waveformUsesEnvelope && event.value(.sustained) < 0.5
    if type == .audioCustom, event.waveformLoops, event.duration == nil, !isCutOff {
      findings.add(
        .warning, "loop-without-duration", at: tape.offset(of: index),
        "EventWaveformLoopEnabled repeats a sound for its EventDuration; without one it is heard once",
        apple: "does not document how often it is heard then", fix: "add \"EventDuration\", in seconds")
    }
    append(event, path: path)
    return event
  }

  private mutating func eventType(_ index: Int) -> AHAPEventType? {
    guard let name = string(index, "EventType") else { return nil }
    if let type = AHAPEventType(rawValue: name) { return type }
    if findings.isOnlyCounted(.error) { return nil }
    let known = AHAPEventType.allCases.map(\.rawValue)
    let hint = didYouMean(name, among: known)
    findings.add(
      .error, "unknown-event-type", at: tape.offset(of: index),
      "there is no EventType \(tape.excerpt(at: index))" + (hint.isEmpty ? "; the event is left out" : hint),
      apple: "refuses the file", fix: "write one of " + known.joined(separator: ", "))
    return nil
  }

  private mutating func readDuration(_ duration: Int?, of event: inout AHAPEvent, _ index: Int) {
    switch event.type {
    case .transient:
      guard let duration else { return }
      event.duration = number(duration, "EventDuration", in: Self.times)
      edits.removed.insert(duration - 1)
      findings.add(
        .warning, "transient-duration", at: tape.offset(of: duration),
        "a transient is felt no longer for its EventDuration; the pattern ends, and loops, no earlier",
        apple: "ends and loops the pattern after it", fix: "remove EventDuration", isFixable: true)
    case .continuous:
      event.duration = duration.flatMap { number($0, "EventDuration", in: 0...AHAPLimits.continuousDuration) }
      if isMissing(duration) {
        findings.add(
          .warning, "missing-duration", at: tape.offset(of: index),
          "a continuous event without EventDuration is not felt",
          apple: "requires a duration", fix: "add \"EventDuration\", in seconds")
      }
    case .audioContinuous, .audioCustom:
      event.duration = duration.flatMap { number($0, "EventDuration", in: Self.times) }
    }
  }

  /// Gives the parameters that are named, whether or not their values can be used: all where none can be told.
  ///
  /// Without a `type` nothing is said of what has no effect.
  private mutating func readParameters(
    _ index: Int, of event: inout AHAPEvent, type: AHAPEventType?
  ) -> Set<AHAPEventParameter> {
    var named: Set<AHAPEventParameter> = []
    if !isMissing(index), tape.nodes[index].kind != .array { named = Set(AHAPEventParameter.allCases) }
    for object in objects(index, "EventParameters") {
      let (id, value) = parameterMembers(object, among: ["ParameterID", "ParameterValue"])
      guard let id, let name = string(id, "ParameterID") else {
        if isMissing(id) { noteMissingID(object, known: AHAPEventParameter.allCases.map(\.rawValue)) }
        continue
      }
      guard let parameter = AHAPEventParameter(rawValue: name) else {
        noteUnknownParameter(id, name, of: "an event", known: AHAPEventParameter.allCases.map(\.rawValue))
        continue
      }
      guard let value else {
        findings.add(
          .note, "missing-value", at: tape.offset(of: object), "\(name) has no ParameterValue; its default is used",
          apple: "takes the default", fix: "add \"ParameterValue\"")
        continue
      }
      if !isMissing(value) { named.insert(parameter) }
      guard let number = number(value, "ParameterValue", in: parameter.range) else { continue }
      if event.parameters[parameter] != nil {
        findings.add(
          .warning, "duplicate-parameter", at: tape.offset(of: id), "\(name) is there twice; the last counts here",
          apple: "uses one of the two; which is not documented", fix: "remove one of them")
      }
      if let type, !parameter.applies(to: type) {
        findings.add(
          .note, "no-effect", at: tape.offset(of: id), "\(name) changes nothing in a \(type.rawValue)",
          apple: "ignores it", fix: "remove it")
      }
      event.parameters[parameter] = number
    }
    return named
  }

  private mutating func noteDefaults(of event: AHAPEvent, _ index: Int, named: Set<AHAPEventParameter>) {
    if !event.type.isHaptic { return }
    for (parameter, code) in [(AHAPEventParameter.intensity, "missing-intensity"), (.sharpness, "missing-sharpness")]
    where !named.contains(parameter) {
      let (name, value) = (parameter.rawValue, event.value(parameter))
      findings.add(
        .note, code, at: tape.offset(of: index), "no \(name); \(value) is used",
        apple: "takes its default, \(value)",
        fix: "add {\"ParameterID\": \"\(name)\", \"ParameterValue\": \(value)}, or what is wanted")
    }
  }

  mutating func noteMissingTime(_ index: Int, of what: String) {
    findings.add(
      .note, "missing-time", at: tape.offset(of: index), "\(what) has no Time; 0 is used", apple: "takes 0",
      fix: "add \"Time\": 0.0")
  }

  mutating func noteMissingID(_ index: Int, known: [String]) {
    findings.add(
      .error, "missing-parameter-id", at: tape.offset(of: index), "there is no ParameterID; this is left out",
      apple: "refuses the file", fix: "add \"ParameterID\", one of " + known.joined(separator: ", "))
  }

  mutating func noteUnknownParameter(_ id: Int, _ name: String, of what: String, known: [String]) {
    if findings.isOnlyCounted(.warning) { return }
    let isMisplaced = AHAPEventParameter(rawValue: name) != nil || AHAPDynamicParameter(rawValue: name) != nil
    let hint = didYouMean(name, among: known)
    findings.add(
      .warning, isMisplaced ? "misplaced-parameter" : "unknown-parameter", at: tape.offset(of: id),
      "\(tape.excerpt(at: id)) is no parameter of \(what)" + (hint.isEmpty ? "; it is left out" : hint),
      apple: "ignores it", fix: "write one of " + known.joined(separator: ", "))
  }

  /// The values of ParameterID and ParameterValue in the object at `index`; other keys than `known` are noted.
  mutating func parameterMembers(_ index: Int, among known: [String]) -> (id: Int?, value: Int?) {
    var id: Int?
    var value: Int?
    tape.forEachMember(of: index) { key, member in
      if tape.isString(key, "ParameterID") {
        id = member
      } else if tape.isString(key, "ParameterValue") {
        value = member
      } else if !known.contains(tape.string(at: key)) {
        noteUnknown(key, among: known)
      }
    }
    return (id, value)
  }
}
