// SPDX-License-Identifier: Apache-2.0

import Wire

/// What the daemon's threads did, laid out on the tracks of a trace.
struct TracePicture {
  private(set) var trace: PerfettoTrace
  private let rate: Int
  /// Where what is not over is drawn to.
  private let endUs: Int64
  private var named: Set<Int64> = []
  private var devices: [String: Int64] = [:]
  private var voices: [Int64: (name: String, heardUs: Int64, notes: [PerfettoTrace.Note], starts: Int)] = [:]
  /// Writes that are under way, by their device.
  private var writing: [String: TraceEntry] = [:]
  private var used: (atUs: Int64, processorUs: Int64)?

  private enum Track {
    static let daemon: Int64 = 1
    static let control: Int64 = 2
    static let audio: Int64 = 3
    static let errands: Int64 = 4
    static let load: Int64 = 5
    static let processor: Int64 = 6
    static let voices: Int64 = 7
    static let engine: Int64 = 8
    static let device: Int64 = 100
    static let client: Int64 = 100_000
    static let voice: Int64 = 1 << 40
  }

  /// The picture of `entries`, of a daemon of `rate` frames a second.
  init(_ entries: [TraceEntry], rate: Int, monotonic: Int64, bootTime: Int64) {
    trace = PerfettoTrace(monotonic: monotonic, bootTime: bootTime)
    self.rate = max(1, rate)
    endUs = entries.map { max($0.toUs ?? $0.fromUs, $0.fromUs) }.max() ?? 0
    trace.addTrack(Track.daemon, "starlightd")
    for entry in entries { add(entry) }
    for (id, _) in voices.sorted(by: { $0.key < $1.key }) { end(id, at: max(endUs, voices[id]?.heardUs ?? 0)) }
    for (_, write) in writing.sorted(by: { $0.key < $1.key }) { add(write: write, to: endUs, "not answered") }
  }

  private mutating func add(_ entry: TraceEntry) {
    switch entry.what {
    case .period: addPeriod(entry)
    case .lost:
      let name = "\(entry.frames ?? 0) frames lost: \(entry.detail ?? "")"
      trace.addInstant(track(Track.audio, "audio"), name, at: entry.fromUs, notes(entry))
    case .turn:
      trace.addSlice(
        track(Track.control, "control"), "turn", from: entry.fromUs, to: entry.toUs ?? entry.fromUs, notes(entry))
    case .line: addLine(entry)
    case .errand:
      trace.addSlice(
        track(Track.errands, "errands"), "errand", from: entry.fromUs, to: entry.toUs ?? entry.fromUs, notes(entry))
    case .plan, .player, .handedOut:
      let name = "\(entry.what == .handedOut ? "hand out" : "plan") \(text(of: entry))"
      trace.addInstant(track(Track.control, "control"), name, at: entry.fromUs, notes(entry))
    case .change:
      let name = "change by cue \(entry.cue ?? 0)"
      trace.addInstant(track(Track.control, "control"), name, at: entry.fromUs, notes(entry))
    case .start: addStart(entry)
    case .moved: if let id = entry.id { voices[id]?.heardUs = entry.fromUs }
    case .letGo: letGo(entry)
    case .unbegun:
      let name = "\(text(of: entry)) \(entry.detail ?? "")"
      trace.addInstant(track(Track.control, "control"), name, at: entry.fromUs, notes(entry))
    case .silent:
      let name = "track \(entry.id ?? 0) \(entry.detail == nil ? "has nothing to play" : "is back")"
      trace.addInstant(track(Track.voices, "voices"), name, at: entry.fromUs, notes(entry))
    case .ended: if let id = entry.id { end(id, at: entry.fromUs) }
    case .pause:
      guard let to = entry.toUs else { return }
      trace.addSlice(track(Track.engine, "engine"), "paused", from: entry.fromUs, to: to, notes(entry))
    case .writing: writing[entry.device ?? ""] = entry
    case .write:
      writing[entry.device ?? ""] = nil
      add(write: entry, to: entry.toUs ?? endUs, entry.detail ?? "write")
    case .told:
      trace.addInstant(client(entry), "told \(text(of: entry))", at: entry.toUs ?? entry.fromUs, notes(entry))
    case .client: trace.addInstant(client(entry), entry.detail ?? "", at: entry.fromUs)
    case .processor: addProcessor(entry)
    }
  }

  private mutating func addPeriod(_ entry: TraceEntry) {
    let (from, to, frames) = (entry.fromUs, entry.toUs ?? entry.fromUs, entry.frames ?? 0)
    trace.addSlice(track(Track.audio, "audio"), "period", from: from, to: to, notes(entry))
    let length = max(1, frames * 1_000_000 / Int64(rate))
    trace.addCount(track(Track.load, "audio load", unit: "% of a period"), (to - from) * 100 / length, at: from)
  }

  private mutating func addLine(_ entry: TraceEntry) {
    let name = entry.method ?? "line"
    trace.addSlice(
      track(Track.control, "control"), name, from: entry.fromUs, to: entry.toUs ?? entry.fromUs, notes(entry))
    trace.addInstant(client(entry), name, at: entry.dueUs ?? entry.fromUs, notes(entry))
  }

  private mutating func addStart(_ entry: TraceEntry) {
    guard let id = entry.id else { return }
    // A start that the mixer lets go of may be handed over again before it says so.
    voices[id] = (
      "\(entry.kind == .music ? "track" : "sound") \(id)", entry.heardUs ?? entry.fromUs, notes(entry),
      (voices[id]?.starts ?? 0) + 1
    )
    trace.addInstant(track(Track.control, "control"), "start \(voices[id]?.name ?? "")", at: entry.fromUs, notes(entry))
  }

  private mutating func letGo(_ entry: TraceEntry) {
    guard let id = entry.id, let starts = voices[id]?.starts else { return }
    if starts > 1 { voices[id]?.starts = starts - 1 } else { voices[id] = nil }
  }

  private mutating func end(_ voice: Int64, at instant: Int64) {
    guard let begun = voices.removeValue(forKey: voice) else { return }
    let parent = track(Track.voices, "voices")
    let own = track(Track.voice + voice, begun.name, in: parent)
    if instant >= begun.heardUs { trace.addSlice(own, begun.name, from: begun.heardUs, to: instant, begun.notes) }
  }

  private mutating func add(write entry: TraceEntry, to end: Int64, _ name: String) {
    let device = entry.device ?? "unplugged"
    let number = devices[device] ?? Track.device + Int64(devices.count)
    devices[device] = number
    trace.addSlice(track(number, "haptic \(device)"), name, from: entry.fromUs, to: end, notes(entry))
  }

  /// What the audio thread used of the processor since the last look.
  private mutating func addProcessor(_ entry: TraceEntry) {
    defer { used = entry.processorUs.map { (entry.fromUs, $0) } }
    guard let used, let now = entry.processorUs, entry.fromUs > used.atUs else { return }
    trace.addCount(
      track(Track.processor, "audio processor", unit: "% of a core"),
      (now - used.processorUs) * 100 / (entry.fromUs - used.atUs), at: entry.fromUs)
  }

  private mutating func client(_ entry: TraceEntry) -> Int64 {
    let number = entry.client ?? 0
    return track(Track.client + number, number == 0 ? "daemon" : "client \(number)")
  }

  private func text(of entry: TraceEntry) -> String {
    [entry.kind?.rawValue, entry.id.map(String.init)].compactMap(\.self).joined(separator: " ")
  }

  private func notes(_ entry: TraceEntry) -> [PerfettoTrace.Note] {
    let late = entry.dueUs.map { entry.fromUs - $0 }
    let numbers: [(String, Int64?)] = [
      ("client", entry.client), ("line", entry.line), ("cue", entry.cue), ("frame", entry.frame),
      ("frames", entry.frames), ("dueUs", entry.dueUs), ("lateUs", late), ("heardUs", entry.heardUs),
      ("processorUs", entry.processorUs),
    ]
    return numbers.compactMap { name, value in value.map { .number(name, $0) } }
  }

  /// Tells the trace of a track where it is new.
  private mutating func track(
    _ number: Int64, _ name: String, in parent: Int64 = Track.daemon, unit: String? = nil
  ) -> Int64 {
    if named.insert(number).inserted { trace.addTrack(number, name, in: parent, unit: unit) }
    return number
  }
}
