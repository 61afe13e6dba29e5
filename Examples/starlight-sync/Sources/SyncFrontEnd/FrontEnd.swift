// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules

/// The story at a daemon: what a player does goes in, what is to be drawn is to be read of `story`, a value. It belongs beside the
/// drawing, on the thread that input comes on: what a player does is heard as soon as it is handed over, however long a picture takes.
/// Nothing here waits, neither for the daemon nor for the disk, except as a game begins, which reads what is stored, and as its program
/// ends (`finish`). While no daemon is there the story stands still; when one comes the chapter begins anew.
public final class FrontEnd {
  /// The game.
  public private(set) var story: Story
  /// Whether a daemon is there, so that the story goes on.
  public private(set) var isConnected = false
  private let starlight: Starlight
  private let events: Events
  private let writer: StateWriter?
  /// Whether the last thing to be stored was, as far as is known.
  private var isStored = true
  private let sender: MessageSender?
  private var chance: Chance
  private let leftOut: Set<String>
  private var notices: [Notice] = []
  /// The latest instant that it was told.
  private var nowUs: Int64 = .min
  /// When the story was interrupted; nil where it is not.
  private var interruptedUs: Int64?
  /// When to ask again that all goes on.
  private var asking: Asking
  /// Whether whoever plays was called away and is not back: a daemon that comes meanwhile finds the story standing, too.
  private var isAway = false
  /// Whether whoever plays came back while the front end did not yet know of a daemon that the client had already asked to stand
  /// for them. It was asked to go on at once: that it stands until it does is no interruption to be welcomed back from.
  private var isBackAlready = false

  /// What is to be shown once.
  public enum Notice: Equatable, Sendable {
    /// What was stored could not be read: the game begins anew.
    case reset
    case confetti
    /// No daemon is there, and why: the story stands still and begins its chapter anew when one comes.
    case away(String)
    /// Something is not as it should be, in a sentence with its remedy; the game goes on.
    case problem(String)
    /// Progress, of which a problem told that it is not kept, is kept again.
    case storedAgain
  }

  /// A game as it is stored in `state`, which keeps nothing where it is nil; without a `sender` no message is sent. Cues that are
  /// `leftOut` are not fired, nor are the methods `music.play` and `rhythm.start` asked for that are: for a harness that has to
  /// notice.
  public convenience init(
    _ starlight: Starlight, state: StateFile?, sender: MessageSender? = nil, rules: Rules = .designed,
    chance: Chance = Chance(), leftOut: Set<String> = []
  ) {
    self.init(
      starlight, stored: state?.read(), writer: state.map { StateWriter($0) }, sender: sender, rules: rules,
      chance: chance, leftOut: leftOut)
  }

  /// The same of a player of whom these bytes were stored.
  init(
    _ starlight: Starlight, stored: [UInt8]?, writer: StateWriter?, sender: MessageSender? = nil,
    rules: Rules = .designed, chance: Chance = Chance(), leftOut: Set<String> = []
  ) {
    self.starlight = starlight
    events = starlight.events(of: [.cue, .rhythm, .engine])
    (self.writer, self.sender, self.chance) = (writer, sender, chance)
    story = Story(rules: rules, stored: stored)
    asking = Asking(rules: rules.flow)
    self.leftOut = leftOut
  }

  /// Hears what the daemon told, and lets time pass to `us`, an instant of the daemon's clock (`Starlight.nowUs`): every few
  /// milliseconds, whatever is drawn.
  public func advance(toUs us: Int64) {
    nowUs = max(nowUs, us)
    for event in events.takeAll() { hear(event) }
    hear(writer?.takeOutcome())
    for result in sender?.takeResults() ?? [] {
      story.tellMessage(attempt: result.attempt, isDelivered: result.isDelivered, atUs: nowUs)
    }
    if asking.isDue(atUs: nowUs) {
      asking.end()
      if !story.isInterrupted { isBackAlready = false } else if !isAway { askToGoOn() }
    }
    // At the end nothing waits for the daemon but the message for its time.
    guard isConnected || isAtTheEnd else { return }
    carryOut(story.advance(toUs: nowUs, using: &chance))
  }

  /// What the player does at `us`, an instant of the daemon's clock: as soon as it comes, for what answers it is asked for at once.
  public func act(_ act: Act, atUs us: Int64) {
    guard isConnected else { return }
    nowUs = max(nowUs, us)
    carryOut(story.act(act, atUs: nowUs, using: &chance))
  }

  /// All is to stand still: whoever plays is called away.
  public func interrupt() {
    isAway = true
    if isBackAlready || !isConnected { starlight.hold() }
    isBackAlready = false
    asking.end()
    if isConnected { stand() }
  }

  /// Whoever plays is back. After the system slept, too, somebody has to say so.
  public func interruptionEnded() {
    // A daemon that is to come need not stand, though it is not heard yet that the last is gone, nor that the next is there.
    if isAway, !isConnected || starlight.session == nil { letGoUnheard() }
    isAway = false
    carryOut(story.interruptionEnded(atUs: nowUs))
  }

  /// Moves the player's switches.
  public func set(_ switches: SettingsSet.Params) { send(SettingsSet.self, switches) }

  /// What is to be shown, since this was asked last.
  public func takeNotices() -> [Notice] {
    defer { notices = [] }
    return notices
  }

  /// The game's program ends: waits until what is to be stored is, and what is to be sent has its program, so long at most for each.
  /// Whether it is stored; a reason why not is among the notices. Who is killed before loses what was completed in the last
  /// milliseconds.
  @discardableResult public func finish(within limit: Duration = .seconds(5)) -> Bool {
    sender?.finish(within: limit)
    hear(writer?.finish(within: limit))
    return isStored
  }

  private var isAtTheEnd: Bool { story.scene?.chapter == .eventHorizon && story.scene?.completedUs != nil }

  // MARK: - From the daemon

  private func hear(_ event: Event) {
    switch event {
    case .connected(let session):
      isConnected = true
      interruptedUs = nil
      if isBackAlready { asking.asked(atUs: nowUs) }
      let begun = story.start(atUs: nowUs, using: &chance)
      let paused = session.snapshot.paused
      if paused?.sleep == true { isAway = true }
      // The daemon stands already, for the client sees to that, or for somebody else who holds it: of that it tells no more until it
      // ends, and then how long all of it was.
      if isAway || paused != nil { stand() }
      if let paused { interruptedUs = paused.atUs }
      carryOut(begun)
    case .disconnected(let why):
      isConnected = false
      // Who is being welcomed back is no more waited for than who was not away.
      if !isAway, story.isInterrupted { letGoUnheard() }
      notices.append(.away(why.message))
    case .answered(let answer): hear(answer)
    case .refused(let refusal): hear(refusal)
    case .told(.engineResumed(let told), tUs: _):
      guard let since = interruptedUs else { return }
      interruptedUs = nil
      isBackAlready = false
      // What the daemon plays comes so much later, and so does the story, whatever instants it began to stand at.
      carryOut(story.wentOn(atUs: since + told.movedUs))
    case .told(.enginePaused(let told), tUs: _):
      // Before the system sleeps, or by somebody else.
      guard interruptedUs == nil else { return }
      if told.sleep { (isAway, isBackAlready) = (true, false) }
      if !isBackAlready { asking.end() }
      stand()
    case .told(let told, let tUs):
      guard let telling = Telling(told, tUs: tUs) else { return }
      carryOut(story.tell(telling, atUs: min(tUs, nowUs), using: &chance))
    // What begins is of the new reading, and nothing of the old one is kept here.
    case .packRead: break
    case .lost(let lost):
      notices.append(.problem("frames come too seldom to hear everything: \(lost) (take one at least each second)"))
      // Whatever came and went, this is there now.
      if lost.connections > 0, let session = starlight.session { hear(.connected(session)) }
    }
  }

  private func hear(_ answer: Answer) {
    do {
      if let started = try answer.result(of: RhythmStart.self) {
        carryOut(story.tell(.started(run: started.run), atUs: nowUs, using: &chance))
      }
    } catch {
      notices.append(.problem(error.message))
    }
  }

  private func hear(_ refusal: Refusal) {
    switch (refusal.method, refusal.error.kind) {
    // What is over by then, or was never there, needs no end, what goes on already no letting go, and a tap for nobody's beat no
    // verdict. What went with the connection the chapter asks anew as it begins anew.
    case (CueStop.name, _), (EngineResume.name, _), (RhythmTap.name, _), (_, .unanswered), (_, .notConnected): break
    case (RhythmStart.name, .rpc(let error)) where error.data.kind == RPCError.Kind.alreadyRunning.rawValue:
      // Of a program that is gone: the game has one player.
      send(RhythmStop.self, Empty())
      startChapter(story.rules.firewall.chapter)
    default: notices.append(.problem("\(refusal.method) was refused: \(refusal.error.message)"))
    }
  }

  // MARK: - To the daemon

  private func carryOut(_ outcomes: [Outcome]) {
    // A cue that is planned keeps its distance from the one that is fired with it, which may be felt later than asked.
    var leader: (cue: Cue, us: Int64)?
    // What is to be heard comes first.
    defer { for case .store(let chapter) in outcomes { writer?.store(Checkpoint.bytes(chapter)) } }
    for outcome in outcomes {
      switch outcome {
      case .cue(let cue, _) where leftOut.contains(cue.name): break
      case .cue(let cue, let us) where us <= nowUs:
        fire(.init(cue: cue.name, tag: cue.name))
        leader = (cue, us)
      case .cue(let cue, let us):
        if let leader {
          fire(.init(cue: cue.name, tag: cue.name, after: leader.cue.name, afterUs: us - leader.us))
        } else {
          fire(.init(cue: cue.name, atUs: us, tag: cue.name))
        }
      case .stop(let cue, _): send(CueStop.self, .init(tag: cue.name))
      case .slider(let value, _): send(ParameterSet.self, .init(parameter: "slider", value: value))
      case .playMain where leftOut.contains(MusicPlay.name): break
      case .playMain: send(MusicPlay.self, .init(track: "audio_bgm_main", from: .continue))
      case .startChapter(let name, _): startChapter(name)
      case .tap(let lane, let run, let us): send(RhythmTap.self, .init(atUs: us, lane: lane.rawValue, run: run))
      case .confetti: notices.append(.confetti)
      case .send(let attempt, let withinUs): sender?.send(attempt: attempt, withinUs: withinUs)
      // Behind all of these.
      case .store: break
      case .saidReset: notices.append(.reset)
      case .pause(let us):
        interruptedUs = us
        if !isBackAlready { starlight.hold() }
      case .goOn: askToGoOn()
      // It is drawn for as long as `Story.isWelcoming`.
      case .welcomeBack: break
      }
    }
  }

  private func stand() { carryOut(story.interrupt(atUs: nowUs, using: &chance)) }

  /// Asks for it, and once a second until it does: whoever is back while the system is still on its way to sleep is not heard.
  private func askToGoOn() {
    starlight.letGo()
    asking.asked(atUs: nowUs)
  }

  /// The same of a daemon that is not heard of yet: of one that is there the client may have asked for the hold anew.
  private func letGoUnheard() {
    askToGoOn()
    isBackAlready = starlight.session != nil
  }

  private func fire(_ params: CueFire.Params) { send(CueFire.self, params) }

  /// Without a lease, so that it ends with this program and the next one finds nobody's chapter.
  private func startChapter(_ name: String) {
    guard !leftOut.contains(RhythmStart.name) else { return }
    do throws(ClientError) {
      try starlight.ask(RhythmStart.self, .init(chapter: name, leaseUs: 0))
    } catch {
      complain(error)
    }
  }

  private func send<Method: WireMethod>(_ method: Method.Type, _ params: Method.Params) {
    do throws(ClientError) {
      try starlight.send(method, params)
    } catch {
      complain(error)
    }
  }

  private func hear(_ outcome: StateWriter.Outcome?) {
    switch outcome {
    case .failed(let failure)?:
      // Said once, until it is stored again.
      if isStored { notices.append(.problem(failure.description)) }
      isStored = false
    case .stored?:
      if !isStored { notices.append(.storedAgain) }
      isStored = true
    case nil: break
    }
  }

  /// Where the daemon is away by now the chapter begins anew when it is back.
  private func complain(_ error: ClientError) {
    if error.kind != .notConnected { notices.append(.problem(error.message)) }
  }
}
