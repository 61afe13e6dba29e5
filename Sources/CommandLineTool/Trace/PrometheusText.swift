// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import Wire

/// The daemon's numbers in Prometheus' text format 0.0.4: base units, totals that only grow, and gauges of what was lately.
///
/// Labels have few values that stay: a client's number is never used again, and each scrape is by a new client, so clients
/// are told by their user, of whom a machine has few.
func prometheusText(_ stats: EngineStats.Result) -> String {
  var page = PrometheusPage()
  let audio = stats.audio
  page.add("uptime_seconds", .gauge, "Time since the daemon was started.", seconds(stats.uptimeUs))
  page.add("cpu_seconds_total", .counter, "Processor time of the process.", seconds(stats.processorUs))
  page.add("resident_memory_bytes", .gauge, "Memory that the process has.", "\(stats.residentBytes)")
  page.add("audio_frames_rendered_total", .counter, "Frames rendered.", "\(audio.framesRendered)")
  page.add("audio_xruns_total", .counter, "How often the sound device ran dry.", "\(audio.xruns)")
  page.add("audio_late_starts_total", .counter, "Starts later than announced.", "\(audio.lateStarts)")
  page.add("audio_voices", .gauge, "Voices that sound.", "\(audio.voices)")
  page.add("audio_load_ratio", .gauge, "Rendering as a share of the time rendered, lately.", number(audio.load))
  page.add(
    "audio_load_max_ratio", .gauge, "The most that a period took as a share of it, lately.", number(audio.mostLoad))
  page.add(
    "audio_wake_late_max_seconds", .gauge, "How late the audio thread woke at the most, lately.",
    seconds(audio.latestWakeUs))
  page.add(
    "audio_peak_ratio", .gauge, "The highest sample of a bus or the output in the last second, 1 for full scale.",
    stats.meters.map { ([("bus", $0.bus.rawValue)], number($0.peakDb.map(amplitude) ?? 0)) })
  page.add("lines_total", .counter, "Lines of clients that were served.", "\(stats.lines)")
  let users = Dictionary(grouping: stats.clients, by: \.user).sorted { $0.key < $1.key }
  func ofUsers(_ value: ([EngineStats.Client]) -> String) -> [PrometheusPage.Sample] {
    users.map { ([("user", "\($0.key)")], value($0.value)) }
  }
  page.add(
    "clients", .gauge, "Clients of a user that are connected, the one that asks for this page among them.",
    ofUsers { "\($0.count)" })
  page.add("sounds", .gauge, "Sounds that are planned or play.", "\(stats.sounds)")
  page.add("haptic_players", .gauge, "Haptic players that are planned or play.", "\(stats.players)")
  page.add(
    "client_queued_bytes", .gauge, "Bytes that wait for a user's clients to read.",
    ofUsers { "\($0.reduce(0) { $0 + $1.queuedBytes })" })
  page.add(
    "client_queued_max_bytes", .gauge, "Bytes that wait for that client of a user's for which the most wait.",
    ofUsers { "\($0.map(\.queuedBytes).max() ?? 0)" })
  page.add(
    "client_cpu_ratio", .gauge, "Processor time of the lines of a user's clients as a share of the time, lately.",
    ofUsers { clients in
      number(Double(clients.reduce(0) { $0 + $1.processorUs }) / Double(max(1, stats.overUs)))
    })
  page.add(
    "haptic_write_max_seconds", .gauge, "The longest that a haptic output took to answer, lately.",
    stats.outputs.map { ([("device", $0.device)], seconds($0.slowestUs)) })
  page.add(
    "haptic_writes_per_second", .gauge, "Writes to a haptic output, lately.",
    stats.outputs.map {
      ([("device", $0.device)], number(Double($0.recentWrites) * 1e6 / Double(max(1, stats.overUs))))
    })
  let quantiles = [("0.5", stats.beats.medianLateUs), ("0.99", stats.beats.highLateUs)]
  page.add(
    "beat_late_seconds", .gauge, "How late beats were told, lately.",
    quantiles.compactMap { name, value in value.map { ([("quantile", name)], seconds($0)) } })
  page.add("trace_records_total", .counter, "Records made of what threads did.", "\(stats.records)")
  page.add("trace_records_lost_total", .counter, "Records that found no room.", "\(stats.recordsLost)")
  return page.text
}

private struct PrometheusPage {
  enum Kind: String {
    case counter, gauge
  }

  typealias Sample = (labels: [(name: String, value: String)], value: String)

  private(set) var text = ""

  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
    add(name, kind, help, [([], value)])
  }

  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]
  ) {
    if samples.isEmpty { return }
    text += "# HELP starlight_\(name) \(help)\n# TYPE starlight_\(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
      text += "starlight_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
    }
  }

  /// A label's value: what would act on a terminal is made visible; backslashes, quotes and line feeds are escaped.
  private func escaped(_ value: String) -> String {
    value.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      visibleText(String(line)).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }.joined(separator: "\\n")
  }
}

/// dBFS as a share of full scale, to four places.
private func amplitude(_ decibels: Double) -> Double { (pow(10, decibels / 20) * 10_000).rounded() / 10_000 }

private func seconds(_ microseconds: Int64) -> String { number(Double(microseconds) / 1e6) }

private func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "0" }
