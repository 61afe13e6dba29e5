// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

extension ProofReport.Fact {
  /// What the machine is, and what plays and captures on it.
  static func gather(_ status: EngineStatus.Result, capture: String) -> [Self] {
    var system = utsname()
    uname(&system)
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    var loads = [0.0, 0.0, 0.0]
    getloadavg(&loads, 3)
    let pads = status.haptics.filter(\.kind.isFelt).map(\.name).joined(separator: ", ")
    return [
      ("starlightd", status.version),
      ("plays", "\(status.audio.device): \(audioFormat(status.audio)); lead \(milliseconds(status.audio.leadUs))"),
      ("captured from", capture),
      ("audio thread", status.audio.scheduling.isRealTime ? "real-time" : "not real-time"),
      ("pads", pads.isEmpty ? "none" : pads),
      ("system", "\(text(system.sysname)) \(text(system.release)) \(text(system.machine))"),
      ("processor", "\(processor ?? "unknown"), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) in use"),
      ("load", fixed(loads[0], 2)),
    ].map { Self(name: $0, value: $1) }
  }

  /// What the daemon says of its threads and its timeline, lately.
  static func reported(_ connection: StarlightConnection, _ timelineErrorUs: Int64?) throws(ToolFailure) -> [Self] {
    let stats = try connection.ask(EngineStats.self, EngineStats.Params(overUs: 60_000_000))
    var facts = [
      Self(
        name: "audio thread woke", value: "\(milliseconds(stats.audio.latestWakeUs, places: 2)) late at most",
        unseen: "whether that was heard, for the device had frames left"),
      Self(
        name: "device ran dry", value: count(stats.audio.xruns, "time"), unseen: "gaps that it does not tell of"),
      Self(
        name: "late starts", value: String(stats.audio.lateStarts), unseen: "lines that came late themselves"),
    ]
    if let median = stats.beats.medianLateUs, let high = stats.beats.highLateUs {
      let told =
        "\(milliseconds(median, places: 2)) late in the middle, 99 of 100 within \(milliseconds(high, places: 2))"
      facts.append(
        Self(
          name: "beats were told", value: told,
          unseen: "how late whoever reads them wakes; that their own thread does is in it"))
    }
    for output in stats.outputs {
      facts.append(
        Self(
          name: "\(output.device) was written",
          value: "\(milliseconds(output.latestUs, places: 2)) late at most",
          unseen: "its way to the motor, and how long that takes; that its own thread wakes is in it"))
    }
    if let timelineErrorUs {
      facts.append(
        Self(
          name: "the playback's timeline is within", value: milliseconds(timelineErrorUs, places: 2),
          unseen: "what comes behind the device, such as a radio link"))
    }
    return facts
  }

  private static var processor: String? {
    guard let bytes = try? readWhole("/proc/cpuinfo", limit: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { String($0.drop { $0 == " " }) }
  }
}
