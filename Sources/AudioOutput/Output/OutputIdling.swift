// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Synchronization
import Timing

/// Letting the device go while nothing is to be heard, and what can be promised meanwhile.
extension AudioOutput {
  /// Whether something of the device's rest has changed that there is to tell, or to plan by.
  public enum IdleChange: Sendable {
    /// It is being let go: what is asked for from here on is heard later than before.
    case begins
    /// It did not come back.
    case failed
  }

  /// Lets the device go where nothing has been heard of it for long enough, and nothing is about to be by `demand`. Call it at
  /// each turn, before the reach is asked for.
  public func followIdle(_ demand: @autoclosure () -> IdlePolicy.Demand, at now: Instant) -> IdleChange? {
    followRest(at: now)
    if hasFailedToWake {
      hasFailedToWake = false
      return .failed
    }
    guard rest.phase == .none, isPlaying,
      idle.letsGo(silentSince: silentSince, wake: longestWake, demand: demand(), at: now)
    else { return nil }
    rest.begin()
    shared.pointee.wantsDevice.store(false, ordering: .releasing)
    return .begins
  }

  /// The earliest instant at which what is asked for at `now` is heard, where the device rests or is about to play again; nil
  /// where the mixer's own reach says it.
  public func earliest(at now: Instant) -> Instant? {
    if rest.phase == .none { return nil }
    followRest(at: now)
    return rest.earliest(at: now, wake: longestWake ?? .zero)
  }

  /// How long the device takes at the longest to play again, its lead included; nil where it is none to let go.
  var longestWake: Interval? {
    let wake = shared.pointee.longestWake.load(ordering: .acquiring)
    return wake > 0 ? Interval(nanoseconds: max(wake + shared.pointee.lead.load(ordering: .relaxed), 0)) : nil
  }

  /// Has the device opened again.
  func want(at now: Instant) {
    shared.pointee.wantedAt.store(now.nanoseconds, ordering: .releasing)
    shared.pointee.wantsDevice.store(true, ordering: .releasing)
    wakeKeeper()
  }

  private func followRest(at now: Instant) {
    if rest.phase == .none { return }
    let isClosed = shared.pointee.isClosed.load(ordering: .acquiring)
    rest.follow(isPlaying: isPlaying, isClosed: isClosed, isLost: isLost, at: now)
    guard rest.phase == .none else { return }
    shared.pointee.wantsDevice.store(true, ordering: .releasing)
    if isLost { hasFailedToWake = true }
  }

  private var isPlaying: Bool { !shared.pointee.isPacedByClock.load(ordering: .acquiring) }

  private var isLost: Bool { !shared.pointee.hasDevice.load(ordering: .acquiring) }

  private var silentSince: Instant? {
    let since = shared.pointee.silentSince.load(ordering: .acquiring)
    return since == .max ? nil : Instant(nanoseconds: since)
  }
}
