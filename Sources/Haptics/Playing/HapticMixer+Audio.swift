// SPDX-License-Identifier: Apache-2.0

import Partitioning
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
  /// What drives it besides its pattern, in clock time, as known at that instant.
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
  /// turns. Where a player was put into the middle of a pattern those that would sound there begin in their middle, and so
  /// do, at `start`, those of its present turn that would have begun since `missed` and sound on. Nothing before `now` is
  /// told. Of one player, or of all; of a dense pattern no more than `AudioCrowd` lets through, and of `unheard`, of which none
  /// would be heard, the first.
  public func audioStarts(
    from start: Instant, to end: Instant, of player: HapticPlayerID? = nil, missed: Instant? = nil,
    unheard: Set<HapticPlayerID> = []
  ) -> [HapticAudioStart] {
    func crowd(_ player: HapticPlayerID) -> AudioCrowd { AudioCrowd(isHeard: !unheard.contains(player)) }
    var ahead = self
    if let player { ahead.keepOnly(player) }
    if !ahead.hasAudio { return [] }
    func isMeant(_ other: HapticPlayer) -> Bool { player == nil || other.id == player }
    var from = max(start, now)
    var crowds: [HapticPlayerID: AudioCrowd] = [:]
    var found: [HapticAudioStart] = []
    _ = ahead.advance(to: from)
    if let missed, missed < from {
      for player in ahead.players where isMeant(player) {
        player.tellMissed(since: missed, at: from, &crowds[player.id, default: crowd(player.id)], &found)
      }
    }
    while from < end {
      let boundary = min(ahead.nextBoundary ?? end, end)
      for player in ahead.players where isMeant(player) && player.hasStarted && !player.pattern.audioEvents.isEmpty {
        player.tellAudioStarts(from: from, to: boundary, &crowds[player.id, default: crowd(player.id)], &found)
      }
      from = boundary
      if from < end { _ = ahead.advance(to: from) }
    }
    return found
  }

  /// The commands that wait for an instant in `start..<end`, in the order in which they will be carried out; what ends
  /// because another begins is among them, as stopped.
  public func commands(from start: Instant, to end: Instant) -> [HapticCommand] {
    var commands = Array(pending.reversed().filter { $0.at >= start && $0.at < end })
    for (at, player) in replacements(from: start, to: end) {
      // Players begin before the commands of their instant.
      commands.insert((at, .stop(player, at: at)), at: commands.partitioningIndex { $0.at >= at })
    }
    return commands.map(\.command)
  }
}

extension HapticPlayer {
  /// Those that begin in `start..<end`, which lies before its next turn.
  fileprivate func tellAudioStarts(
    from start: Instant, to end: Instant, _ crowd: inout AudioCrowd, _ found: inout [HapticAudioStart]
  ) {
    if isLeaving { return }
    if entered >= start && entered < end { enter(at: entered, &crowd, &found) { _ in true } }
    let events = pattern.audioEvents
    func first(from instant: Instant) -> Int {
      events.partitioningIndex { self.instant(of: $0.time).map { $0 >= instant } ?? true }
    }
    var index = first(from: start)
    while !crowd.isOver, index < events.count, let at = instant(of: events[index].time), at < end {
      if crowd.admits(at) {
        found.append(HapticAudioStart(events[index], of: self, at: at, offset: .zero))
        index += 1
      } else {
        index = first(from: crowd.end)
      }
    }
  }

  /// Those of its present turn that would have begun since `missed` and are still to be heard at `instant`.
  fileprivate func tellMissed(
    since missed: Instant, at instant: Instant, _ crowd: inout AudioCrowd, _ found: inout [HapticAudioStart]
  ) {
    guard hasStarted, !isPaused, !isLeaving, entered < instant else { return }
    enter(at: instant, &crowd, &found) { event in
      entered >= missed || self.instant(of: event.time).map { $0 >= missed } ?? false
    }
  }

  /// Those that sound at `instant`, begun in their middle.
  private func enter(
    at instant: Instant, _ crowd: inout AudioCrowd, _ found: inout [HapticAudioStart],
    where isWanted: (HapticAudioEvent) -> Bool
  ) {
    let position = position(at: instant)
    for event in pattern.audioEvents {
      if event.time >= position { return }
      guard event.isSounding(at: position), isWanted(event) else { continue }
      guard crowd.admits(instant) else { return }
      found.append(HapticAudioStart(event, of: self, at: instant, offset: position - event.time))
    }
  }
}

extension HapticAudioStart {
  fileprivate init(_ event: HapticAudioEvent, of player: HapticPlayer, at instant: Instant, offset: Interval) {
    self.init(
      player: player.id, event: event, at: instant, offset: offset, isMuted: player.isMuted, rate: player.rate,
      controls: player.audioControls)
  }
}
