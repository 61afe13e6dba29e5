import Glibc
import Server

@main struct Program {
  static func main() { exit(runStarlightd(arguments: Array(CommandLine.arguments.dropFirst()))) }
}
