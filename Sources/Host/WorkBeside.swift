// SPDX-License-Identifier: Apache-2.0

import RealTime

/// A piece of work on a thread of its own, while whoever began it goes on with something else.
struct WorkBeside: ~Copyable {
  private var thread: RealTimeThread?

  private final class Piece: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }

  /// Begins `work` on a thread called `name`; where the system gives none, it is done here and now.
  init(name: String, _ work: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(Piece(work))
    do throws(ThreadError) {
      thread = try RealTimeThread(name: name, priority: nil, body: doPiece, argument: argument.toOpaque())
    } catch {
      argument.release()
      work()
    }
  }

  /// Returns when the work is done.
  consuming func join() { thread.take()?.join() }

  fileprivate static func run(_ argument: UnsafeMutableRawPointer) {
    Unmanaged<Piece>.fromOpaque(argument).takeRetainedValue().work()
  }
}

/// The thread's body: a function of the module, so that it belongs to no actor.
private func doPiece(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { WorkBeside.run(argument) }
  return nil
}
