import CommandTable
import Glibc
import Wire

/// `starlight rhythm`
enum RhythmCommand: ToolCommand {
  static let chapter = Argument("CHAPTER", help: "a chapter", completion: .output(of: "list chapters --names"))

  static let command = Command(
    "rhythm", summary: "plays a rhythm chapter with the arrow keys",
    subcommands: [
      Command(
        "play", summary: "plays a chapter in this terminal",
        discussion: [
          "Beats come in from the right and are heard when they reach the ring: tap their lane's arrow key then. Each key "
            + "is stamped as it is read, and judged at that stamp. q or Ctrl-C ends the chapter."
        ],
        arguments: [chapter], examples: [.init("starlight rhythm play firewall", "45 s, left, right and up")]),
      Command("status", summary: "shows where the chapter stands"),
      Command("stop", summary: "ends the chapter"),
    ])

  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    switch tool.verb {
    case "status":
      let status = try tool.connect().ask(RhythmStatus.self, Empty())
      tool.show(status, status.chapter.map { scoreLines($0, status.score) } ?? ["no chapter was played"])
    case "stop":
      let status = try tool.connect().ask(RhythmStop.self, Empty())
      tool.show(status, status.chapter.map { scoreLines($0, status.score) } ?? ["no chapter was played"])
    default:
      guard isatty(0) == 1, tool.out.isInteractive, !tool.wantsJSON else {
        throw ToolFailure(
          "playing needs a terminal with a keyboard",
          hint: "for programs there are rhythm.start and rhythm.tap: see `starlight call rpc.discover`", exit: .usage)
      }
      let name = tool.invocation[chapter] ?? ""
      var play = try ChapterPlay(name, tool.connect(needsTime: true), out: tool.out)
      let score = try play.play()
      for line in scoreLines(name, score, byKeyboard: true) { tool.out.line(line) }
    }
    return .success
  }
}
