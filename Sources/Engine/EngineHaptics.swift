import Haptics
import Timing
import Wire

/// The haptic nouns of the socket.
extension Engine {
  /// Bytes of a document sent inline, which is compiled while everybody waits: some 1 000 events, where the largest
  /// pattern seen in games has 267.
  static let longestInline = 1 << 17

  /// `haptics.play`.
  public mutating func playHaptics(
    _ params: HapticsPlay.Params, from client: ClientID, _ output: OutputState
  ) throws(RPCError) -> HapticsPlay.Result {
    let (source, pack, pattern) = try pattern(params)
    var options = HapticPlayOptions()
    let parameters = HapticsPlay.parameters
    options.gain = try parameters.gain.checked(params.gain)
    options.rate = try parameters.rate.checked(params.rate)
    options.loops = params.loop ?? parameters.loop.fallback
    options.loopEnd = loopEnd(try parameters.loopEnd.checked(params.loopEndUs))
    options.offset = .microseconds(try parameters.offset.checked(params.offsetUs))
    options.isMuted = params.mute ?? parameters.mute.fallback
    let replaced = try params.replaces.map { (id) throws(RPCError) in try playing(id) }
    let owner = HapticBoard.Owner(
      client: client, source: source, pack: pack, device: params.device,
      keepAfterDisconnect: .microseconds(try parameters.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    // What is heard and felt together begins when both can.
    let earliest =
      pattern.audioEvents.isEmpty ? output.earliestHaptic : max(output.earliestHaptic, output.earliestSound)
    let (at, late) = try schedule(params.atUs, earliest: earliest)
    let player = try startHaptics(pattern, owner: owner, options: options, replacing: replaced, at: at, output)
    return HapticsPlay.Result(
      player: Int64(player.rawValue), scheduledUs: at.microseconds, lateUs: late.microseconds,
      durationUs: Interval.seconds(pattern.duration.seconds / options.rate).microseconds)
  }

  /// `haptics.transient`.
  public mutating func playTransient(
    _ params: HapticsTransient.Params, from client: ClientID, _ output: OutputState
  ) throws(RPCError) -> HapticsPlay.Result {
    let parameters = HapticsTransient.parameters
    let intensity = try parameters.intensity.checked(params.intensity)
    let sharpness = try parameters.sharpness.checked(params.sharpness)
    let owner = HapticBoard.Owner(
      client: client, source: "transient",
      keepAfterDisconnect: .microseconds(try parameters.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    return try play(
      .transient(intensity: intensity, sharpness: sharpness), owner: owner, requestedUs: params.atUs, output)
  }

  /// `haptics.continuous`.
  public mutating func playContinuous(
    _ params: HapticsContinuous.Params, from client: ClientID, _ output: OutputState
  ) throws(RPCError) -> HapticsPlay.Result {
    let parameters = HapticsContinuous.parameters
    let intensity = try parameters.intensity.checked(params.intensity)
    let sharpness = try parameters.sharpness.checked(params.sharpness)
    let duration = Interval.microseconds(try parameters.duration.checked(params.durationUs))
    let owner = HapticBoard.Owner(
      client: client, source: "continuous",
      keepAfterDisconnect: .microseconds(try parameters.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    return try play(
      .continuous(intensity: intensity, sharpness: sharpness, duration: duration), owner: owner,
      requestedUs: params.atUs, output)
  }

  private mutating func play(
    _ pattern: HapticPattern, owner: HapticBoard.Owner, requestedUs: Int64?, _ output: OutputState
  ) throws(RPCError) -> HapticsPlay.Result {
    let (at, late) = try schedule(requestedUs, earliest: output.earliestHaptic)
    let player = try startHaptics(pattern, owner: owner, at: at, output)
    return HapticsPlay.Result(
      player: Int64(player.rawValue), scheduledUs: at.microseconds, lateUs: late.microseconds,
      durationUs: pattern.duration.microseconds)
  }

  /// What plays, for a pad that comes late; `isMeant` tells whether it is among the pads that a client named.
  public func playingHaptics(where isMeant: (String) -> Bool) -> HapticMixer {
    var mixer = haptics.mixer
    for (player, owner) in haptics.owners {
      if let device = owner.device, !isMeant(device) { mixer.apply(.stop(player, at: .distantPast)) }
    }
    return mixer
  }

  /// The pads that a command is for, as a client named them; nil for all. Only a start needs to be kept from the others:
  /// for a player they do not have, commands do nothing.
  public func device(for command: HapticCommand) -> String? {
    guard case .start(let player, _, _, _, _) = command else { return nil }
    return haptics.owners[player]?.device
  }

  /// A client has gone: its players end, now or when the time they asked to be kept is over.
  public mutating func clientLeft(_ client: ClientID, _ output: OutputState) {
    haptics.setGain(nil, of: client)
    for player in haptics.players(of: client) {
      let keep = haptics.owners[player]?.keepAfterDisconnect ?? .zero
      stopPlayer(player, at: output.now + keep, .disconnected, output)
    }
  }

  /// Starts a pattern on every device; refused when as many play as can, or as many of that client as may.
  @discardableResult
  mutating func startHaptics(
    _ pattern: HapticPattern, owner: HapticBoard.Owner, options: HapticPlayOptions = HapticPlayOptions(),
    replacing replaced: HapticPlayerID? = nil, at instant: Instant, _ output: OutputState
  ) throws(RPCError) -> HapticPlayerID {
    // Those that have ended by now no longer count.
    if refusal(of: owner.client, replacing: replaced) != nil { advanceHaptics(output) }
    if let refusal = refusal(of: owner.client, replacing: replaced) { throw refusal }
    var options = options
    options.ownerGain = haptics.gain(of: owner.client)
    if let replaced { stopPlayer(replaced, at: instant, .replaced, output) }
    let player = haptics.makePlayer(owner)
    let start = HapticCommand.start(player, pattern, source: owner.source, at: instant, options: options)
    change(player, by: start, at: instant, output)
    return player
  }

  /// Why a client may start no player; nil when it may.
  private func refusal(of client: ClientID, replacing replaced: HapticPlayerID?) -> RPCError? {
    let others = haptics.owners.filter { $0.key != replaced }.values
    if client == .daemon {
      guard others.count >= HapticBoard.mostPlayers else { return nil }
      return RPCError(.busy, "\(HapticBoard.mostPlayers) haptic players are playing or planned, as many as can")
    }
    let hint = "stop one, wait for one to end, or name one to replace in haptics.play"
    if others.count(where: { $0.client == client }) >= HapticBoard.mostPlayersOfAClient {
      return RPCError(
        .busy,
        "\(HapticBoard.mostPlayersOfAClient) haptic players of this client are playing or planned, as many as one may have",
        hint: hint)
    }
    if others.count(where: { $0.client != .daemon }) >= HapticBoard.mostPlayersOfClients {
      return RPCError(
        .busy, "\(HapticBoard.mostPlayersOfClients) haptic players of clients are playing or planned, as many as can",
        hint: hint)
    }
    return nil
  }

  mutating func stopPlayer(
    _ player: HapticPlayerID, at instant: Instant, _ reason: HapticsChanged.StopReason, _ output: OutputState
  ) {
    haptics.noteStop(of: player, at: instant, reason)
    change(player, by: .stop(player, at: instant), at: instant, output)
  }

  /// Tells what players did up to now, and the level for drawing.
  mutating func advanceHaptics(_ output: OutputState) {
    for event in haptics.mixer.advance(to: output.now) {
      let player = event.player
      guard let owner = haptics.owners[player] else { continue }
      var told = HapticsChanged(player: Int64(player.rawValue), source: owner.source, change: .started)
      switch event {
      case .started: break
      case .looped(_, _, let iteration): (told.change, told.iteration) = (.looped, iteration)
      case .finished: told.change = .finished
      case .stopped: (told.change, told.reason) = (.stopped, owner.stop?.reason ?? .requested)
      }
      if told.change == .finished || told.change == .stopped { haptics.remove(player) }
      notify(told, at: event.instant)
    }
    if let level = haptics.levelToTell(at: output.now) {
      notify(
        HapticsLevel(intensity: Double(level.intensity), sharpness: Double(level.sharpness)), at: output.now,
        coalescingKey: HapticsLevel.name)
    }
  }

  /// Where a looping player goes back; 0 means its pattern's end.
  func loopEnd(_ us: Int64) -> Interval? { us == 0 ? nil : .microseconds(us) }

  /// Tells the devices, and the mirror that knows what they do.
  mutating func command(_ command: HapticCommand) {
    haptics.mixer.apply(command)
    perform(command)
  }

  private func pattern(_ params: HapticsPlay.Params) throws(RPCError) -> (
    source: String, pack: String?, pattern: HapticPattern
  ) {
    switch (params.pattern, params.ahap) {
    case (let name?, nil):
      let (key, pattern, _) = try catalog.resolve(.pattern, name, in: \.patterns)
      return (spelled(key), key.pack, pattern)
    case (nil, let document?):
      guard let bytes = document.text(limit: Self.longestInline) else {
        throw RPCError(
          .invalidParams, "ahap has more than \(Self.longestInline) bytes, white space not counted",
          hint: "put the pattern into a pack, where it is compiled once, and play it by name")
      }
      let pattern: HapticPattern
      do throws(AHAPError) {
        pattern = HapticPattern(try AHAPDocument.parse(bytes, name: "ahap").document)
      } catch {
        throw RPCError(.invalidParams, "ahap cannot be read: \(error)", hint: "starlight lint FILE tells more")
      }
      if let event = pattern.audioEvents.first(where: { $0.source != .tone }),
        case .waveform(let path, _) = event.source
      {
        throw RPCError(
          .invalidParams, "ahap names a sound file, \(path), which an inline document may not",
          hint: "put the pattern and the file into a pack, and play it by name")
      }
      return ("inline", nil, pattern)
    default:
      throw RPCError(
        .invalidParams, "haptics.play wants either pattern, a name, or ahap, a document",
        hint: "pack.list names every pattern")
    }
  }
}
