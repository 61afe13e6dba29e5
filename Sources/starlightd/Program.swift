// SPDX-License-Identifier: Apache-2.0

import Glibc
import Server

@main struct Program {
  static func main() { exit(runStarlightd(arguments: Array(CommandLine.arguments.dropFirst()))) }
}
