// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules

/// The story at a daemon, frame by frame: what a player does goes in, what is to be drawn is to be read of `story`. It waits for
/// nothing. While no daemon is there the story stands still; when one comes the chapter begins anew.
public final class FrontEnd {
  /// The game.
  public private(set) var story: Story
  /// Whether a daemon is there, so that the story goes on.
  public private(set) var isConnected = false
  private let starlight: Starlight
  private let events: Events
  private let state: StateFile?
  private let sender: MessageSender?
  private var chance: Chance
  private var firings: Firings
  private let leftOut: Set<String>
  private var notices: [Notice] = []
  /// The frame's instant.
  private var nowUs: Int64 = .min
  /// When the story was interrupted; nil where it is not.
  private var interruptedUs: Int64?
  /// Whether whoever plays was called away and is not back: a daemon that comes meanwhile stands, too.
  private var isAway = false

  /// What is to be shown once.
  public enum Notice: Equatable, Sendable {
    /// What was stored could not be read: the game begins anew.
    case reset
    case confetti
    /// No daemon is there, and why: the story stands still and begins its chapter anew when one comes.
    case away(String)
    /// Something is not as it should be, in a sentence with its remedy; the game goes on.
    case problem(String)
  }

  /// A game as it is stored in `state`, which keeps nothing where it is nil; without a `sender` no message is sent. Cues that are
  /// `leftOut` are not fired, nor are the methods `music.play` and `rhythm.start` asked for that are: for a harness that has to
  /// notice.
  public init(
    _ starlight: Starlight, state: StateFile?, sender: MessageSender? = nil, rules: Rules = .designed,
    chance: Chance = Chance(), leftOut: Set<String> = []
  ) {
    self.starlight = starlight
    events = starlight.events(of: [.cue, .rhythm, .engine])
    (self.state, self.sender, self.chance) = (state, sender, chance)
    story = Story(rules: rules, stored: state?.read())
    self.leftOut = leftOut
    firings = Firings(leftOut: leftOut)
  }

  /// A frame: hears what the daemon told, and lets time pass to `us`, an instant of the daemon's clock (`Starlight.nowUs`).
  public func frame(toUs us: Int64) {
    nowUs = max(nowUs, us)
    for event in events.takeAll() { hear(event) }
    for result in sender?.takeResults() ?? [] {
      story.tellMessage(attempt: result.attempt, isDelivered: result.isDelivered, atUs: nowUs)
    }
    // At the end nothing waits for the daemon but the message for its time.
    guard isConnected || isAtTheEnd else { return }
    carryOut(story.advance(toUs: nowUs, using: &chance))
  }

  /// What the player does in this frame, or did at `us`, an instant of the daemon's clock behind the last frame: what comes with an
  /// instant of its own is handed over before the frame that it came in, however late that is drawn.
  public func act(_ act: Act, atUs us: Int64? = nil) {
    guard isConnected else { return }
    nowUs = max(nowUs, us ?? nowUs)
    carryOut(story.act(act, atUs: nowUs, using: &chance))
  }

  /// All is to stand still: whoever plays is called away.
  public func interrupt() {
    isAway = true
    guard isConnected else { return }
    carryOut(story.interrupt(atUs: nowUs, using: &chance))
  }

  /// Whoever plays is back. After the system slept, too, somebody has to say so.
  public func interruptionEnded() {
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

  private var isAtTheEnd: Bool { story.scene?.chapter == .eventHorizon && story.scene?.completedUs != nil }

  // MARK: - From the daemon

  private func hear(_ event: Event) {
    switch event {
    case .connected:
      isConnected = true
      interruptedUs = nil
      firings.forget()
      let begun = story.start(atUs: nowUs, using: &chance)
      // The hold of before went with the connection; what the chapter begins with waits behind this one.
      if isAway { interrupt() }
      carryOut(begun)
    case .disconnected(let why):
      isConnected = false
      notices.append(.away(why.message))
    case .answered(let answer): hear(answer)
    case .refused(let refusal): hear(refusal)
    case .told(.engineResumed(let told), tUs: _):
      guard let since = interruptedUs else { return }
      interruptedUs = nil
      // What the daemon plays comes so much later, and so does the story, whatever instants it began to stand at.
      carryOut(story.wentOn(atUs: since + told.movedUs))
    case .told(.enginePaused, tUs: _):
      // Before the system sleeps, or by somebody else.
      if interruptedUs == nil { interrupt() }
    case .told(let told, let tUs):
      guard let telling = Telling(told, tUs: tUs) else { return }
      carryOut(story.tell(telling, atUs: min(tUs, nowUs), using: &chance))
    case .lost(let lost):
      notices.append(.problem("frames come too seldom to hear everything: \(lost) (take one at least each second)"))
    }
  }

  private func hear(_ answer: Answer) {
    do {
      if let fired = try answer.result(of: CueFire.self) {
        // Where a pad leads, touch begins later than the cue's zero.
        for command in firings.answered(answer.ticket, id: fired.id, beginsUs: fired.hapticAtUs ?? fired.scheduledUs) {
          perform(command)
        }
      }
      if let started = try answer.result(of: RhythmStart.self) {
        carryOut(story.tell(.started(run: started.run), atUs: nowUs, using: &chance))
      }
    } catch {
      notices.append(.problem(error.message))
    }
  }

  private func hear(_ refusal: Refusal) {
    switch (refusal.method, refusal.error.kind) {
    // What is over by then, or was never there, needs no end, and a tap for nobody's beat no verdict.
    case (CueStop.name, _), (RhythmTap.name, _), (_, .closed): break
    case (RhythmStart.name, .rpc(let error)) where error.data.kind == RPCError.Kind.alreadyRunning.rawValue:
      // Of a program that is gone: the game has one player.
      send(RhythmStop.self, Empty())
      startChapter(story.rules.firewall.chapter)
    default: notices.append(.problem("\(refusal.method) was refused: \(refusal.error.message)"))
    }
    if refusal.method == CueFire.name {
      for command in firings.answered(refusal.ticket, id: nil, beginsUs: nil) { perform(command) }
    }
  }

  // MARK: - To the daemon

  private func carryOut(_ outcomes: [Outcome]) {
    firings.beginBatch()
    for outcome in outcomes {
      switch outcome {
      case .cue(let cue, let us): for command in firings.fire(cue.name, atUs: us, nowUs: nowUs) { perform(command) }
      case .stop(let cue, _): for command in firings.stop(cue.name) { perform(command) }
      case .slider(let value, _): send(ParameterSet.self, .init(parameter: "slider", value: value))
      case .playMain where leftOut.contains(MusicPlay.name): break
      case .playMain: send(MusicPlay.self, .init(track: "audio_bgm_main", from: .continue))
      case .startChapter(let name, _): startChapter(name)
      case .tap(let lane, let run, let us): send(RhythmTap.self, .init(atUs: us, lane: lane.rawValue, run: run))
      case .confetti: notices.append(.confetti)
      case .send(let attempt): sender?.send(attempt: attempt)
      case .store(let chapter): store(chapter)
      case .saidReset: notices.append(.reset)
      case .pause(let us):
        interruptedUs = us
        send(EnginePause.self, Empty())
      case .goOn: send(EngineResume.self, Empty())
      // It is drawn for as long as `Story.isWelcoming`.
      case .welcomeBack: break
      }
    }
  }

  private func perform(_ command: Firings.Command) {
    switch command {
    case .fire(let cue, let us):
      do throws(ClientError) {
        firings.asked(cue, ticket: try starlight.ask(CueFire.self, .init(cue: cue, atUs: us)))
      } catch {
        complain(error)
      }
    case .stop(let id): send(CueStop.self, .init(id: id))
    }
  }

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

  private func store(_ chapter: Chapter) {
    do throws(StateFile.Failure) {
      try state?.write(Checkpoint.bytes(chapter))
    } catch {
      notices.append(.problem(error.description))
    }
  }

  /// Where the daemon is away by now the chapter begins anew when it is back.
  private func complain(_ error: ClientError) {
    if error.kind != .notConnected { notices.append(.problem(error.message)) }
  }
}
