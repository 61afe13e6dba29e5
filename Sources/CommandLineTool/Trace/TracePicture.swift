// SPDX-License-Identifier: Apache-2.0

import Wire

/// What the daemon's threads did, laid out on the tracks of a trace.
struct TracePicture {
  private(set) var trace: PerfettoTrace
  private let rate: Int
  /// Where what is not over is drawn to.
  private let endUs: Int64
  private var named: Set<Int64> = []
  private var devices: [String: Int] = [:]
  private var voices: [Int64: (name: String, heardUs: Int64, notes: [PerfettoTrace.Note], starts: Int)] = [:]
  /// Writes that are under way, by their device.
  private var writing: [String: TraceEntry] = [:]
  private var used: (atUs: Int64, processorUs: Int64)?

  /// A track of the trace: its number in the file, and what it is called.
  private struct Track {
    var number: Int64
    var name: String

    static let daemon = Track(number: 1, name: "starlightd")
    static let control = Track(number: 2, name: "control")
    static let audio = Track(number: 3, name: "audio")
    static let errands = Track(number: 4, name: "errands")
    static let load = Track(number: 5, name: "audio load")
    static let processor = Track(number: 6, name: "audio processor")
    static let voices = Track(number: 7, name: "voices")
    static let engine = Track(number: 8, name: "engine")

    static func client(_ number: Int64) -> Track {
      Track(number: 100_000 + number, name: number == 0 ? "daemon" : "client \(number)")
    }
    static func device(_ number: Int, _ name: String) -> Track {
      Track(number: 100 + Int64(number), name: "haptic \(name)")
    }
    static func voice(_ number: Int64, _ name: String) -> Track { Track(number: (1 << 40) + number, name: name) }
  }

  /// The picture of `entries`, of a daemon of `rate` frames a second.
  init(_ entries: [TraceEntry], rate: Int, monotonic: Int64, bootTime: Int64) {
    trace = PerfettoTrace(monotonic: monotonic, bootTime: bootTime)
    self.rate = max(1, rate)
    endUs = entries.map { max($0.toUs ?? $0.fromUs, $0.fromUs) }.max() ?? 0
    trace.addTrack(Track.daemon.number, Track.daemon.name)
    for entry in entries { add(entry) }
    for (id, _) in voices.sorted(by: { $0.key < $1.key }) { end(id, at: max(endUs, voices[id]?.heardUs ?? 0)) }
    for (_, write) in writing.sorted(by: { $0.key < $1.key }) { add(write: write, to: endUs, "not answered") }
  }

  private mutating func add(_ entry: TraceEntry) {
    switch entry.what {
    case .period: addPeriod(entry)
    case .lost: addInstant(.audio, "\(entry.frames ?? 0) frames lost: \(entry.detail ?? "")", entry)
    case .turn: addSlice(.control, "turn", entry)
    case .line: addLine(entry)
    case .errand: addSlice(.errands, "errand", entry)
    case .plan, .player: addInstant(.control, "plan \(text(of: entry))", entry)
    case .handedOut: addInstant(.control, "hand out \(text(of: entry))", entry)
    case .change: addInstant(.control, "change by cue \(entry.cue ?? 0)", entry)
    case .start: addStart(entry)
    case .moved: if let id = entry.id { voices[id]?.heardUs = entry.fromUs }
    case .letGo: letGo(entry)
    case .unbegun: addInstant(.control, "\(text(of: entry)) \(entry.detail ?? "")", entry)
    case .silent:
      addInstant(.voices, "track \(entry.id ?? 0) \(entry.detail == nil ? "has nothing to play" : "is back")", entry)
    case .ended: if let id = entry.id { end(id, at: entry.fromUs) }
    case .pause: if entry.toUs != nil { addSlice(.engine, "paused", entry) }
    case .writing: writing[entry.device ?? ""] = entry
    case .write:
      writing[entry.device ?? ""] = nil
      add(write: entry, to: entry.toUs ?? endUs, entry.detail ?? "write")
    case .told: addInstant(client(entry), "told \(text(of: entry))", at: entry.toUs ?? entry.fromUs, entry)
    case .client: trace.addInstant(known(client(entry)), entry.detail ?? "", at: entry.fromUs)
    case .processor: addProcessor(entry)
    }
  }

  /// What an entry tells that it went on, up to its own end where no other is meant.
  private mutating func addSlice(_ track: Track, _ name: String, to end: Int64? = nil, _ entry: TraceEntry) {
    trace.addSlice(
      known(track), name, from: entry.fromUs, to: end ?? entry.toUs ?? entry.fromUs, notes(entry))
  }

  /// What an entry tells that it happened, at its own beginning where no other instant is meant.
  private mutating func addInstant(_ track: Track, _ name: String, at instant: Int64? = nil, _ entry: TraceEntry) {
    trace.addInstant(known(track), name, at: instant ?? entry.fromUs, notes(entry))
  }

  private mutating func addPeriod(_ entry: TraceEntry) {
    addSlice(.audio, "period", entry)
    let length = max(1, (entry.frames ?? 0) * 1_000_000 / Int64(rate))
    let load = ((entry.toUs ?? entry.fromUs) - entry.fromUs) * 100 / length
    trace.addCount(known(.load, unit: "% of a period"), load, at: entry.fromUs)
  }

  private mutating func addLine(_ entry: TraceEntry) {
    let name = entry.method ?? "line"
    addSlice(.control, name, entry)
    addInstant(client(entry), name, at: entry.dueUs, entry)
  }

  private mutating func addStart(_ entry: TraceEntry) {
    guard let id = entry.id else { return }
    // A start that the mixer lets go of may be handed over again before it says so.
    voices[id] = (
      "\(entry.kind == .music ? "track" : "sound") \(id)", entry.heardUs ?? entry.fromUs, notes(entry),
      (voices[id]?.starts ?? 0) + 1
    )
    addInstant(.control, "start \(voices[id]?.name ?? "")", entry)
  }

  private mutating func letGo(_ entry: TraceEntry) {
    guard let id = entry.id, let starts = voices[id]?.starts else { return }
    if starts > 1 { voices[id]?.starts = starts - 1 } else { voices[id] = nil }
  }

  private mutating func end(_ voice: Int64, at instant: Int64) {
    guard let begun = voices.removeValue(forKey: voice) else { return }
    let own = known(.voice(voice, begun.name), in: known(.voices))
    if instant >= begun.heardUs { trace.addSlice(own, begun.name, from: begun.heardUs, to: instant, begun.notes) }
  }

  private mutating func add(write entry: TraceEntry, to end: Int64, _ name: String) {
    let device = entry.device ?? "unplugged"
    let number = devices[device] ?? devices.count
    devices[device] = number
    addSlice(.device(number, device), name, to: end, entry)
  }

  /// What the audio thread used of the processor since the last look.
  private mutating func addProcessor(_ entry: TraceEntry) {
    defer { used = entry.processorUs.map { (entry.fromUs, $0) } }
    guard let used, let now = entry.processorUs, entry.fromUs > used.atUs else { return }
    trace.addCount(
      known(.processor, unit: "% of a core"), (now - used.processorUs) * 100 / (entry.fromUs - used.atUs),
      at: entry.fromUs)
  }

  private func client(_ entry: TraceEntry) -> Track { .client(entry.client ?? 0) }

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

  /// The number of a track, of which the trace is told where it is new.
  private mutating func known(_ track: Track, in parent: Int64 = Track.daemon.number, unit: String? = nil) -> Int64 {
    if named.insert(track.number).inserted { trace.addTrack(track.number, track.name, in: parent, unit: unit) }
    return track.number
  }
}
