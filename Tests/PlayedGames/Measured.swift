// SPDX-License-Identifier: Apache-2.0

/// What a play in real time took.
struct Measured {
  private let us: Int64
  private let delaysUs: [Int64]
  private let daemonUs: Int64
  private let playerUs: Int64
  private let lostFrames: Int

  private let lateStarts: Int

  /// Of a play of `us` microseconds, in which sounds came so much later than they were decided, and so many behind their beginning.
  init(_ us: Int64, _ delaysUs: [Int64], _ lateStarts: Int, _ play: Play) {
    (self.us, self.delaysUs, self.lateStarts) = (us, delaysUs.sorted(), lateStarts)
    playerUs = play.playerUs
    daemonUs = play.lives.reduce(0) { $0 + $1.processorUs }
    lostFrames = play.lives.flatMap(\.lost).reduce(0) { $0 + $1.count }
  }

  func tell() {
    print("sounds: \(delaysUs.count)")
    for (name, part) in [("p50", 50), ("p99", 99), ("longest", 100)] {
      print("from decision to heard, \(name): \(milliseconds(part))")
    }
    print("processor time of the daemon: \(share(daemonUs))")
    print("processor time of the player: \(share(playerUs))")
    print("late starts: \(lateStarts)")
    print("frames lost: \(lostFrames)")
  }

  /// Where so many of a hundred are within.
  private func milliseconds(_ part: Int) -> String {
    guard !delaysUs.isEmpty else { return "none" }
    let tenths = (delaysUs[max(0, (delaysUs.count * part + 99) / 100 - 1)] + 50) / 100
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// Of one processor.
  private func share(_ used: Int64) -> String {
    let tenths = us > 0 ? (used * 1_000 + us / 2) / us : 0
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
