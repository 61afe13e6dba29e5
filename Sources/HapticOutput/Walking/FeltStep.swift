// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timing

/// One step of the haptic log: what came of it hangs on when its thread woke and what it had been told by then.
public struct FeltStep: Equatable, Sendable {
  /// How many commands had been left out before.
  public var left: Int
  /// How many commands it took.
  public var commands: Int
  /// The time of the engine that it went by from here on, by its `FeltStep.number(of:)`; nil for the same as before.
  public var clock: Int?
  /// When it was.
  public var at: Instant
  /// Whether time ran by steps.
  public var isStepped: Bool
  /// Whether the log was closed.
  public var isLast: Bool
  /// The lines that came of it.
  public var written: String

  /// A step that took so many commands, and wrote that.
  public init(
    left: Int = 0, commands: Int, clock: Int?, at: Instant, isStepped: Bool, isLast: Bool = false, written: String
  ) {
    self.left = left
    self.commands = commands
    self.clock = clock
    self.at = at
    self.isStepped = isStepped
    self.isLast = isLast
    self.written = written
  }

  /// A number that no other state of a run's clock has: what is known of its last pause changes once.
  public static func number(of clock: EngineClock) -> Int { 2 * clock.count + (clock.lasting == nil ? 0 : 1) }
}

/// The steps of a log on their way from its thread to control.
public final class FeltSteps: Sendable {
  private let steps = Mutex<[FeltStep]>([])

  /// None yet.
  public init() {}

  func note(_ step: FeltStep) { steps.withLock { $0.append(step) } }

  /// Those since the last call, in order.
  public func take() -> [FeltStep] {
    steps.withLock { steps in
      defer { steps = [] }
      return steps
    }
  }
}
