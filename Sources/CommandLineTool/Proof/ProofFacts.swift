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
    ].map(Self.init)
  }

  /// What the daemon says of its threads and its timeline, lately.
  static func reported(_ connection: StarlightConnection, _ timelineErrorUs: Int64?) throws(ToolFailure) -> [Self] {
    let stats = try connection.ask(EngineStats.self, EngineStats.Params(overUs: 60_000_000))
    var facts = [
      ("audio thread woke", "\(milliseconds(stats.audio.latestWakeUs, places: 2)) late at most"),
      ("device ran dry", count(stats.audio.xruns, "time")), ("late starts", String(stats.audio.lateStarts)),
    ]
    if let median = stats.beats.medianLateUs, let high = stats.beats.highLateUs {
      let told =
        "\(milliseconds(median, places: 2)) late in the middle, 99 of 100 within \(milliseconds(high, places: 2))"
      facts.append(("beats were told", told))
    }
    for output in stats.outputs {
      facts.append(("\(output.device) was written", "\(milliseconds(output.latestUs, places: 2)) late at most"))
    }
    if let timelineErrorUs {
      facts.append(("the playback's timeline is within", milliseconds(timelineErrorUs, places: 2)))
    }
    return facts.map(Self.init)
  }

  private static var processor: String? {
    guard let bytes = try? readWhole("/proc/cpuinfo", limit: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { String($0.drop { $0 == " " }) }
  }
}
