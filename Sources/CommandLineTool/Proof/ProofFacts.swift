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
    return [
      Self(name: "starlightd", value: status.version),
      Self(
        name: "plays",
        value: "\(status.audio.device): \(audioFormat(status.audio)); lead \(milliseconds(status.audio.leadUs))"),
      Self(name: "captured from", value: capture),
      Self(name: "audio thread", value: status.audio.scheduling.isRealTime ? "real-time" : "not real-time"),
      Self(
        name: "pads",
        value: status.haptics.filter(\.kind.isFelt).map(\.name).joined(separator: ", ").orElse("none")),
      Self(name: "system", value: "\(text(system.sysname)) \(text(system.release)) \(text(system.machine))"),
      Self(name: "processor", value: "\(processor ?? "unknown"), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) in use"),
      Self(name: "load", value: fixed(loads[0], 2)),
    ]
  }

  /// What the daemon says of its threads and its timeline, lately.
  static func reported(_ connection: StarlightConnection, _ timelineErrorUs: Int64?) throws(ToolFailure) -> [Self] {
    let stats = try connection.ask(EngineStats.self, EngineStats.Params(overUs: 60_000_000))
    var facts = [
      Self(name: "audio thread woke", value: "\(milliseconds(stats.audio.latestWakeUs, places: 2)) late at most"),
      Self(name: "device ran dry", value: count(stats.audio.xruns, "time")),
      Self(name: "late starts", value: String(stats.audio.lateStarts)),
    ]
    if let median = stats.beats.medianLateUs, let high = stats.beats.highLateUs {
      facts.append(
        Self(
          name: "beats were told",
          value:
            "\(milliseconds(median, places: 2)) late in the middle, 99 of 100 within \(milliseconds(high, places: 2))"))
    }
    for output in stats.outputs {
      facts.append(
        Self(name: "\(output.device) was written", value: "\(milliseconds(output.latestUs, places: 2)) late at most"))
    }
    if let timelineErrorUs {
      facts.append(
        Self(name: "the playback's timeline is within", value: milliseconds(timelineErrorUs, places: 2)))
    }
    return facts
  }

  private static var processor: String? {
    guard let bytes = try? readWhole("/proc/cpuinfo", limit: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { String($0.drop { $0 == " " }) }
  }
}

extension String {
  fileprivate func orElse(_ other: String) -> String { isEmpty ? other : self }
}
