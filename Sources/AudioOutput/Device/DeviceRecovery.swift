// SPDX-License-Identifier: Apache-2.0

import Timing

/// Why the audio thread let go of a device.
public enum ReleaseReason: UInt8, Sendable, BitwiseCopyable {
  /// It is gone (ENODEV, disconnected).
  case gone
  /// It could not be started again.
  case failing
  /// It stopped taking frames without saying why.
  case stalled
  /// It slept for too long.
  case suspended
  /// It underran again and again: a longer period may help.
  case unstable
  /// A call of it does not come back.
  case hanging
  /// Nothing is to be heard for a while: no trouble.
  case resting
}

/// What to do about a device in trouble, on the audio thread: pure, so that every way through it can be tested.
///
/// Everything is bounded: no sequence of events keeps the thread busy with a device that does not play.
public struct DeviceRecovery: Equatable, Sendable, BitwiseCopyable {
  /// What happened.
  public enum Event: Equatable, Sendable, BitwiseCopyable {
    /// It runs and plays silence, until it is on the plan.
    case started
    /// What it is given from here on is heard as planned.
    case aligned
    /// A period was taken as it should.
    case progress
    /// It ran out of frames (EPIPE). Before it is on the plan that is silence: a start that failed.
    case underrun
    /// It ran out of frames and plays on: a block came late, or its readings fell behind without a word.
    case glitch
    /// What it is given is heard at another time than was known: it is to be brought onto the plan anew.
    case moved
    /// The system or device sleeps (ESTRPIPE).
    case suspended
    /// It sleeps still, and cannot be prepared.
    case stillSuspended
    /// Prepare, prefill, start or resume was refused.
    case refused
    /// Any other error.
    case failed
    /// ENODEV, POLLHUP, disconnected.
    case gone
    /// Awake, but it takes no frames.
    case idle
  }

  /// What to do.
  public enum Action: Equatable, Sendable, BitwiseCopyable {
    /// Go on giving it frames: none is lost by that.
    case proceed
    /// Measure the gap, skip it, prepare, prefill, start.
    case restart
    /// Drop what it holds and prepare it, not before that instant.
    case resume(at: Instant)
    /// Let go of the device; the clock paces from here on.
    case release(ReleaseReason)
  }

  /// Which of the frames it was given are not heard any more.
  public enum Loss: Equatable, Sendable, BitwiseCopyable {
    /// All are heard.
    case none
    /// What it was given after it had run dry.
    case afterDry
    /// All that it still holds.
    case queued
  }

  /// What to do, and what that costs.
  public struct Decision: Equatable, Sendable, BitwiseCopyable {
    /// What the audio thread does with the device next.
    public let action: Action
    /// The frames it was given in vain.
    public let loss: Loss

    /// That decision.
    @_noLocks public init(action: Action, loss: Loss) {
      self.action = action
      self.loss = loss
    }
  }

  /// Restarts in a row without a period in between.
  public static var restartLimit: Int { @_noLocks get { 4 } }
  /// Underruns and glitches within `underrunWindow` after which the period counts as too short.
  public static var underrunLimit: Int { @_noLocks get { 5 } }
  /// See `underrunLimit`.
  public static var underrunWindow: Interval { @_noLocks get { Interval.milliseconds(10_000) } }
  /// How long a device may sleep or take nothing.
  public static var patience: Interval { @_noLocks get { Interval.milliseconds(3_000) } }
  /// Between two attempts to go on after a sleep.
  public static var resumeInterval: Interval { @_noLocks get { Interval.milliseconds(50) } }

  private var restartsInARow = 0
  private var underruns = 0
  private var underrunsSince = Instant.zero
  private var troubleSince: Instant?
  /// Whether it holds frames that are waited for.
  private var isOnPlan = false
  private let canGrow: Bool

  /// For a device whose period could be made longer (`canGrow`) or not: without, underruns never release it.
  @_noLocks public init(canGrow: Bool) {
    self.canGrow = canGrow
  }

  /// Takes in an event and says what to do.
  @_noLocks public mutating func handle(_ event: Event, at now: Instant) -> Decision {
    let action = action(for: event, at: now)
    if case .proceed = action { return Decision(action: action, loss: .none) }
    guard isOnPlan else { return Decision(action: action, loss: .none) }
    isOnPlan = false
    if case .underrun = event { return Decision(action: action, loss: .afterDry) }
    return Decision(action: action, loss: .queued)
  }

  @_noLocks private mutating func action(for event: Event, at now: Instant) -> Action {
    switch event {
    case .started:
      isOnPlan = false
      return .proceed
    case .aligned:
      isOnPlan = true
      return .proceed
    case .progress:
      restartsInARow = 0
      troubleSince = nil
      return .proceed
    case .underrun:
      return isOnPlan && countUnderrun(at: now) ? .release(.unstable) : countRestart()
    case .glitch:
      return countUnderrun(at: now) ? .release(.unstable) : .proceed
    case .moved:
      return .restart
    case .suspended:
      return waited(since: now) ? .release(.suspended) : .resume(at: now)
    case .stillSuspended:
      return waited(since: now) ? .release(.suspended) : .resume(at: now + DeviceRecovery.resumeInterval)
    case .refused, .failed:
      return countRestart()
    case .gone:
      return .release(.gone)
    case .idle:
      return waited(since: now) ? .release(.stalled) : .proceed
    }
  }

  @_noLocks private mutating func countRestart() -> Action {
    restartsInARow += 1
    return restartsInARow > DeviceRecovery.restartLimit ? .release(.failing) : .restart
  }

  /// Whether this underrun is one too many.
  @_noLocks private mutating func countUnderrun(at now: Instant) -> Bool {
    if underruns == 0 || now - underrunsSince > DeviceRecovery.underrunWindow {
      underruns = 0
      underrunsSince = now
    }
    underruns += 1
    return canGrow && underruns >= DeviceRecovery.underrunLimit
  }

  /// Whether the trouble that began at `now` or before has lasted too long.
  @_noLocks private mutating func waited(since now: Instant) -> Bool {
    guard let since = troubleSince else {
      troubleSince = now
      return false
    }
    return now - since > DeviceRecovery.patience
  }
}
