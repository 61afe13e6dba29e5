// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Independent pieces of work, each named by its index, done by whoever has time.
final class ParallelWork: Sendable {
  private let count: Int
  private let piece: @Sendable (Int) -> Void
  private let next = Atomic<Int>(0)

  private init(count: Int, piece: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.piece = piece
  }

  /// Does `count` pieces on this thread and, where there is more than one processor, on another. Returns when all are
  /// done; where the system gives no thread, this one does them all.
  static func run(_ count: Int, _ piece: @escaping @Sendable (Int) -> Void) {
    let work = ParallelWork(count: count, piece: piece)
    guard count > 1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else { return work.run() }
    let helper = WorkBeside(name: "loader") { work.run() }
    work.run()
    helper.join()
  }

  private func run() {
    while case let index = next.add(1, ordering: .relaxed).oldValue, index < count { piece(index) }
  }
}
