import Glibc

/// One program with several roles, so that each runs as a process of its own inside the guest.
@main struct Program {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, Array(arguments.dropFirst())) {
    case ("checks", let only): exit(runChecks(only: only))
    case ("capture", let options) where options.count == 3:
      exit(LoopbackCapture(device: options[0], format: options[1], output: options[2]).run())
    case ("pad", let options) where options.count == 1: exit(VirtualPad.run(log: options[0]))
    case ("tsc-khz", _): print(timeStampCounterKilohertz())
    default:
      complain("usage: KernelRigGuest checks [SCENARIO...] | capture PCM FORMAT FILE | pad LOG | tsc-khz")
      exit(2)
    }
  }
}

func complain(_ text: String) {
  var line = text + "\n"
  _ = line.withUTF8 { write(2, $0.baseAddress, $0.count) }
}
