// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import SyncFrontEnd
import SyncMessage
import SyncRules

/// One program's part of the play, from where the state file says to the end, or to where it kills itself.
struct PlayedStory {
  static let frameUs: Int64 = 16_667
  /// How long somebody is gone for whom the system sleeps.
  static let asleepUs: Int64 = 3_000_000
  /// After how long a chapter that does not begin is given up.
  static let patienceUs: Int64 = 5_000_000
  /// How long a title stands before the story begins.
  static let titleUs: Int64 = 1_000_000
  /// How long the end is listened to.
  static let endUs: Int64 = 4_500_000

  private let options: Options
  private let starlight: Starlight
  /// Whether a daemon is there, until the first is.
  private let connection: Events
  private let state: StateFile
  private let log: PlayerLog
  private var frontEnd: FrontEnd?
  private var watcher = Watcher()
  private var hands: Hands
  private var interruptions = Interruptions()
  private var restless: Restless?
  /// What was seen in this frame.
  private var seen: [Line] = []
  private var nowUs: Int64 = 0
  private var isStepped = false
  private var instance: String?
  private var chapter: Chapter?
  /// By the game's clock.
  private var chapterUs: Int64 = 0
  private var awayUntilUs: Int64?
  private var endsUs: Int64?
  private var sender: MessageSender?
  private var killsSelf: [Int: Int64]
  private var killsDaemon: [Int: Int64]
  private var sleeps: [Int: Int64]
  /// Draws beside the game, now and then slowly; where it is nil each picture is seen at once.
  private var drawing: Drawing<Story>?

  init(_ options: Options, _ starlight: Starlight, _ state: StateFile, _ log: PlayerLog) throws {
    (self.options, self.starlight, self.state, self.log) = (options, starlight, state, log)
    hands = Hands(isClumsy: options.isClumsy)
    restless = options.restless
    connection = starlight.events(of: [])
    func undone(_ plan: [Int: Int64], _ what: String) -> [Int: Int64] {
      plan.filter { chapter, _ in !log.before.contains { $0.what == what && $0.number == chapter } }
    }
    killsSelf = undone(options.killsSelf, "killed")
    sleeps = options.sleeps
    killsDaemon = undone(options.killsDaemon, "daemon killed")
    if state.read() == nil, let reached = Chapter(rawValue: options.firstChapter - 1), reached != .handshake {
      try state.write(Checkpoint.bytes(reached))
    }
    instance = log.before.last { $0.what == "daemon" }?.name
    let isAddressed = try SecretURL.isThere { getenv($0).map { String(cString: $0) } }
    sender = MessageSender(
      by: isAddressed ? MessageSender.besideThisProgram : nil, content: Rules.designed.message.content)
  }

  /// Why a play is not to be gone on with.
  struct Unstored: Error, CustomStringConvertible {
    let description = "progress is not stored"
  }

  mutating func run() async throws {
    while try await frame() {}
    try finish()
  }

  /// What is to be stored is, however busy the disk.
  private func finish() throws {
    guard let frontEnd else { return }
    let isStored = frontEnd.finish(within: .seconds(60))
    for case .problem(let text) in frontEnd.takeNotices() { say(text) }
    guard isStored else { throw Unstored() }
  }

  /// One frame; false where all is done.
  private mutating func frame() async throws -> Bool {
    guard let session = starlight.session else {
      frontEnd?.advance(toUs: nowUs)
      for case .disconnected(let why) in connection.takeAll() where frontEnd == nil { say(why.message) }
      usleep(2_000)
      return true
    }
    if frontEnd == nil || session.hello.instanceId != instance { try await begin(session) }
    guard let frontEnd else { return true }
    // A stepped clock stands while what is not on it takes its time.
    if isStepped, sender?.isSending == true {
      usleep(1_000)
      return true
    }
    try await pass(Self.frameUs)
    frontEnd.advance(toUs: nowUs)
    drawing?.show(frontEnd.story)
    look()
    guard let scene = frontEnd.story.scene else { return true }
    let game = nowUs - frontEnd.story.behindUs
    if scene.chapter != chapter { (chapter, chapterUs) = (scene.chapter, game) }
    let number = scene.chapter.rawValue + 1
    if let endsUs, nowUs >= endsUs { return false }
    if endsUs == nil, number > options.lastChapter || number == 6 && scene.completedUs != nil {
      endsUs = nowUs + Self.endUs
    }
    if case .firewall(let firewall) = scene, firewall.run == nil, firewall.completedUs == nil,
      game - chapterUs > Self.patienceUs
    {
      write("gave up", number: number)
      return false
    }
    if try await isEnded(number, game - chapterUs) { return true }
    if let at = sleeps[number], game - chapterUs >= at {
      sleeps[number] = nil
      write("paused")
      say("let the system sleep")
      awayUntilUs = nowUs + Self.asleepUs
    }
    // Whoever plays sees what was drawn last.
    if let seen = drawing.map({ $0.seen?.scene }) ?? scene, seen.chapter == scene.chapter { act(seen, game) }
    for deed in restless?.answer(seen) ?? [] { flip(deed) }
    seen = []
    for notice in frontEnd.takeNotices() {
      switch notice {
      case .reset: write("reset")
      case .confetti: write("confetti")
      // It killed it itself.
      case .away: break
      case .problem(let text): say(text)
      case .storedAgain: say("progress is stored again")
      }
    }
    return true
  }

  /// A daemon is there that this play has not seen, or this program is new.
  private mutating func begin(_ session: Session) async throws {
    isStepped = session.hello.clock == .stepped
    let isNew = session.hello.instanceId != instance
    instance = session.hello.instanceId
    // A stepped clock begins anew with its daemon; the story's goes on.
    if isStepped {
      try await step(to: max(starlight.nowUs, nowUs) + Self.titleUs)
    } else {
      nowUs = starlight.nowUs
      drawing = drawing ?? options.stallEveryUs.map(Drawing.init)
    }
    if isNew { write("daemon", name: instance) }
    watcher.forget()
    chapter = nil
    if frontEnd == nil {
      frontEnd = FrontEnd(
        starlight, state: state, sender: sender, chance: Chance(seed: options.seed), leftOut: options.leftOut)
      let switches = try await starlight.request(SettingsGet.self)
      if !switches.sound { flip(.sound(true)) }
      if !switches.haptics { flip(.touch(true)) }
      if !switches.music { flip(.music(true)) }
      for deed in restless?.atFirst ?? [] { flip(deed) }
    }
  }

  /// Ends what is to be killed here; true where this frame is over.
  private mutating func isEnded(_ number: Int, _ us: Int64) async throws -> Bool {
    if let at = killsSelf[number], us >= at {
      // All that was asked is with the daemon, and all that was to be stored on the disk: a person cannot tell that it is so some
      // milliseconds later, but a play that is to come out alike each time can.
      try await starlight.request(ClockNow.self)
      try finish()
      write("killed", number: number)
      log.finish()
      kill(getpid(), SIGKILL)
    }
    guard let at = killsDaemon[number], us >= at else { return false }
    killsDaemon[number] = nil
    try await starlight.request(ClockNow.self)
    write("daemon killed", number: number)
    say("kill the daemon")
    while starlight.session?.hello.instanceId == instance { usleep(2_000) }
    return true
  }

  private mutating func act(_ scene: Scene, _ game: Int64) {
    guard let frontEnd else { return }
    if let until = awayUntilUs {
      if nowUs >= until, awayUntilUs != .max {
        awayUntilUs = .max
        write("welcome back")
        frontEnd.interruptionEnded()
      }
      if awayUntilUs == .max, !frontEnd.story.isInterrupted { awayUntilUs = nil }
      return
    }
    if options.isClumsy, endsUs == nil {
      for deed in interruptions.due(scene.chapter, us: game - chapterUs) where restless == nil || deed.isCallAway {
        flip(deed)
      }
    }
    // Behind the last that is asked for it only listens.
    if awayUntilUs != nil || frontEnd.story.showsVictory || scene.chapter.rawValue >= options.lastChapter { return }
    for act in hands.acts(scene, us: game - chapterUs, game: game) {
      frontEnd.act(act, atUs: nowUs)
      if case .tap = act { write("tapped") }
      look()
    }
  }

  private mutating func flip(_ deed: Interruptions.Deed) {
    guard let frontEnd else { return }
    switch deed {
    case .callAway:
      write("paused")
      seen.append(Line(atUs: nowUs, what: "paused"))
      frontEnd.interrupt()
      awayUntilUs = nowUs + 700_000
      look()
    case .sound(let isOn):
      write("sound switch", isOn: isOn)
      frontEnd.set(.init(sound: isOn))
    case .touch(let isOn):
      write("touch switch", isOn: isOn)
      frontEnd.set(.init(haptics: isOn))
    case .music(let isOn):
      write("music switch", isOn: isOn)
      frontEnd.set(.init(music: isOn))
    }
  }

  private mutating func look() {
    guard let frontEnd else { return }
    let lines = watcher.look(frontEnd.story, atUs: nowUs)
    for line in lines { log.write(line) }
    seen += lines
  }

  /// At once: what waits to be written would go with the program.
  private func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  private func write(_ what: String, number: Int? = nil, name: String? = nil, isOn: Bool? = nil) {
    log.write(Line(atUs: nowUs, what: what, number: number, name: name, isOn: isOn))
  }

  private mutating func pass(_ us: Int64) async throws {
    if isStepped { return try await step(to: nowUs + us) }
    let waitUs = min(nowUs + us - starlight.nowUs, us)
    if waitUs > 0 { usleep(UInt32(waitUs)) }
    nowUs = max(nowUs + 1, starlight.nowUs)
  }

  private mutating func step(to us: Int64) async throws {
    nowUs = try await starlight.request(ClockStep.self, .init(toUs: us), timeoutUs: 60_000_000).nowUs
  }
}
