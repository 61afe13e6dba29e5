// SPDX-License-Identifier: Apache-2.0

/// What plays in real time took, one or several.
struct Measured {
  private var us: Int64 = 0
  private var delaysUs: [Int64] = []
  private var daemonUs: Int64 = 0
  private var playerUs: Int64 = 0
  private var lostFrames = 0
  private var lateStarts = 0

  /// Adds a play of `us` microseconds, in which sounds came so much later than they were decided, and so many behind their beginning.
  mutating func add(_ us: Int64, _ delaysUs: [Int64], _ lateStarts: Int, _ play: Play) {
    self.us += us
    self.delaysUs += delaysUs
    self.lateStarts += lateStarts
    playerUs += play.playerUs
    daemonUs += play.lives.reduce(0) { $0 + $1.processorUs }
    lostFrames += play.lives.flatMap(\.lost).reduce(0) { $0 + $1.count }
  }

  /// Adds what others took.
  mutating func add(_ other: Measured) {
    us += other.us
    delaysUs += other.delaysUs
    lateStarts += other.lateStarts
    playerUs += other.playerUs
    daemonUs += other.daemonUs
    lostFrames += other.lostFrames
  }

  func tell() {
    print("sounds: \(delaysUs.count)")
    let sorted = delaysUs.sorted()
    for part in [50, 90, 99] { print("from decision to heard, p\(part): \(quantile(part, of: sorted))") }
    print("from decision to heard, longest: \(sorted.last.map(milliseconds) ?? "none")")
    print("processor time of the daemon: \(share(daemonUs))")
    print("processor time of the player: \(share(playerUs))")
    print("late starts: \(lateStarts)")
    print("frames lost: \(lostFrames)")
  }

  /// Where so many of a hundred are within; of fewer than ten beyond it nothing is said.
  private func quantile(_ part: Int, of sorted: [Int64]) -> String {
    let within = (sorted.count * part + 99) / 100
    return sorted.count - within >= 10 ? milliseconds(sorted[within - 1]) : "-"
  }

  private func milliseconds(_ us: Int64) -> String {
    let tenths = (us + 50) / 100
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// Of one processor.
  private func share(_ used: Int64) -> String {
    let tenths = us > 0 ? (used * 1_000 + us / 2) / us : 0
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
