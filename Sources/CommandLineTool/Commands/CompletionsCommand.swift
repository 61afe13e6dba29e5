// SPDX-License-Identifier: Apache-2.0

import CommandTable

enum CompletionsCommand {
  static let shell = Argument("SHELL", help: "which shell", completion: .choices(Shell.allCases.map(\.rawValue)))

  static let command = ToolCommand(
    "completions", summary: "prints completions for a shell", arguments: [shell],
    examples: [
      .init("source <(starlight completions bash)", "in ~/.bashrc"),
      .init("starlight completions fish > ~/.config/fish/completions/starlight.fish", "for fish, once"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) {
    if let shell = tool.invocation[shell].flatMap(Shell.init) { tool.out.write(tool.completions(shell)) }
  }
}
