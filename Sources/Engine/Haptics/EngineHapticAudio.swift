// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Timing

/// The sounds of haptic patterns, played by the mixer at the instants at which the players reach them, and steered by the
/// envelopes and controls of their patterns while they sound.
extension Engine {
  /// Tells the mixer what becomes of them within the horizon.
  mutating func planHapticAudio() {
    guard turn.now >= haptics.audio.nextLook || turn.leadToCome > .zero, hasSounds(nil) else { return }
    haptics.audio.nextLook = turn.now + HapticAudioEntry.spacing
    for player in haptics.audio.waitingPlayers { followWhenRested(player) }
    let end = turn.now + horizon
    if end > haptics.audio.plannedUntil {
      walk(from: haptics.audio.plannedUntil, to: end)
      haptics.audio.plannedUntil = end
    }
  }

  /// Lets a player's sounds follow a command that it was given. Controls may be sent faster than sounds are told of them:
  /// those that come within 5 ms are followed together.
  mutating func followHapticAudio(of player: HapticPlayerID, _ change: HapticCommand, at instant: Instant) {
    guard hasSounds(player) else { return }
    haptics.audio.wait(change, of: player, at: instant)
    if change.isControl { return followWhenRested(player) }
    follow(player)
    haptics.audio.nextLook = .distantPast
    planHapticAudio()
  }

  /// Plans all that sounds of patterns do from `instant` on anew: a switch has changed what of them begins.
  mutating func replanHapticAudio(from instant: Instant) {
    for player in haptics.players where hasSounds(player) { replanHapticAudio(of: player, from: instant) }
  }

  mutating func replanHapticAudio(of player: HapticPlayerID, from instant: Instant) {
    let from = max(instant, haptics.mixer.now)
    guard from < haptics.audio.plannedUntil else { return }
    rollBack(player, to: from)
    walk(from: from, to: haptics.audio.plannedUntil, of: player)
  }

  /// The players with sounds that one would end by beginning.
  func replacedSounding(by player: HapticPlayerID) -> [HapticPlayerID] {
    haptics.mixer.replaced(by: player).filter { hasSounds($0) }
  }

  /// Ends the sounds of patterns that have begun by `instant` and would go on for as long as their players.
  mutating func endLoopsOfPatterns(at instant: Instant) {
    let past = past
    for index in haptics.audio.sounds.indices where haptics.audio.sounds[index].start <= instant {
      let sound = haptics.audio.sounds[index]
      guard case .waveform(_, loops: true) = sound.event.source, sound.event.length == nil else { continue }
      changeSound(index) { sound, tell in
        sound.walk(to: instant, past: past, tell)
        sound.apply(.stop(sound.player, at: instant), at: instant, settled: instant, tell)
      }
    }
  }

  private mutating func followWhenRested(_ player: HapticPlayerID) {
    let rest = haptics.audio.rest(of: player)
    if turn.now >= rest { return follow(player) }
    haptics.audio.nextLook = min(haptics.audio.nextLook, rest)
  }

  /// Lets the sounds of a player follow its changes, from the first of them on or as soon as can be.
  private mutating func follow(_ player: HapticPlayerID) {
    let now = haptics.mixer.now
    let changes = haptics.audio.takeWaiting(of: player, now: turn.now)
    guard let first = changes.map({ max($0.at, now) }).min() else { return }
    let from = behindBegun(of: player, from: first)
    guard from < haptics.audio.plannedUntil else { return }
    rollBack(player, to: from)
    // Those whose instant is to come are met on the way.
    for change in changes where change.at <= now || change.at < from { apply(change.command, to: player, at: from) }
    walk(from: from, to: haptics.audio.plannedUntil, of: player)
  }

  /// An instant, or behind the sounds of a player that begin from it on and that the mixer has begun by now: taken back and planned
  /// anew, one would be heard twice.
  private func behindBegun(of player: HapticPlayerID, from instant: Instant) -> Instant {
    let begun = haptics.audio.sounds.lazy.filter { sound in
      sound.player == player && sound.start >= instant && sound.goesOn(at: sound.start)
        && turn.timeline.frame(at: sound.start) < turn.reachableFrame
    }
    return begun.map { $0.start + Interval(nanoseconds: 1) }.max() ?? instant
  }

  /// The earliest instant at which a change of `player` happens as planned: where it is heard too, when that can be.
  func earliestChange(of player: HapticPlayerID?, isHeard: Bool = true) -> Instant {
    isHeard && hasSounds(player) ? max(turn.earliestHaptic, turn.earliestSound) : turn.earliestHaptic
  }

  /// Whether a player, or for nil any, has something to be heard, or still sounds.
  private func hasSounds(_ player: HapticPlayerID?) -> Bool {
    guard let player else { return haptics.mixer.hasAudio || !haptics.audio.sounds.isEmpty }
    return haptics.mixer.hasAudio(player) || haptics.audio.sounds.contains { $0.player == player }
  }

  /// Whether what a pattern names can be played.
  func canPlay(_ source: HapticAudioEvent.Source, pack: PackGeneration?) -> Bool {
    guard case .waveform(let path, _) = source else { return true }
    return pack?.waveforms.contains(path) ?? false
  }

  /// How long after its instant a sound may still begin at its beginning. When control comes by later than that, what would
  /// have begun meanwhile is passed over: what is over is not begun, what sounds on begins in its middle. So a turn has no
  /// more to do after a long stall than after a short one.
  static let latestSoundOfPattern = Interval.milliseconds(100)

  /// What is before this is passed over.
  private var past: Instant { turn.now - Self.latestSoundOfPattern }

  /// Tells all that happens in `start..<end`, of one player or of all: commands before the sounds that begin with them.
  private mutating func walk(
    from start: Instant, to end: Instant, of player: HapticPlayerID? = nil
  ) {
    enum Happening {
      case command(HapticCommand, HapticPlayerID)
      case start(HapticAudioStart)
    }
    var happenings: [(at: Instant, what: Happening)] = []
    for command in haptics.mixer.commands(from: start, to: end) {
      guard let at = command.instant, let id = command.player, player == nil || id == player else { continue }
      happenings.append((at, .command(command, id)))
    }
    var voiceless = ownersWithoutVoice(leaving: !happenings.isEmpty, of: player)
    // What is heard of patterns is skipped as other sounds are.
    if switches.sound {
      let from = max(start, past)
      let unheard = haptics.owners.filter { voiceless.contains($0.value.voiceOwner) }.keys
      let starts = haptics.mixer.audioStarts(
        from: from, to: end, of: player, missed: start < from ? start : nil, unheard: Set(unheard))
      haptics.audio.looks += starts.count
      happenings += starts.map { ($0.at, .start($0)) }
    }
    for (_, (at, what)) in happenings.enumerated().sorted(by: {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }) {
      switch what {
      case .command(let command, let id):
        apply(command, to: id, at: at)
        voiceless = []
      case .start(let sound):
        let owner = haptics.owners[sound.player]?.voiceOwner ?? VoiceOwner.daemon
        if !begin(sound, of: owner, isVoiceless: voiceless.contains(owner)) { voiceless.insert(owner) }
      }
    }
    let past = past
    for index in haptics.audio.sounds.indices where player == nil || haptics.audio.sounds[index].player == player {
      changeSound(index) { sound, tell in sound.walk(to: end, past: past, tell) }
    }
  }

  /// Those of whose patterns nothing more can begin, of which no more is looked at than it takes to tell so; `leaving`,
  /// where all that sounds may be made to leave.
  private func ownersWithoutVoice(leaving: Bool, of player: HapticPlayerID?) -> Set<UInt64> {
    let owners = haptics.owners.filter { player == nil || $0.key == player }.values
    let shares = haptics.audio.shares
    return Set(owners.map(\.voiceOwner)).filter {
      leaving ? !shares.couldHave(1, $0) : shares.givers(for: 1, of: $0) == nil
    }
  }

  private mutating func apply(
    _ command: HapticCommand, to player: HapticPlayerID, at instant: Instant
  ) {
    let (settled, past) = (haptics.mixer.now, past)
    for index in haptics.audio.sounds.indices where haptics.audio.sounds[index].player == player {
      changeSound(index) { sound, tell in
        sound.walk(to: instant, past: past, tell)
        sound.apply(command, at: instant, settled: settled, tell)
      }
    }
  }

  private mutating func rollBack(_ player: HapticPlayerID, to instant: Instant) {
    let frame = turn.timeline.frame(at: instant)
    haptics.audio.unheard.takeBack(player, from: instant)
    for index in haptics.audio.sounds.indices where haptics.audio.sounds[index].player == player {
      rollBack(index, to: instant, frame)
    }
  }

  private mutating func rollBack(_ index: Int, to instant: Instant, _ frame: Int64) {
    var cancelled: [VoiceID] = []
    let settled = haptics.mixer.now
    changeSound(index) { sound, tell in
      cancelled = sound.rollBack(to: instant, frame: frame, settled: settled, tell)
    }
    // They are planned anew where they are still to be heard. One that begins at the very frame would sound for as long as
    // a stop fades; one that the mixer has begun meanwhile is not to be taken back any more.
    for voice in cancelled {
      perform([.command(.retract(voice, from: 0)), .command(.stop(voice, at: turn.reachableFrame, fade: declick))])
    }
  }

  /// The parts of a sound for which an owner finds voices, with what others give up for it: one that finds none for its
  /// dull part is bright.
  private mutating func findVoices(for parts: [SoundPart], of owner: UInt64, at instant: Instant) -> [SoundPart]? {
    for wanted in parts.count > 1 ? [parts, [.whole]] : [parts] {
      guard let givers = haptics.audio.shares.givers(for: wanted.count, of: owner) else { continue }
      for index in givers { giveUp(index, at: instant) }
      return wanted
    }
    return nil
  }

  /// Ends a sound at an instant, for another's.
  private mutating func giveUp(_ index: Int, at instant: Instant) {
    let past = past
    changeSound(index) { sound, tell in sound.walk(to: instant, past: past, tell) }
    let sound = haptics.audio.sounds[index]
    if sound.isLeavingForGood { return }
    let begins = sound.start < instant
    noteUnheard(sound.player, at: begins ? instant : sound.start, begins ? .stolen : .noVoice)
    haptics.audio.sounds[index].giveUp(at: instant)
    rollBack(index, to: instant, turn.timeline.frame(at: instant))
    changeSound(index) { sound, tell in sound.walk(to: instant + Interval(nanoseconds: 1), past: past, tell) }
  }

  /// Begins a sound of an owner's; false where there is no voice for it.
  private mutating func begin(_ start: HapticAudioStart, of owner: UInt64, isVoiceless: Bool) -> Bool {
    let event = start.event
    let pack = haptics.owners[start.player]?.pack
    guard canPlay(event.source, pack: pack) else { return true }
    // What is entered after a stall may have begun before it.
    if start.offset > .zero, haptics.audio.sounds(event, of: start.player) { return true }
    // More at once cannot be told apart, and a pattern of tiny loops must not eat the machine.
    guard !isVoiceless,
      let parts = findVoices(for: event.isShaped ? [.whole, .dull] : [.whole], of: owner, at: start.at)
    else {
      noteUnheard(start.player, at: start.at, .noVoice)
      return false
    }
    var sound = HapticAudioEntry(start, of: owner, pack: pack, voices: parts.map { (makeVoice(), $0) })
    let frame = max(turn.timeline.frame(at: start.at), turn.reachableFrame)
    sound.begin(at: frame)
    for (voice, part) in sound.voices {
      var begun = self.start(of: voice, part, of: sound, at: frame)
      if start.offset > .zero {
        let entered = event.sourceTime(at: sound.position(at: turn.timeline.instant(ofFrame: frame)))
        (begun.sourceFrame, begun.fadeIn) = (entered.frames(rate: configuration.rate), declick)
      } else {
        begun.planned = turn.timeline.frame(at: start.at)
      }
      perform([.start(begun)])
    }
    haptics.audio.sounds.append(sound)
    return true
  }

  /// A voice for a part of a sound, from the beginning of both.
  private func start(of voice: VoiceID, _ part: SoundPart, of sound: HapticAudioEntry, at frame: Int64)
    -> VoiceStart<NamedSource>
  {
    let (source, loops): (ResidentSound, Bool) =
      switch (sound.event.source, sound.pack) {
      case (.waveform(let path, let loops), let pack?): (.waveform(LoadedKey(pack, path), part), loops)
      // Of no pack there are no files, and none is begun.
      case (.tone, _), (.waveform, nil): (.hapticTone(part), true)
      }
    let beginning = sound.beginning
    var start = VoiceStart<NamedSource>(
      id: voice, source: .resident(source, loops: loops), bus: .haptic, at: frame,
      gain: beginning.gain(of: sound.voices.count > 1 ? part : nil), pan: beginning.pan, pitch: beginning.pitch)
    (start.owner, start.user) = (sound.owner, haptics.owners[sound.player]?.cause.user ?? Cause.daemon.user)
    return start
  }

  /// Gives a sound the voice by which it is made duller, once that is to be heard.
  private mutating func split(
    _ index: Int, to wanted: HapticAudioEntry.Telling, at moment: HapticAudioEntry.Moment, _ frame: Int64
  ) {
    let sound = haptics.audio.sounds[index]
    // Nobody gives anything up for that.
    guard wanted.brightness < 1, !sound.isSplit,
      haptics.audio.shares.givers(for: 1, of: sound.owner)?.isEmpty ?? false, let whole = sound.voices.first
    else { return }
    var begun = start(of: makeVoice(), .dull, of: sound, at: frame)
    (begun.gain, begun.pan, begun.pitch, begun.alignedWith) = (0, wanted.pan, wanted.pitch, whole.id)
    perform([.start(begun)])
    haptics.audio.sounds[index].split(begun.id, at: moment.at, frame: frame)
  }

  /// Lets `body` change a sound, and tells its voices what that says.
  private mutating func changeSound(
    _ index: Int, _ body: (inout HapticAudioEntry, (HapticAudioEntry.Moment) -> Void) -> Void
  ) {
    var moments: [HapticAudioEntry.Moment] = []
    body(&haptics.audio.sounds[index]) { moments.append($0) }
    for moment in moments {
      let planned = turn.timeline.frame(at: moment.at)
      var frame = max(planned, turn.reachableFrame)
      if case .retract = moment.change { frame = max(frame, haptics.audio.sounds[index].begunFrame) }
      var fade = Fade(frames: Int32(clamping: max(turn.timeline.frame(at: moment.until) - frame, 1)), curve: .linear)
      // What comes late has less time left, but must not click.
      if frame > planned && fade.frames < declick.frames { fade = declick }
      if case .become(let wanted, _) = moment.change { split(index, to: wanted, at: moment, frame) }
      let sound = haptics.audio.sounds[index]
      for (voice, part) in sound.voices {
        perform(
          moment.change.commands(
            voice, sound.voices.count > 1 ? part : nil, at: frame, fade: fade, declick: declick
          ).map { .steer($0) })
      }
      haptics.audio.sounds[index].note(frame)
    }
  }
}
