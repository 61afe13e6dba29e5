import CommandTable

/// `starlight completions`
enum CompletionsCommand: ToolCommand {
  static let shell = Argument("SHELL", help: "which shell", completion: .choices(Shell.allCases.map(\.rawValue)))

  static let command = Command(
    "completions", summary: "prints completions for a shell", arguments: [shell],
    examples: [
      .init("source <(starlight completions bash)", "in ~/.bashrc"),
      .init("starlight completions fish > ~/.config/fish/completions/starlight.fish", "for fish, once"),
    ])

  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    guard let shell = tool.invocation[shell].flatMap(Shell.init) else { return .usage }
    tool.out.write(toolProgram.completions(for: shell))
    return .success
  }
}
