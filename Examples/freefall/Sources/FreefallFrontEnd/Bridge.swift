// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import StarlightClient

/// What lies between the rules and the daemon, without a socket: what happens in the game becomes what is to be asked, what
/// the daemon tells becomes beats and instants of the game.
///
/// Game time is the daemon's less what it stood still, so that a pause or another daemon moves nothing in the game.
struct Bridge {
  private var isConnected = false
  /// What an instant of the daemon's is later than the game's.
  private var movedUs: Int64 = 0
  /// The daemon's instant since which all stands still.
  private var stoodSinceUs: Int64?
  /// Whether that is asked for here; the client asks for it anew where the daemon comes back.
  private var isHeldHere = false
  private let askAgainUs: Int64
  /// When to ask once more that all goes on; nil where nobody has to.
  private var asksAgainUs: Int64?
  /// Whether the player came back while the game did not yet know of a daemon that the client had already asked to stand. It was asked
  /// to go on at once; until it does its standing is no new interruption, unless it is the system's sleep.
  private var isBackAlready = false
  /// Whether the intermission's track is to be asked for as all goes on: its instant is not known before.
  private var isTrackDue = false
  /// The latest instant of the game.
  private var latestUs: Int64 = .min

  /// At a daemon that is yet to come.
  init(rules: PlayRules) { askAgainUs = rules.askAgainUs }

  /// Whether the game stands still: an interruption of this game's or another's, or the system's sleep.
  var stands: Bool { stoodSinceUs != nil }

  /// The game's instant at one of the daemon's.
  mutating func gameUs(atDaemonUs us: Int64) -> Int64 {
    latestUs = max(latestUs, min(us, stoodSinceUs ?? us) - movedUs)
    return latestUs
  }

  /// What is to be asked because of what happened in the game. While the daemon is away nothing is: it would be late.
  func asks(for outcomes: [Outcome]) -> [Ask] {
    guard isConnected else { return [] }
    return outcomes.compactMap { outcome in
      switch outcome {
      case .cue(let cue, atUs: _): .fire(cue)
      case .turned(.music, let isOn, atUs: _): .set(SettingsSet.Params(music: isOn))
      case .turned(.effects, let isOn, atUs: _): .set(SettingsSet.Params(sound: isOn))
      case .turned(.haptics, let isOn, atUs: _): .set(SettingsSet.Params(haptics: isOn))
      case .store: nil
      }
    }
  }

  /// Everything is to stand still from `nowUs` of the daemon's on.
  mutating func hold(nowUs: Int64) -> [Ask] {
    guard !isHeldHere else { return [] }
    isHeldHere = true
    (asksAgainUs, isBackAlready) = (nil, false)
    // Else the daemon says when.
    if !isConnected { stoodSinceUs = stoodSinceUs ?? nowUs }
    return [.hold]
  }

  /// It is to go on, after an interruption or the system's sleep. Whether a daemon is there the client may know before it is heard
  /// here: that one may have been asked for the hold anew.
  mutating func release(nowUs: Int64, isThere: Bool = false) -> [Ask] {
    guard isHeldHere || stands else { return [] }
    isHeldHere = false
    if isConnected {
      asksAgainUs = nowUs + askAgainUs
    } else {
      isBackAlready = isThere
      goOn(atUs: nowUs)
    }
    return [.letGo]
  }

  /// What is to be asked because time has come to `nowUs` of the daemon's. Who is back while the system is still on its way to sleep is
  /// not heard.
  mutating func asks(atUs nowUs: Int64) -> [Ask] {
    guard let again = asksAgainUs, again <= nowUs else { return [] }
    guard stands else {
      (asksAgainUs, isBackAlready) = (nil, false)
      return []
    }
    asksAgainUs = nowUs + askAgainUs
    return [.letGo]
  }

  /// Takes in what the daemon tells, at `nowUs` of its clock.
  mutating func hear(_ event: Event, nowUs: Int64, game: inout Game) -> [Ask] {
    switch event {
    case .connected(let session): return meet(session, nowUs: nowUs, game)
    case .disconnected: part(nowUs: nowUs)
    case .told(.musicBeatAhead(let beat), tUs: _):
      game.tell(Beat(atUs: beat.beatUs - movedUs, bpm: beat.bpm))
    case .told(.musicBeatRecalled(let beat), tUs: _): game.recallBeat(atUs: beat.beatUs - movedUs)
    case .told(.enginePaused(let paused), let tUs):
      // What stood before a daemon came stands on, in place.
      goOn(atUs: tUs)
      stoodSinceUs = tUs
      if paused.sleep { isBackAlready = false }
      // Nobody is back from this one.
      if !isBackAlready { asksAgainUs = nil }
    case .told(.engineResumed(let resumed), tUs: _):
      stoodSinceUs = nil
      (asksAgainUs, isBackAlready) = (nil, false)
      movedUs += resumed.movedUs
      guard isTrackDue else { break }
      isTrackDue = false
      return intermissionTrack(of: game)
    // All came to stand before it was asked for.
    case .refused(let refusal) where refusal.isForAllStands && refusal.method == MusicPlay.name: isTrackDue = true
    default: break
    }
    return []
  }

  // MARK: - Coming and going

  /// A daemon is there: it is to be as the game is, and to play nothing twice.
  private mutating func meet(_ session: Session, nowUs: Int64, _ game: Game) -> [Ask] {
    isConnected = true
    if isBackAlready { asksAgainUs = nowUs + askAgainUs }
    if let since = stoodSinceUs { _ = gameUs(atDaemonUs: since) }
    let hasBegun = latestUs > .min
    if hasBegun, session.hello.clock == .stepped, session.continuity != .sameDaemon {
      // Its clock is of its own; the game goes on where it was.
      movedUs = session.hello.nowUs - latestUs
      if stands { stoodSinceUs = session.hello.nowUs }
    } else if hasBegun {
      _ = gameUs(atDaemonUs: nowUs)
    }
    var asks: [Ask] = []
    let (mine, theirs) = (game.progress.switches, session.snapshot.settings)
    if (mine.isMusicOn, mine.areEffectsOn, mine.areHapticsOn) != (theirs.music, theirs.sound, theirs.haptics) {
      asks.append(
        .set(SettingsSet.Params(music: mine.isMusicOn, sound: mine.areEffectsOn, haptics: mine.areHapticsOn)))
    }
    if let paused = session.snapshot.paused {
      // That it stands is told no more, but as it ends how long all of that was; the game stands where it is.
      if hasBegun { movedUs = paused.atUs - latestUs }
      stoodSinceUs = paused.atUs
    } else if isHeldHere {
      // The client has asked for it, and the daemon is to say when.
    } else if let since = stoodSinceUs {
      // Who held it is gone with the daemon, or let go meanwhile.
      goOn(atUs: max(session.hello.nowUs, since))
    }
    return asks + music(of: game, whilePlaying: session.snapshot.music)
  }

  private mutating func part(nowUs: Int64) {
    (isConnected, isTrackDue) = (false, false)
    (asksAgainUs, isBackAlready) = (nil, false)
    if isHeldHere { stoodSinceUs = stoodSinceUs ?? nowUs } else { goOn(atUs: nowUs) }
  }

  private mutating func goOn(atUs us: Int64) {
    guard let since = stoodSinceUs else { return }
    movedUs += max(us - since, 0)
    stoodSinceUs = nil
  }

  /// The track for where the player is, unless it plays already; silence where silence is due.
  private mutating func music(of game: Game, whilePlaying music: MusicStatus.Result) -> [Ask] {
    let playing = music.state == .stopped ? nil : music.track
    switch game.screen {
    case .intermission(let intermission) where intermission.death == nil:
      guard playing != "freefall:intermission-track" else { return [] }
      isTrackDue = stands && intermission.playUs > latestUs
      return isTrackDue ? [] : intermissionTrack(of: game)
    case .intermission: return playing == nil ? [] : [.stopMusic(fadeUs: 0)]
    case .menu, .worlds, .levels, .level:
      guard let cue = game.music else { return playing == nil ? [] : [.stopMusic(fadeUs: nil)] }
      return playing == cue.track.map { "freefall:" + $0 } ? [] : [.fire(cue)]
    }
  }

  /// The track of an intermission that goes on. The cue that would have begun it went with the connection; its voice, where that
  /// had begun, was heard.
  private func intermissionTrack(of game: Game) -> [Ask] {
    guard case .intermission(let intermission) = game.screen, intermission.death == nil else { return [] }
    let atUs = intermission.playUs > latestUs ? intermission.playUs + movedUs : nil
    return [.play(MusicPlay.Params(track: "intermission-track", atUs: atUs, crossfadeUs: 0))]
  }
}

extension Refusal {
  /// Whether it was refused because all stood: an instant is not known then.
  var isForAllStands: Bool {
    if case .rpc(let error) = error.kind { error.data.kind == RPCError.Kind.paused.rawValue } else { false }
  }
}
