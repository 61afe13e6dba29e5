// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Timing

/// The voices that play the sounds of haptic patterns.
struct HapticAudioBoard {
  /// In the order of their starts.
  var sounds: [HapticAudioEntry] = []
  /// All before this instant has been told to the mixer.
  var plannedUntil = Instant.distantPast
  /// When to look for more to tell.
  var nextLook = Instant.distantPast
  /// Changes of players that their sounds have still to follow, in order.
  private var waiting: [(player: HapticPlayerID, command: HapticCommand, at: Instant)] = []
  /// When the sounds of a player last followed a change.
  private var followed: [HapticPlayerID: Instant] = [:]

  /// What is to be told of those that are not heard.
  var unheard = UnheardSounds()
  /// How many starts of sounds were looked at.
  var looks = 0

  var voiceCount: Int {
    var count = 0
    for index in sounds.indices { count += sounds[index].voices.count }
    return count
  }

  /// Who may have how many of the voices.
  var shares: HapticAudioShares { HapticAudioShares(sounds) }

  /// Whether a sound of the player that began as this event of its pattern sounds on.
  func sounds(_ event: HapticAudioEvent, of player: HapticPlayerID) -> Bool {
    sounds.contains { $0.player == player && !$0.isLeavingForGood && $0.event == event }
  }

  /// Each once, in the order of their first change.
  var waitingPlayers: [HapticPlayerID] {
    waiting.reduce(into: []) { players, change in
      if !players.contains(change.player) { players.append(change.player) }
    }
  }

  mutating func wait(_ command: HapticCommand, of player: HapticPlayerID, at instant: Instant) {
    waiting.append((player, command, instant))
  }

  /// The changes of `player` that its sounds are to follow now, in order of their instants.
  mutating func takeWaiting(of player: HapticPlayerID, now: Instant) -> [(command: HapticCommand, at: Instant)] {
    defer { waiting.removeAll { $0.player == player } }
    followed[player] = now
    let changes = waiting.filter { $0.player == player }.map { (command: $0.command, at: $0.at) }
    return changes.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// From when on the sounds of a player may follow its controls again.
  func rest(of player: HapticPlayerID) -> Instant {
    followed[player].map { $0 + HapticAudioEntry.leaving } ?? .distantPast
  }

  mutating func forget(_ player: HapticPlayerID) {
    followed[player] = nil
    waiting.removeAll { $0.player == player }
    unheard.forget(player)
  }

  /// The sounds of a player are another owner's from now on.
  mutating func pass(_ player: HapticPlayerID, to owner: UInt64) {
    for index in sounds.indices where sounds[index].player == player { sounds[index].pass(to: owner) }
  }

  /// Whether a voice is of one of these sounds.
  func has(_ voice: VoiceID) -> Bool { sounds.contains { $0.voices.contains { $0.id == voice } } }

  /// The mixer is done with a voice; the sound that it was of, where it was one of these.
  mutating func remove(_ voice: VoiceID) -> HapticAudioEntry? {
    guard let index = sounds.firstIndex(where: { $0.voices.contains { $0.id == voice } }) else { return nil }
    let sound = sounds[index]
    sounds[index].lose(voice)
    if sounds[index].voices.isEmpty { sounds.remove(at: index) }
    return sound
  }
}

/// Of what a sound of a pattern is made: b of the whole and 1 - b of the dull part are a brightness of b.
public enum SoundPart: Hashable, Sendable {
  /// The sound as it was made.
  case whole
  /// What is left of it at brightness 0.
  case dull
}

/// What becomes of a sound that is planned or playing.
enum HapticAudioChange {
  case stop, pause, resume
  /// It ends, and takes its time.
  case fadeOut
  /// It was to end, or stands, and does neither.
  case bringBack
  /// What it was told of then and later is taken back.
  case retract
  /// It changes steadily to what it is then; only what differs from `from` is told.
  case become(HapticAudioEntry.Telling, from: HapticAudioEntry.Telling?)

  /// For one voice, the only one of its sound where it is no part: in `fade` a gain is reached, in `declick` it falls silent
  /// or comes back.
  func commands(_ voice: VoiceID, _ part: SoundPart?, at frame: Int64, fade: Fade, declick: Fade) -> [MixerCommand] {
    switch self {
    case .stop: return [.stop(voice, at: frame, fade: declick)]
    case .fadeOut: return [.stop(voice, at: frame, fade: fade)]
    case .pause: return [.pause(voice, at: frame, fade: declick)]
    case .resume: return [.resume(voice, at: frame, fade: declick)]
    case .bringBack:
      return [.bringBack(voice, at: frame, fade: declick), .resume(voice, at: frame, fade: declick)]
    case .retract: return [.retract(voice, from: frame)]
    case .become(let wanted, let from):
      var commands: [MixerCommand] = []
      let gain = wanted.gain(of: part)
      if from?.gain(of: part) != gain { commands.append(.gain(voice, to: gain, at: frame, fade: fade)) }
      if from?.pan != wanted.pan { commands.append(.pan(voice, to: wanted.pan, at: frame)) }
      if from?.pitch != wanted.pitch { commands.append(.pitch(voice, to: wanted.pitch, at: frame)) }
      return commands
    }
  }
}
