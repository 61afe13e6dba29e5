// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Outcomes
import Problems
import Timing

/// The verbs of haptic players.
extension Engine {
  /// What plays, for a pad that comes late; `isMeant` tells whether it is among the pads that a client named.
  public func playingHaptics(where isMeant: (String) -> Bool) -> HapticMixer {
    var mixer = haptics.mixer
    for (player, owner) in haptics.owners {
      if let device = owner.device, !isMeant(device) { mixer.keepAway(player) }
    }
    return mixer
  }

  /// The pads that a command is for, as a client named them; nil for all. Only a start needs to be kept from the others, but
  /// for what is `unfelt` of it: for a player they do not have, commands do nothing.
  public func device(for command: HapticCommand) -> String? {
    guard case .start(let player, _, _, _, _) = command else { return nil }
    return haptics.owners[player]?.device
  }

  /// Starts a pattern on every device; refused when as many play as can, or as many of that client or user as may. Nil where it is
  /// to begin as soon as it can and the switch is off. What it replaces ends when it begins, and goes on where it never does.
  @discardableResult
  mutating func startHaptics(
    _ pattern: HapticPattern, owner: HapticBoard.Owner, options: HapticPlayOptions = HapticPlayOptions(),
    replacing replaced: HapticPlayerID? = nil, at instant: Instant, isAsap: Bool
  ) throws(VerbRefusal) -> HapticPlayerID? {
    if isAsap && !switches.haptics { return nil }
    // Those that have ended by now no longer count.
    if refusal(of: owner.cause, replacing: replaced) != nil { advanceHaptics() }
    if let refusal = refusal(of: owner.cause, replacing: replaced) { throw refusal }
    var options = options
    options.family = owner.pack.flatMap { pack in
      AssetKey(owner.source, active: pack.name).flatMap { key in
        key.pack == pack.name ? parameters.families.family(ofPattern: key.name, of: pack.name) : nil
      }
    }
    options.ownerGain = haptics.gain(of: owner.cause.client)
    options.replaced = replaced
    let player = haptics.makePlayer(owner, at: instant)
    cues.partBegan(of: owner.cue)
    let start = HapticCommand.start(player, pattern, source: owner.source, at: instant, options: options)
    tell(player, start, at: instant)
    for (stop, at) in haptics.stopsAhead where at > instant && at >= turn.now && isMeant(player, by: stop) {
      stopPlayer(player, at: at, .requested)
    }
    return player
  }

  /// Why a client may start no player; nil when it may.
  private func refusal(of cause: Cause, replacing replaced: HapticPlayerID?) -> VerbRefusal? {
    let isOwn = replaced.flatMap { haptics.owners[$0]?.cause.client } == cause.client
    let own = haptics.counts.count(of: cause.client) - (isOwn ? 1 : 0)
    // Mostly there are few, whosever they are.
    let few = HapticBoard.mostPlayersOfAUser - HapticBoard.keptForFew
    if own < HapticBoard.mostPlayersOfAClient, haptics.owners.count < few { return nil }
    let shared = haptics.sharedPlayers(but: [replaced].compactMap(\.self))
    func refusal(_ count: Int, _ most: Int, _ whose: Wording) -> VerbRefusal? {
      guard count >= most else { return nil }
      return VerbRefusal(
        .busy, "\(count) haptic players\(whose) are playing or planned, as many as may be",
        remedy: "stop one, wait for one to end, or name one to replace in \(method: "haptics.play")")
    }
    if cause.client == .daemon { return refusal(shared.ofClients + shared.ofTheDaemon, HapticBoard.mostPlayers, "") }
    let most = HapticBoard.mostPlayersOfClients + HapticBoard.ownOfAClient * HapticBoard.mostOwners
    if own < HapticBoard.ownOfAClient, haptics.owners.count < most { return nil }
    let kept = own < HapticBoard.fewPlayers ? 0 : HapticBoard.keptForFew
    return refusal(own, HapticBoard.mostPlayersOfAClient, " of this client")
      ?? refusal(
        shared.ofUsers[cause.user] ?? 0, HapticBoard.mostPlayersOfAUser - kept,
        " of clients of this user, beside each client's first,")
      ?? refusal(
        shared.ofClients, HapticBoard.mostPlayersOfClients - kept, " of clients, beside each client's first,")
  }

  /// Plans a stop of every player that it is of and that begins before `instant`.
  mutating func stopPatterns(_ stop: PlannedHapticStop, at instant: Instant) throws(VerbRefusal) {
    let client = stop.cause.client
    if stop.cue == nil, haptics.waitingStops.contains(stop.pattern, at: instant, by: client) { return }
    var stop = stop
    stop.cause = try share(forStopAt: instant, by: stop.cause)
    if stop.cue == nil { haptics.waitingStops.note(stop.pattern, at: instant, by: client) }
    cues.partBegan(of: stop.cue)
    haptics.stops.insert(stop, at: instant)
    dispatchHapticStops()
  }

  /// Hands out the stops of many that are due.
  mutating func dispatchHapticStops() {
    while let (at, stop) = haptics.stops.pop(upTo: turn.now + hapticHorizon) {
      shares.give(1, for: stop.cause)
      if stop.cue == nil { haptics.waitingStops.forget(stop.pattern, at: at, by: stop.cause.client) }
      cues.partEnded(of: stop.cue, .done, words(for: stop))
      haptics.noteAhead(stop, at: at, now: turn.now)
      let meant = haptics.players.filter { player in
        haptics.owners[player].map { $0.at < at } ?? false && isMeant(player, by: stop)
      }
      for player in meant { stopPlayer(player, at: at, .requested) }
      if !meant.isEmpty { noteChange(of: stop.cue, at: at, frame: nil, by: stop.cause) }
    }
  }

  /// How far ahead the outputs are told: the slowest motor's lead fits in.
  var hapticHorizon: Interval { max(horizon, turn.hapticLead + .milliseconds(20)) }

  private func isMeant(_ player: HapticPlayerID, by stop: PlannedHapticStop) -> Bool {
    guard let pattern = stop.pattern else { return true }
    return haptics.owners[player].map { isPlayer(of: pattern, $0) } ?? false
  }

  private func isPlayer(of pattern: AssetKey, _ owner: HapticBoard.Owner) -> Bool {
    owner.pack?.name == pattern.pack && owner.source == pattern.description
  }

  mutating func stopPlayer(
    _ player: HapticPlayerID, at instant: Instant, _ reason: HapticStopReason
  ) {
    haptics.noteStop(of: player, at: instant, reason)
    tell(player, .stop(player, at: instant), at: instant)
  }

  /// Has a player do something from an instant on: tells the outputs, and lets the sounds of its pattern follow.
  mutating func tell(_ player: HapticPlayerID, _ command: HapticCommand, at instant: Instant) {
    let replaced = replacedSounding(by: player)
    self.command(command)
    guard command.concernsSounds else { return }
    // A command that changes when the player begins changes whether and when the sounds of those that it replaces end.
    for other in Set(replaced + replacedSounding(by: player)) { replanHapticAudio(of: other, from: instant) }
    followHapticAudio(of: player, command, at: instant)
  }

  /// Tells the devices, and the mirror that knows what they do.
  mutating func command(_ command: HapticCommand) {
    haptics.mixer.apply(command)
    perform(.haptics(command))
  }
}
