// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One program with several roles, so that each runs as a process of its own inside the guest.
@main struct Program {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, Array(arguments.dropFirst())) {
    case ("checks", let only): exit(runChecks(only: only))
    case ("as", let options) where options.count >= 2: exit(run(Array(options.dropFirst()), asUser: options[0]))
    case ("server", let options) where options.count == 3:
      let checks = ServerChecks(device: options[0], capture: options[1], log: options[2])
      exit(runOnServer("server") { try checks.run(&$0) })
    case ("server-proof", let options) where options.count == 2:
      exit(runOnServer("proof") { try ServerProofChecks(device: options[0], capture: options[1]).run(&$0) })
    case ("server-hang", let options) where options.count == 2:
      guard let server = pid_t(options[1]) else { usage() }
      exit(runOnServer("hang") { try ServerHangChecks(device: options[0], server: server).run(&$0) })
    case ("pack", let folders) where folders.count >= 1:
      do { try RigPack.make(in: folders[0], patterns: Array(folders.dropFirst())) } catch {
        complain("pack: \(error)")
        exit(1)
      }
    default: usage()
    }
  }

  private static func usage() -> Never {
    complain(
      "usage: KernelRigGuest checks [SCENARIO...] | as USER PROGRAM... | server PCM FILE LOG | "
        + "server-proof PCM CAPTURE-PCM | server-hang PCM PID | pack FOLDER PATTERNS...")
    exit(2)
  }
}

func complain(_ text: String) {
  var line = text + "\n"
  _ = line.withUTF8 { write(2, $0.baseAddress, $0.count) }
}
