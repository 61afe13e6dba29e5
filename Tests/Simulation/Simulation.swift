// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Host
import SeededNumbers
import Server
import Timing
import Wire

/// A daemon with its socket, engine, mixer and outputs on the stepped clock, and clients that do what their seed says:
/// ask, flood, garble, leave. What must always hold is checked after each turn.
public struct Simulation {
  /// What a run came to.
  public struct Report: Sendable {
    /// Requests that were granted.
    public var granted: Int
    /// Requests that were refused, by kind.
    public var refused: [String: Int]
    /// Notifications that were told.
    public var told: Int
    /// How often the music was held against the model.
    public var musicComparisons: Int
    /// Chapters that were played.
    public var chapters: Int
    /// How often a pack was read again while it was played, and how often what was read had faults.
    public var reloads: Int
    public var refusedReloads: Int
    /// Microseconds that passed on the daemon's clock.
    public var passedUs: Int64
    /// The largest step from one sample to the next.
    public var largestStep: Float
    /// Of everything that was told and answered: the same for the same seed.
    public var fingerprint: UInt64
  }

  /// As it came.
  struct Notification {
    var method: String
    var seq: Int64
    var tUs: Int64
    var params: ArraySlice<UInt8>
  }

  let seed: UInt64
  let turns: Int
  let longestStepUs: Int64
  /// A pack is worked on after one turn in so many.
  let turnsOfAnEdit: Int
  /// Every second seed asks for nothing loud or fast, so that a click would stand out.
  let isCalm: Bool
  var random: SeededRandom
  /// Apart from all else, so that who asks what does not hang on it.
  var authors: SeededRandom
  /// Likewise.
  var floods: SeededRandom
  /// Likewise.
  var greed: SeededRandom
  /// Likewise.
  var lateness: SeededRandom
  /// Likewise.
  var comers: SeededRandom
  /// Likewise.
  var rims: SeededRandom
  /// Likewise.
  var fillings: SeededRandom
  /// Likewise.
  var leads: SeededRandom
  /// Likewise.
  var hoards: SeededRandom
  var pack: SimulatedPack
  let host: Host
  let server: Server
  let socketPath: String
  let recordingPath: String
  /// Some seeds record to a disk that is full.
  let isDiskFull: Bool
  let hapticLogPath: String
  /// Where all that the daemon is told is kept, to be done again at the end.
  let journalPath: String?
  /// The first hears everything and stays to the end.
  var clients: [SimulatedClient] = []
  /// The name of the one by whom the ledger goes.
  var listener = 0
  var ledger = Ledger()
  var ducking = DuckingScene()
  var checks: ReplyChecks
  var nextID: Int64 = 1
  var nextClient = 0
  var toldCount = 0
  /// How often a pack was read again and taken, and how often it had faults.
  var reloads = (taken: 0, refused: 0)
  /// What the memory of the packs came to before anything was edited.
  let soundBytes: Int
  /// Notifications that came and are not checked yet.
  var heard: [(client: SimulatedClient, told: Notification)] = []
  /// The one who is waited for while others hog the daemon.
  var quiet: Quiet?
  var fingerprint: UInt64 = 14_695_981_039_346_656_037
  var startUs: Int64
  /// When everything was answered last.
  var settledUs: Int64
  /// Told every line, for whoever looks into a failing seed.
  public var trace: ((String) -> Void)?

  /// A daemon with a pack of its own, not yet asked anything.
  public init(
    seed: UInt64, turns: Int, turnsOfAnEdit: Int = 8, longestStepUs: Int64 = 1_000_000, isKept: Bool = false
  ) throws {
    self.seed = seed
    self.turns = turns
    self.longestStepUs = longestStepUs
    self.turnsOfAnEdit = turnsOfAnEdit
    isCalm = seed % 2 == 0
    random = SeededRandom(seed: seed)
    authors = SeededRandom(seed: ~seed)
    floods = SeededRandom(seed: seed ^ 0xF100D)
    greed = SeededRandom(seed: seed ^ 0x9EED)
    lateness = SeededRandom(seed: seed ^ 0x1A7E)
    comers = SeededRandom(seed: seed ^ 0xC0E5)
    rims = SeededRandom(seed: seed ^ 0x41A7)
    fillings = SeededRandom(seed: seed ^ 0xF111)
    leads = SeededRandom(seed: seed ^ 0x1EAD)
    hoards = SeededRandom(seed: seed ^ 0x40AD)
    pack = try SimulatedPack(random: &random)
    socketPath = pack.folder + "/socket"
    isDiskFull = seed % 16 == 9 && !isKept
    recordingPath = isDiskFull ? "/dev/full" : pack.folder + "/heard.wav"
    hapticLogPath = pack.folder + "/felt.ndjson"
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [pack.folder, pack.otherFolder]
    configuration.recordPath = recordingPath
    configuration.hapticLogPath = hapticLogPath
    journalPath = isKept ? pack.folder + "/journal" : nil
    configuration.journalPath = journalPath
    // Every second seed has a pad that needs longer than a sound, or somewhat less.
    configuration.steppedHapticLead = [.zero, .milliseconds(35), .milliseconds(2), .zero][Int(seed % 4)]
    host = try Host(configuration)
    var serving = ServerConfiguration(socketPath: socketPath, environment: [:])
    // Who ends the process ends the run: the simulated daemon would fade out, and its clients wait for it.
    serving.takesSignals = false
    // One thread is all of the clients: nobody reads while a step brings what was planned at once.
    serving.limits.queuedBytes = serving.limits.queuedBytesAtOnce
    server = try Server(serving, socket: ListeningSocket(serving), host: host, log: { _, _ in })
    soundBytes = host.soundBytes
    startUs = host.now.microseconds
    settledUs = startUs
    checks = ReplyChecks(pack: pack, nowUs: startUs)
  }

  /// Does all of it; throws what does not hold.
  public mutating func run() throws -> Report {
    defer { pack.remove() }
    try connect()
    try ask(0, "events.subscribe", "{}")
    try settle()
    for turn in 0..<turns {
      do {
        try act()
        try settle()
        if authors.oneIn(turnsOfAnEdit) { try editPack() }
        // Where packs are worked on all the time.
        if turnsOfAnEdit == 1, hoards.oneIn(20) { try holdReadings() }
        if floods.oneIn(30) { try floodSounds() }
        if greed.oneIn(15) { try beGreedy() }
        if lateness.oneIn(20) { try beginLate() }
        if comers.oneIn(25) { try comeAndGo() }
        if rims.oneIn(12) { try askAtTheRim() }
        if fillings.oneIn(25) { try fillMixer() }
        if leads.oneIn(20) { try moveLeads() }
      } catch {
        throw SimulationFailure("turn \(turn): \(error)")
      }
    }
    try end()
    try doAgain()
    return Report(
      granted: checks.answers, refused: checks.refusals, told: toldCount, musicComparisons: ledger.account.comparisons,
      chapters: ledger.chaptersPlayed, reloads: reloads.taken, refusedReloads: reloads.refused,
      passedUs: checks.nowUs - startUs, largestStep: try checkRecording(), fingerprint: fingerprint)
  }

  // MARK: - What happens

  private mutating func act() throws {
    let client = random.next(below: clients.count)
    if random.oneIn(100) { return try crowd() }
    if random.oneIn(100) { return try crowdPatterns(client) }
    if random.oneIn(60) { return try hoardVoices(client) }
    if random.oneIn(25) { return try reorder(client) }
    if random.oneIn(25) { return try flip(client) }
    if random.oneIn(40) { return try stopAtStep(client) }
    if random.oneIn(30) { return try handOverLate(client) }
    // A pause is over sooner than it comes: most of a run is played.
    if random.oneIn(ledger.time.isPaused ? 5 : 20) { return try pauseOrResume(client) }
    switch random.next(below: 100) {
    case 0..<52: request(client)
    case 52..<75: try step(stepLength())
    case 75..<79: try garble(client)
    case 79..<83: try flood(client)
    case 83..<87: if clients.count < 5 { try connect() } else { try leave() }
    case 87..<89: try leave()
    case 89: for _ in 0..<(2 + random.next(below: 3)) { request(client, "rhythm.tap") }
    case 90..<92: hog(client)
    case 92..<95:
      // The time that passes at one client's request is not another's tap's.
      try playChapter()
      request(client, "rhythm.tap")
      try step(random.integer(1...50_000))
      request(client, "rhythm.tap")
    case 95..<97:
      try playChapter()
      standStill()
    case 97: if random.oneIn(3) { try restartInBurst() } else { try holdChapter() }
    default:
      // Two at once: what one sends does not wait for the other.
      request(client)
      request(random.next(below: clients.count))
    }
  }

  private mutating func stepLength() -> Int64 {
    switch random.next(below: 10) {
    case 0: random.integer(0...1)
    case 1: random.integer(1...5_000)
    case 2..<6: random.integer(1...longestStepUs / 10)
    case 6..<9: random.integer(1...longestStepUs / 3)
    default: random.integer(1...longestStepUs)
    }
  }

  private mutating func flood(_ client: Int) throws {
    let most = isCalm ? 8 : 300
    let method = random.pick([
      "sound.play", "music.play", "haptics.transient", "haptics.play", "settings.set", "music.seek", "cue.fire",
      "haptics.sendParameters",
    ])
    for _ in 0..<(2 + random.next(below: most)) { request(client, method) }
  }

  /// Bytes that were a request, or never were.
  private mutating func garble(_ client: Int) throws {
    guard client > 0 else { return }
    var sent = SimulatedClient.Sent(id: takeID(), method: "garbled")
    sent.isGarbled = true
    var line: [UInt8]
    if random.oneIn(3) {
      line = (0..<random.next(below: 80)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    } else {
      // What starts a chapter, leads far ahead, sets parameters, stops sounds or says whose names are meant must be known
      // to have been asked for: a changed byte may leave a line that is granted.
      var request = RequestMaker.any(world, &random)
      while [
        "rhythm.start", "rhythm.restart", "cue.fire", "cue.stop", "sound.set", "sound.stop", "session.use",
        "parameter.set",
      ].contains(request.method) {
        request = RequestMaker.any(world, &random)
      }
      line = request.line(id: sent.id)
      sent.mayMoveMusic = ["music.", "settings.", "rhythm."].contains { request.method.hasPrefix($0) }
      // Whom it is of, and what becomes of them, is known to nobody.
      if request.method.hasPrefix("haptics.") { ledger.leavings.change(nil) }
      for _ in 0...random.next(below: 3) {
        let place = random.next(below: line.count)
        switch random.next(below: 4) {
        case 0: line.remove(at: place)
        case 1: line.insert(random.pick(Array("{}[]\",:0e-".utf8)), at: place)
        case 2: line = Array(line[..<max(1, place)])
        default: line[place] = UInt8(truncatingIfNeeded: random.next())
        }
        if line.isEmpty { break }
      }
    }
    line.removeAll { $0 == 0x0A }
    clients[client].send(line, sent)
  }

  mutating func leave() throws {
    guard clients.count > 1 else { return }
    let leaving = 1 + random.next(below: clients.count - 1)
    if random.oneIn(2) { clients[leaving].stopSending() }
    ledger.lose(clients.remove(at: leaving).name, nowUs: checks.nowUs)
    for _ in 0..<6 { _ = server.turn(waiting: false) }
  }

  mutating func connect() throws {
    clients.append(try SimulatedClient(name: nextClient, path: socketPath))
    clients[clients.count - 1].trace = trace
    nextClient += 1
    for _ in 0..<6 { _ = server.turn(waiting: false) }
  }

  // MARK: - Asking

  var world: RequestMaker.World {
    let chapter = ledger.chapter
    return RequestMaker.World(
      nowUs: checks.nowUs, sounds: ledger.recentSounds, players: ledger.recentPlayers, plans: ledger.music.recentPlans,
      cues: ledger.cues.recent, chapters: pack.chapters, run: ledger.lastRun,
      beats: (chapter?.beatInstants ?? []).map(ledger.time.clock),
      lanes: chapter?.lanes ?? [], isCalm: isCalm)
  }

  mutating func request(_ client: Int, _ method: String? = nil) {
    send(method.map { RequestMaker.make($0, world, &random) } ?? RequestMaker.any(world, &random), client)
  }

  mutating func send(_ made: Request, _ client: Int) {
    var request = made
    // The first client goes on hearing everything, and calls things by the names of the daemon's own pack.
    while client == 0, ["events.unsubscribe", "session.use"].contains(request.method) {
      request = RequestMaker.any(world, &random)
    }
    var sent = request.sent
    sent.id = takeID()
    sent.cameUs = checks.nowUs
    // Before it is answered: it may be done though nobody waits for that.
    if let player = sent.otherPlayer { ledger.leavings.change(player) }
    clients[client].send(request.line(id: sent.id), sent)
  }

  mutating func ask(_ client: Int, _ method: String, _ params: String) throws {
    let id = takeID()
    let line = "{\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
    clients[client].send(Array(line.utf8), SimulatedClient.Sent(id: id, method: method))
  }

  /// Lets time pass.
  mutating func step(_ length: Int64) throws {
    try ask(0, "clock.step", "{\"toUs\":\(checks.nowUs + length)}")
  }

  mutating func takeID() -> Int64 {
    defer { nextID += 1 }
    return nextID
  }
}
