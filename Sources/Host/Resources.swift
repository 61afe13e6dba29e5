import FoundationEssentials
import Glibc
import Wire

extension EngineStatus.Resources {
  /// What this process uses now, as the kernel counts it (proc(5), getrusage(2)).
  static func current() -> EngineStatus.Resources {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let cpu =
      Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
      + Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    return EngineStatus.Resources(
      residentBytes: status("VmRSS:"), peakResidentBytes: status("VmHWM:"), cpuUs: cpu)
  }

  private static func status(_ field: String) -> Int64 {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
    let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int64($0) }
    return (kilobytes ?? 0) * 1024
  }
}
