// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum ParameterCommand {
  static let command = ToolCommand(
    "parameter", summary: "sets and shows parameters, which drive music, sounds and patterns by curves",
    subcommands: [ParameterSetCommand.command, list])

  private static let list = ToolCommand(
    "list", summary: "shows what every parameter is now",
    action: ToolAction { tool throws(ToolFailure) in
      let list = try tool.connect().askForParameters()
      tool.show(list, parameterLines(list, width: tool.out.readableWidth))
    })
}

enum ParameterSetCommand {
  static let parameter = Argument(
    "NAME", help: "a parameter; `starlight list parameters` names them",
    completion: .output(of: "list parameters --names"))
  static let value = Argument("VALUE", help: "the value that it moves to, \(ParameterSet.ranges.value.span)")
  static let over = OptionKey.duration("over", ParameterSet.ranges.over, help: "how long it takes")
  static let at = OptionKey.duration("at", in: planAhead, help: "when it begins to move, counted from now")
  static let quantise = OptionKey.text(
    "quantise", value: "WHAT", help: "wait for the next beat, bar, or marker (by its name) of the music")

  static let command = ToolCommand(
    "set", summary: "sets a parameter", arguments: [parameter, value],
    options: [over.option, at.option, quantise.option],
    examples: [.init("starlight parameter set menu 1 --over 0.5", "in a straight line, within half a second")],
    action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let invocation = tool.invocation
    let name = invocation[parameter] ?? ""
    let text = invocation[value] ?? ""
    guard let number = Double(text), ParameterSet.ranges.value.range.contains(number) else {
      throw .usage(
        "VALUE: `\(text)` is no number from \(ParameterSet.ranges.value.span)",
        hint: "for example `starlight parameter set \(name) 0.5`")
    }
    let connection = try tool.connect(needsTime: true)
    let result = try connection.ask(
      ParameterSet.self,
      ParameterSet.Params(
        parameter: name, value: number, atUs: try tool.instant(at, connection),
        quantise: invocation[quantise].map(Quantise.init), overUs: invocation[over].map(microseconds)))
    tool.show(result, ["\(name) to \(fixed(number, 2)), \(due("begins", result.scheduledUs))\(late(result.lateUs))"])
    try connection.stay(untilUs: result.scheduledUs)
  }
}

func parameterLines(_ list: ParameterList.Result, width: Int = .max) -> [String] {
  if list.parameters.isEmpty { return ["no pack has parameters"] }
  let rows = list.parameters.map { parameter in
    let way = parameter.untilUs.map { until in
      "to \(fixed(parameter.target, 2)) in \(milliseconds(max(0, until - list.atUs)))"
    }
    return [
      parameter.parameter, fixed(parameter.value, 2), way ?? "",
      parameter.planned > 0 ? "\(count(parameter.planned, "setting")) to come" : "",
    ]
  }
  return columns(rows, indent: 0, width: width)
}
