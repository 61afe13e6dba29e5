import Timing

/// A sound of a player's pattern, with the instant at which it is to be heard.
public struct HapticAudioStart: Hashable, Sendable {
  /// Whose pattern it is in.
  public var player: HapticPlayerID
  /// What is to be heard.
  public var event: HapticAudioEvent
  /// When it is to be heard.
  public var at: Instant
  /// Whether the player is muted at that instant.
  public var isMuted: Bool
  /// When the player reaches the event's end as it plays now; nil for a sound that ends by itself.
  public var endsAt: Instant?
}

extension HapticMixer {
  /// Whether any player's pattern has something to be heard.
  public var hasAudio: Bool { players.contains { !$0.pattern.audioEvents.isEmpty } }

  /// Whether that player's pattern has something to be heard.
  public func hasAudio(_ id: HapticPlayerID) -> Bool {
    players.contains { $0.id == id && !$0.pattern.audioEvents.isEmpty }
  }

  /// The sounds that begin in `start..<end` if nothing more is said, in order of players between any two commands or
  /// turns. Nothing before `now` is told.
  public func audioStarts(from start: Instant, to end: Instant) -> [HapticAudioStart] {
    if !hasAudio { return [] }
    var ahead = self
    var from = max(start, now)
    var found: [HapticAudioStart] = []
    while from < end {
      _ = ahead.advance(to: from)
      let boundary = min(ahead.nextBoundary ?? end, end)
      for player in ahead.players where player.hasStarted {
        for event in player.pattern.audioEvents {
          guard let at = player.instant(of: event.time), at >= from, at < boundary else { continue }
          let end = event.duration.flatMap { player.instant(of: event.time + $0) }
          found.append(
            HapticAudioStart(player: player.id, event: event, at: at, isMuted: player.isMuted, endsAt: end))
        }
      }
      from = boundary
    }
    return found
  }

  /// When a player reaches `position` of its pattern, as it plays after `instant`; nil while it is paused or gone.
  public func instant(of position: Interval, of id: HapticPlayerID, after instant: Instant) -> Instant? {
    var ahead = self
    _ = ahead.advance(to: max(instant, now))
    return ahead.players.first { $0.id == id }?.instant(of: position)
  }
}
