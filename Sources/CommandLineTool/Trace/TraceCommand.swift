// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import StarlightClient
import Wire

enum TraceCommand {
  static let last = OptionKey.duration(
    "last", in: 0.1...3_600, default: 30, help: "how far back to go")
  static let out = OptionKey.path("out", short: "o", help: "where to write it; - for the standard output")

  static let command = ToolCommand(
    "trace", summary: "writes what the daemon's threads did lately as a trace that Perfetto shows",
    discussion: [
      "Open the file at https://ui.perfetto.dev, which reads it in the browser and sends it nowhere. It has a track for each "
        + "thread, voice, haptic output and client. Instants are of CLOCK_MONOTONIC, with a snapshot of CLOCK_BOOTTIME, so that "
        + "a trace of the kernel that is recorded beside it lines up."
    ],
    options: [last.option, out.option],
    examples: [.init("starlight trace --last 10 -o stutter.perfetto-trace", "the last 10 s, for a bug report")],
    action: ToolAction(run))

  private static let defaultPath = "starlight.perfetto-trace"

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let path = tool.invocation[out] ?? defaultPath
    if path == "-", tool.wantsJSON || isatty(1) == 1 {
      throw .usage(
        tool.wantsJSON ? "the trace goes to the standard output" : "a trace is no text for a terminal",
        hint: "name a file for --out")
    }
    let connection = try tool.connect()
    let status = try connection.ask(EngineStatus.self, Empty())
    let since = status.nowUs - microseconds(tool.invocation[last] ?? 30)
    let (entries, lost) = try records(connection, since: since)
    let picture = TracePicture(
      entries, rate: status.audio.rate, monotonic: nanoseconds(CLOCK_MONOTONIC),
      bootTime: nanoseconds(CLOCK_BOOTTIME))
    let bytes = picture.trace.bytes
    if path == "-" { return tool.out.write(bytes) }
    try replaceFile(path, with: bytes)
    let written = TraceWritten(file: path, records: entries.count, bytes: bytes.count, lost: lost)
    tool.show(
      written,
      [
        "\(path): \(count(entries.count, "record")), \(size(Int64(bytes.count))); open it at https://ui.perfetto.dev"
      ])
  }

  /// All that was recorded since an instant, page by page, up to what there was at the first.
  private static func records(
    _ connection: StarlightConnection, since: Int64
  ) throws(ToolFailure) -> (entries: [TraceEntry], lost: Int64) {
    var entries: [TraceEntry] = []
    var next: Int64 = 0
    var end: Int64?
    while true {
      let page = try connection.ask(TraceRead.self, TraceRead.Params(from: next, sinceUs: since))
      entries += page.records
      if next >= end ?? .max || page.next >= page.end || page.next <= next { return (entries, page.lost) }
      end = end ?? page.end
      next = page.next
    }
  }

  private static func nanoseconds(_ clock: Int32) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// What was written, for machines.
private struct TraceWritten: Encodable {
  var file: String
  var records: Int
  var bytes: Int
  var lost: Int64
}
