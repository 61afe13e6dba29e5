// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// A pattern that a daemon plays for this program, which waits for it.
struct PlayedPattern {
  var player: Int64

  enum End: Equatable {
    case finished
    /// By a signal; the player was stopped.
    case interrupted
    /// By somebody else: why, as far as it was told.
    case other(HapticsChanged.StopReason?)
    /// Haptics were switched off when its instant came.
    case skipped
    /// Together with the daemon.
    case daemonEnded
  }

  /// Waits for the notification of its end, or stops it on a signal. `connection` is subscribed to haptics.
  func waitForEnd(_ connection: StarlightConnection) throws(ToolFailure) -> End {
    let signals = SignalWatch()
    while true {
      if let end = try endSoFar(connection) { return end }
      _ = waitReadable([connection.descriptor, signals.descriptor], microseconds: 60_000_000)
      if signals.take() != nil {
        _ = try connection.ask(HapticsStop.self, HapticsStop.Params(player: player))
        return .interrupted
      }
    }
  }

  /// Its end, if it has been told of by now.
  func endSoFar(_ connection: StarlightConnection) throws(ToolFailure) -> End? {
    while true {
      do throws(ClientError) {
        guard let notification = try connection.nextNotification(timeoutUs: 0) else { return nil }
        if let end = end(notification) { return connection.hasEnded(after: end) ? .daemonEnded : end }
      } catch {
        if case .closed = error.kind { return .daemonEnded }
        throw ToolFailure(error)
      }
    }
  }

  /// Whether a notification says that this player began.
  func hasBegun(_ notification: ReceivedNotification) -> Bool {
    notification.payload(HapticsChanged.self).map { $0.player == player && $0.change == .started } ?? false
  }

  /// What a notification says about the end of this player.
  func end(_ notification: ReceivedNotification) -> End? {
    guard let changed = notification.payload(HapticsChanged.self), changed.player == player else { return nil }
    switch changed.change {
    case .started, .looped: return nil
    case .finished: return .finished
    case .stopped, .cancelled: return .other(changed.reason)
    case .skipped: return .skipped
    }
  }
}

extension PlayedPattern.End {
  /// Why `title` was not played to its end, where neither it nor this program's user ended it.
  func failure(_ title: String) -> ToolFailure? {
    switch self {
    case .finished, .interrupted: nil
    case .daemonEnded: ToolFailure(daemonHasEnded, kind: .daemonEnded)
    case .skipped: ToolFailure("\(title) was skipped: haptics are switched off")
    case .other(.switchedOff?): ToolFailure("\(title) ended: haptics were switched off")
    case .other(.outdated?): ToolFailure("\(title) ended: its pack was read anew too often meanwhile")
    case .other(.replaced?): ToolFailure("\(title) gave way to another pattern")
    case .other: ToolFailure("\(title) was stopped by another client")
    }
  }
}

extension StarlightConnection {
  /// Whether a stop was the daemon's own end, which stops every pattern and then closes its connections.
  fileprivate func hasEnded(after end: PlayedPattern.End) -> Bool {
    guard case .other = end else { return false }
    let deadline = nowUs() + 300_000
    while nowUs() < deadline {
      do throws(ClientError) {
        _ = try nextNotification(timeoutUs: max(0, deadline - nowUs()))
      } catch {
        if case .closed = error.kind { return true }
        return false
      }
    }
    return false
  }
}
