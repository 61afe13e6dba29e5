// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads scanned JSON as an AHAP document, noting all that is not as it should be, and what would mend it.
struct AHAPReader {
  let tape: JSONTape
  var findings = AHAPFindings()
  var edits = AHAPEdits()
  private(set) var document = AHAPDocument(version: nil)
  /// The Time of each entry of Pattern, by its index in the tape, for putting them in order.
  private var entryTimes: [(entry: Int, time: Double)] = []

  /// Where each sound file is first named.
  private(set) var waveformOffsets: [String: Int] = [:]

  /// The curves whose points may be in the wrong time.
  var delayedCurves: [ReadCurve] = []
  /// The first list of points that is longer than any that is read.
  var overlongCurve: Int?

  init(_ tape: JSONTape) {
    self.tape = tape
    for comma in tape.trailingCommas {
      findings.add(
        .warning, "trailing-comma", at: comma, "a comma before a closing bracket is not JSON",
        apple: "reads it all the same", fix: "remove the comma", isFixable: true)
    }
    for key in tape.repeatedNames {
      findings.add(
        .error, "duplicate-key", at: tape.offset(of: key),
        "the key \(tape.excerpt(at: key)) is there twice; the first is left out",
        apple: "keeps one of the two; which is not documented", fix: "remove one of them")
    }
  }

  /// Reads the whole document; throws where nothing could be played at all.
  mutating func read() throws(AHAPFailure) {
    guard tape.nodes[0].kind == .object else {
      throw AHAPFailure(
        offset: tape.offset(of: 0), code: "not-an-object", reason: "the file is not an object but \(tape.noun(at: 0))",
        remedy: "write { \"Version\": 1.0, \"Pattern\": [ ... ] }")
    }
    var version: Int?
    var pattern: Int?
    var metadata: Int?
    var unknown: [Int] = []
    tape.forEachMember(of: 0) { key, value in
      if tape.isString(key, "Version") {
        version = value
      } else if tape.isString(key, "Pattern") {
        pattern = value
      } else if tape.isString(key, "Metadata") {
        metadata = value
      } else {
        unknown.append(key)
      }
    }
    for key in unknown { noteUnknown(key, among: ["Version", "Metadata", "Pattern"]) }
    readVersion(version)
    if let metadata { readMetadata(metadata) }
    guard let pattern, tape.nodes[pattern].kind == .array else {
      throw AHAPFailure(
        offset: tape.offset(of: pattern ?? 0), code: "no-pattern",
        reason: pattern.map { "Pattern is not an array but \(tape.noun(at: $0))" } ?? "there is no Pattern",
        remedy: "add \"Pattern\": [ { \"Event\": { ... } } ]")
    }
    readPattern(pattern)
    if let overlongCurve {
      throw AHAPFailure(
        offset: tape.offset(of: overlongCurve), code: "too-many-points",
        reason: "this curve has \(tape.nodes[overlongCurve].count) points; \(AHAPLimits.curvePoints) are read at most",
        remedy: "leave out those that lie on the line between others")
    }
    if let time = document.crowding(beyond: AHAPLimits.continuousAtOnce) {
      throw AHAPFailure(
        offset: tape.offset(of: entryTimes.first { $0.time == time && isEvent($0.entry) }?.entry ?? pattern),
        code: "too-many-at-once",
        reason: "more than \(AHAPLimits.continuousAtOnce) continuous events sound at once from here on",
        remedy: "let fewer overlap: one of their summed intensity feels the same")
    }
  }

  private mutating func readVersion(_ index: Int?) {
    if let index, let version = number(index, "Version") {
      document.version = version
      return
    }
    guard isMissing(index) else { return }
    edits.version = "1.0"
    findings.add(
      .note, "missing-version", at: tape.offset(of: index ?? 0), "there is no Version; 1.0 is assumed",
      apple: "plays it as version 1.0", fix: "add \"Version\": 1.0", isFixable: true)
  }

  private mutating func readMetadata(_ index: Int) {
    guard isObject(index, "Metadata") else { return }
    tape.forEachMember(of: index) { key, value in
      let isString = tape.nodes[value].kind == .string
      document.metadata.append(
        AHAPMetadata(key: tape.string(at: key), value: isString ? tape.string(at: value) : tape.text(at: value)))
    }
  }

  private mutating func readPattern(_ index: Int) {
    let entries = tape.elements(of: index)
    if entries.isEmpty {
      findings.add(
        .warning, "empty-pattern", at: tape.offset(of: index), "Pattern is empty: there is nothing to feel",
        apple: "plays nothing", fix: "add an Event")
    }
    document.events.reserveCapacity(entries.count)
    entryTimes.reserveCapacity(entries.count)
    for entry in entries { readEntry(entry) }
    noteDisorder(of: index)
    noteAbsolutePoints()
  }

  private mutating func readEntry(_ entry: Int) {
    guard isObject(entry, "an entry of Pattern") else { return }
    var time: Double?
    var known = false
    tape.forEachMember(of: entry) { key, value in
      if tape.isString(key, "Event") {
        known = true
        if let event = readEvent(value) { time = time ?? event.time }
      } else if tape.isString(key, "Parameter") {
        known = true
        if let control = readParameter(value) { time = time ?? control.time }
      } else if tape.isString(key, "ParameterCurve") {
        known = true
        if let control = readCurve(value) { time = time ?? control.time }
      } else {
        noteUnknown(key, among: ["Event", "Parameter", "ParameterCurve"])
      }
    }
    if !known && tape.nodes[entry].count == 0 {
      findings.add(
        .warning, "empty-entry", at: tape.offset(of: entry), "this entry of Pattern is empty", apple: "ignores it",
        fix: "remove it, or write an Event in it")
    }
    entryTimes.append((entry, time ?? entryTimes.last?.time ?? 0))
  }

  /// Puts the entries in order of time; those of one time stay in the order of the file, which decides which control
  /// wins.
  private mutating func noteDisorder(of pattern: Int) {
    var latest = 0.0
    var early: Int?
    for (entry, time) in entryTimes where isEvent(entry) {
      if time < latest, early == nil { early = entry }
      latest = max(latest, time)
    }
    guard let early else { return }
    edits.order[pattern] = entryTimes.sorted { $0.time < $1.time }.map(\.entry)
    findings.add(
      .note, "unsorted-events", at: tape.offset(of: early), "this event is earlier than one before it",
      apple: "plays every event at its Time, whatever the order", fix: "sort the entries of Pattern by Time",
      isFixable: true)
  }

  private func isEvent(_ entry: Int) -> Bool {
    tape.nodes[entry].kind == .object && tape.nodes[entry].count > 0 && tape.isString(entry + 1, "Event")
  }

  /// Adds an event; `path` is where its sound file is named.
  mutating func append(_ event: AHAPEvent, path: Int?) {
    if let path, let name = event.waveformPath, waveformOffsets[name] == nil {
      waveformOffsets[name] = tape.offset(of: path)
    }
    document.events.append(event)
  }

  mutating func append(_ control: AHAPControl) { document.controls.append(control) }
}
