// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum StatsCommand {
  static let prometheus = OptionKey.flag("prometheus", help: "print Prometheus' text format, for its node exporter")
  static let over = OptionKey.duration(
    "over", EngineStats.ranges.over, help: "how long counts as lately, up to now")

  static let command = ToolCommand(
    "stats", summary: "prints how the daemon fares, in numbers",
    options: [prometheus.option, over.option],
    examples: [
      .init("starlight stats --prometheus > /var/lib/node_exporter/starlight.prom", "every so often, by a timer")
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    if tool.invocation[prometheus], tool.wantsJSON {
      throw .usage("--prometheus and --json are two formats", hint: "give one of both")
    }
    let stats = try tool.connect().ask(
      EngineStats.self, EngineStats.Params(overUs: tool.invocation[over].map(microseconds)))
    if tool.invocation[prometheus] {
      tool.out.write(prometheusText(stats))
    } else {
      tool.show(stats, statsLines(stats, width: tool.out.readableWidth))
    }
  }
}
