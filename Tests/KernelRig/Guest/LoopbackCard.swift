// SPDX-License-Identifier: Apache-2.0

/// The loopback card, as it comes and goes.
enum LoopbackCard {
  private static let driver = "/sys/bus/platform/drivers/snd_aloop"

  /// A card on its way out: gone at once for whoever plays on it, and done when everybody has let go of it.
  struct Unplugging {
    fileprivate let process: ChildProcess

    func finish() throws {
      guard process.wait() == 0 else { throw RigFailure("the card cannot be unplugged") }
    }
  }

  static func unplug() throws -> Unplugging {
    Unplugging(process: try ChildProcess(["sh", "-c", "echo snd_aloop.0 >\(driver)/unbind"], log: "/dev/null"))
  }

  static func plug() throws { try writeFile(driver + "/bind", "snd_aloop.0") }
}
