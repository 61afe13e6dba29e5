import CommandLineTool
import Glibc

@main struct Program {
  static func main() { exit(runStarlight(arguments: Array(CommandLine.arguments.dropFirst()))) }
}
