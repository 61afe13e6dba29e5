// SPDX-License-Identifier: Apache-2.0

import CommandLineTool
import Glibc

@main struct Program {
  static func main() { exit(runStarlight(arguments: Array(CommandLine.arguments.dropFirst()))) }
}
