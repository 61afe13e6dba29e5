// SPDX-License-Identifier: Apache-2.0

import Timing

/// A sound of a player's pattern, with the instant at which it is to be heard.
public struct HapticAudioStart: Hashable, Sendable {
  /// Whose pattern it is in.
  public var player: HapticPlayerID
  /// What is to be heard.
  public var event: HapticAudioEvent
  /// When it is to be heard.
  public var at: Instant
  /// How much of it is over by then, in pattern time: more than zero where the player was put into its middle.
  public var offset: Interval
  /// Whether the player is muted at that instant.
  public var isMuted: Bool
  /// Pattern time per time at that instant.
  public var rate: Double
  /// What leads it besides its pattern, in clock time, as known at that instant.
  public var controls: HapticAudioControls
}

extension HapticMixer {
  /// Whether any player's pattern has something to be heard.
  public var hasAudio: Bool { players.contains { !$0.pattern.audioEvents.isEmpty } }

  /// Whether that player's pattern has something to be heard.
  public func hasAudio(_ id: HapticPlayerID) -> Bool {
    players.contains { $0.id == id && !$0.pattern.audioEvents.isEmpty }
  }

  /// The sounds that begin in `start..<end` if nothing more is said, in order of players between any two commands or
  /// turns. Where a player was put into the middle of a pattern those that would sound there begin in their middle.
  /// Nothing before `now` is told. Of one player, or of all.
  public func audioStarts(
    from start: Instant, to end: Instant, of player: HapticPlayerID? = nil
  ) -> [HapticAudioStart] {
    var ahead = self
    if let player { ahead.keepOnly(player) }
    if !ahead.hasAudio { return [] }
    var from = max(start, now)
    var found: [HapticAudioStart] = []
    while from < end {
      _ = ahead.advance(to: from)
      let boundary = min(ahead.nextBoundary ?? end, end)
      for player in ahead.players where player.hasStarted {
        let events = player.pattern.audioEvents
        if player.entered >= from && player.entered < boundary {
          let position = player.position(at: player.entered)
          for event in events where event.time < position && event.isSounding(at: position) {
            found.append(HapticAudioStart(event, of: player, at: player.entered, offset: position - event.time))
          }
        }
        let first = events.partitioningIndex { player.instant(of: $0.time).map { $0 >= from } ?? true }
        for event in events[first...] {
          guard let at = player.instant(of: event.time), at < boundary else { break }
          found.append(HapticAudioStart(event, of: player, at: at, offset: .zero))
        }
      }
      from = boundary
    }
    return found
  }

  /// The commands that wait for an instant in `start..<end`, in the order in which they will be carried out.
  public func commands(from start: Instant, to end: Instant) -> [HapticCommand] {
    pending.filter { $0.at >= start && $0.at < end }.map(\.command)
  }
}

extension HapticAudioStart {
  fileprivate init(_ event: HapticAudioEvent, of player: HapticPlayer, at instant: Instant, offset: Interval) {
    self.init(
      player: player.id, event: event, at: instant, offset: offset, isMuted: player.isMuted, rate: player.rate,
      controls: player.audioControls)
  }
}
