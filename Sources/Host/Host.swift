// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import ControlInput
import Engine
import GamePacks
import Glibc
import HapticOutput
import Haptics
import Mixing
import Problems
import RealTime
import SoundFiles
import Timing
import Wire

/// The engine and its outputs, put together: live, or stepped by `clock.step`. Confined to the control thread.
public final class Host {
  /// The moment and the sender of a request.
  public struct RequestContext: Sendable {
    /// Who asks.
    public var cause: Cause
    /// When the line was read.
    public var arrival: Instant
    /// What takes work that is too dear for control; nothing where it is to be done at once.
    public var errand: Errand?

    /// A request of `cause`, read at `arrival`.
    public init(cause: Cause, arrival: Instant, errand: Errand? = nil) {
      self.errand = errand
      self.cause = cause
      self.arrival = arrival
    }
  }

  /// How many clients there are, told by the server, for `engine.status`.
  public var clientCount = 0

  package internal(set) var engine: Engine
  let configuration: HostConfiguration
  let driver: Driver
  let haptics: HapticOutputs
  let controls: ControlInputs
  let controller: MixerController
  /// Whether what is planned may be planned anew.
  var planning = Planning()
  /// Where a journal is written, or replayed.
  var journal: JournalDoor?
  /// While one is replayed: what each method does with its params as JSON.
  var repeats: [String: (_ params: [UInt8], _ context: RequestContext) throws -> Void] = [:]
  var bank: SoundBank
  let feeder: StreamFeeder
  /// Stepped clock only: whether tracks are read on behind their heads.
  var readsTracks = true
  /// On a stepped clock: what plays plays on before the mixer is told of what is asked next, as where control is not let run in the
  /// middle of its work.
  package var handsOverLate: LateHandover?
  var streams: [VoiceID: StreamID] = [:]
  /// Whether the decode thread is to be woken.
  var hasStreamsToFeed = false
  /// The frame each voice was announced for, until it begins.
  var announcedStarts: [VoiceID: Int64] = [:]
  /// Voices that began later than announced: the audio thread was further ahead than it had told.
  var lateStarts = 0
  var tellings: [Telling] = []
  /// Steps that the mixer and the motors were told since that was asked last.
  var stepCount = 0
  /// Whether a tap that was asked for took a beat.
  var isHit = false
  var queue: MixerQueue
  let resources = Resources()
  let settingsStore: SettingsStore?
  /// Reads packs beside what plays; on the stepped clock control does it itself.
  let loader: LoaderThread?
  var reading = ReadingQueue()
  /// What of packs was read anew and does not count.
  var untaken = UntakenReadings()
  var saves: SavesWatch?
  var settling = SaveSettling()
  /// Which of the engine's settings the store holds, or is told to hold.
  var keptRevision: UInt64 = 0
  var failures: [Problem] = []
  var untoldProblems: [Problem] = []
  /// What fails for now, as it was last told.
  var toldLasting: [Problem] = []
  /// Whether the recording has gaps.
  var hasRecordingGaps = false
  /// Whether it ended before its time: that is told also of one with gaps.
  var hasRecordingEnded = false
  /// Why a track cannot be played, and whose request asked for it.
  var trackFailure: (cause: Cause, error: RPCError)?
  /// How long serving takes.
  var serving = ServingTime()
  /// The largest sample so far: the mixer forgets its own at each reading.
  var loudest: Float = 0
  /// When the host was made, on its own clock.
  let startedAt: Instant
  /// Up to where it is known what clients sent; nil where nobody says.
  var heardClients: Instant?
  /// Whether a thread was left behind at the end that hangs in a device or a file: whoever ends the process is not to wait for it.
  public internal(set) var hasLeftBehind = false
  /// Whether the settings were among those files.
  var hasLeftSettings = false
  /// The same of what is remembered of the sound device.
  var hasLeftDeviceMemory = false
  /// Who pauses the engine, and its time.
  var pause = EnginePausing()
  /// What the daemon's threads did lately.
  public let trace: TraceLog

  /// What moves time.
  enum Driver {
    case live(LiveAudio)
    case stepped(SteppedAudio)
  }

  /// Loads the packs and opens the outputs; nothing sounds yet.
  public convenience init(_ configuration: HostConfiguration) throws(HostError) {
    let (catalog, bank) = try PackLoader(rate: configuration.rate).load(
      PackFolders(named: configuration.packFolders, usual: configuration.usualPackFolders),
      active: configuration.activePack)
    // While devices are opened.
    let rehearsal = configuration.clock == .live ? Rehearsal.begin(catalog, bank, rate: configuration.rate) : nil
    do throws(HostError) {
      try self.init(configuration, catalog, bank)
    } catch {
      rehearsal?.join()
      throw error
    }
    rehearsal?.join()
  }

  /// Opens the outputs for what was loaded.
  init(_ configuration: HostConfiguration, _ catalog: Catalog, _ bank: SoundBank) throws(HostError) {
    self.configuration = configuration
    trace = TraceLog(records: configuration.traceRecords)
    self.bank = bank
    var engineConfiguration = Engine.Configuration()
    engineConfiguration.rate = configuration.rate
    // Packs that are read later may drive others.
    engineConfiguration.mostFamilies = max(engineConfiguration.mostFamilies, Engine.familyCount(of: catalog))
    var mixing = MixerConfiguration(rate: configuration.rate, families: engineConfiguration.mostFamilies)
    mixing.keepsNotes = configuration.journalPath != nil || configuration.replayed != nil
    controller = MixerController(mixing)
    let journalFile = try configuration.journalPath.map { (path) throws(HostError) in
      try JournalFile(path: path, isBeside: configuration.clock == .live, mostBytes: configuration.mostJournalBytes)
    }
    queue = MixerQueue(controller)
    // A ring for every voice of the pool, and some that wait to be read out.
    feeder = StreamFeeder(rate: configuration.rate, streams: Engine.mostStreams)
    haptics = try HapticOutputs(configuration)
    driver = try Self.openAudio(configuration, controller: controller, feeder: feeder)
    switch driver {
    case .live(let audio):
      controls = ControlInputs(
        configuration.controls ?? EvdevControls(), control: audio.wakeDescriptor,
        allowsKeyboards: configuration.allowsKeyboards)
    case .stepped:
      controls = ControlInputs(configuration.controls, control: nil, allowsKeyboards: configuration.allowsKeyboards)
    }
    switch configuration.clock {
    case .live: engineConfiguration.seed = .random(in: .min ... .max)
    // Runs are alike.
    case .stepped: engineConfiguration.announceLead = .zero
    }
    configuration.replayed?.begin(&engineConfiguration)
    let turn =
      configuration.replayed?.turn
      ?? Self.turn(driver, controller, hapticLead: haptics.lead, EnginePausing(), ServingTime().allowed)
    engine = Engine(catalog: catalog, configuration: engineConfiguration, turn: turn)
    let head = journalFile.map { _ in JournalHead(configuration, engineConfiguration, catalog, turn) }
    switch driver {
    case .live(let audio):
      startedAt = audio.now
      haptics.start()
      settingsStore = configuration.stateFolder.map { SettingsStore(folder: $0, control: audio.wakeDescriptor) }
      loader = LoaderThread(control: audio.wakeDescriptor)
      do throws(ThreadError) {
        try loader?.start()
      } catch {
        throw HostError("cannot start the thread that reads packs: \(String(cString: strerror(error.code)))")
      }
      beginJournal(journalFile, head)
      restoreSettings()
    case .stepped(let audio):
      startedAt = audio.now
      // What is rendered by steps is the same for everybody.
      settingsStore = nil
      loader = nil
      beginJournal(journalFile, head)
    }
    if loader != nil, configuration.watchesPacks { try watchPacks() }
    trace.gather { [unowned self] in gatherTrace() }
  }

  /// CLOCK_MONOTONIC, or the stepped clock.
  public var now: Instant {
    switch driver {
    case .live(let audio): audio.now
    case .stepped(let audio): audio.now
    }
  }

  /// Whether time runs by itself.
  public var clockKind: ClockKind { configuration.clock }

  /// What the server must watch for reading: when one is readable, call `run`.
  public var wakeDescriptors: [Int32] {
    switch driver {
    case .live(let audio):
      [audio.wakeDescriptor] + haptics.wakeDescriptors + controls.wakeDescriptors + savesDescriptors
    case .stepped: []
    }
  }

  /// Lets the engine's next call begin: what the clock and the outputs are at.
  func beginTurn() {
    engine.turn = Self.turn(driver, controller, hapticLead: haptics.lead, pause, serving.allowed)
    let reached = pause.clock.now(at: engine.turn.clockNow + engine.turn.hapticLead)
    engine.turn.hapticStood = engine.turn.hapticLead - (reached - engine.turn.now)
    engine.turn.isFelt = haptics.isFelt
    engine.turn.deviceLead = deviceLead
    journal?.enter(engine.turn)
  }

  private static func turn(
    _ driver: Driver, _ controller: MixerController, hapticLead lead: Interval, _ pause: EnginePausing,
    _ serving: Interval
  ) -> Turn {
    switch driver {
    case .live(let audio): audio.state(controller: controller, hapticLead: lead, pause: pause, serving: serving)
    case .stepped(let audio): audio.state(controller: controller, hapticLead: lead, pause: pause)
    }
  }

  /// Which frame of the output is heard when.
  var outputTimeline: AudioTimeline {
    switch driver {
    case .live(let audio): audio.output.timeline
    case .stepped(let audio): audio.timeline
    }
  }

  /// How much later than it tells the sound device is heard, by calibration.
  var deviceLead: Interval {
    switch driver {
    case .live(let audio): audio.output.lead
    case .stepped(let audio): audio.lead
    }
  }

  /// The client has gone: its haptics end, and so does its pause.
  public func clientLeft(_ client: ClientID) {
    beginTurn()
    listen()
    journal?.enter(.clientLeft) { $0.add(client.rawValue) }
    engine.clientLeft(client)
    carryOutActions()
    controls.clientLeft(client)
    reading.leave(client)
    letGo(client)
  }

  /// Nobody was listened to from `from` to `to`: tell it before the requests that waited meanwhile, and those before `run`.
  public func stalled(from: Instant, to: Instant) {
    let (from, to) = (pause.clock.now(at: from), pause.clock.now(at: to))
    journal?.enter(.stalled) { fields in
      fields.add(from.nanoseconds)
      fields.add(to.nanoseconds)
    }
    engine.stalled(from: from, to: to)
  }

  /// Reads the clock and the outputs for `run`; answers what the clock is at. So a stall up to then can be told first.
  public func beginRun() -> Instant {
    beginTurn()
    return engine.turn.clockNow
  }

  /// Does what is due by `beginRun`; answers when to be called again at the latest. Where `isWoken` is false none of `wakeDescriptors`
  /// had anything to read, and they are left alone.
  public func run(isWoken: Bool = true) -> Instant? {
    if case .live(let audio) = driver {
      followSaves(isWoken: isWoken)
      for notice in audio.takeNotices(isWoken: isWoken) { tell(notice) }
      followIdle(audio)
      noticeRecording(audio.output.recordingFailure)
      noticeOverrun(audio.output.statistics.recorderOverrunFrames)
      if let changed = haptics.run(
        at: engine.turn.clockNow, isWoken: isWoken, playing: { isMeant in engine.playingHaptics(where: isMeant) })
      {
        engine.turn.deviceLead = deviceLead
        engine.devicesChanged(audio: audioStatus.message, haptics: changed)
      }
    }
    noticeLasting()
    submitWaiting()
    gatherTrace()
    handleMixerEvents()
    followReading()
    listen()
    advanceEngine()
    carryOutActions()
    followControls(isWoken: isWoken)
    if case .stepped = driver { return nil }
    rejoinOutputs()
    let again = queue.count == 0 ? nil : engine.turn.clockNow + .milliseconds(1)
    // While taps are judged it is known to a tenth of a second when control last listened.
    let listening = engine.isJudging ? engine.turn.clockNow + .milliseconds(100) : nil
    // A log that fails is told of soon, whatever else there is to do.
    let writing = haptics.isLogging && engine.isFelt ? engine.turn.clockNow + .milliseconds(250) : nil
    let gathering = engine.turn.clockNow + Self.gatheringInterval
    let saved = settling.due.map { Instant(nanoseconds: $0) }
    let reading = (loader?.looksAt).map { Instant(nanoseconds: $0) }
    let looking = controls.nextLook(at: engine.turn.clockNow)
    return [nextDeadline, haptics.nextLook, looking, again, listening, writing, gathering, saved, reading]
      .compactMap(\.self).min()
  }

  /// When the engine wants to be called at the latest, on the clock; nil for no time in particular. What `run` answers comes by then
  /// as well, of the engine as it was.
  public var nextDeadline: Instant? {
    let next = engine.nextCalls()
    return earliest(next.deadline.flatMap(pause.clock.due), next.telling)
  }

  /// What is to be told since the last call, in order.
  public func takeTellings() -> [Telling] {
    defer { tellings = [] }
    return tellings
  }

  /// Fades everything out and silences the haptics; call `stop` at the instant returned.
  public func beginShutdown() -> Instant {
    beginTurn()
    journal?.enter(.shutDown)
    if case .live(let audio) = driver { audio.output.leaveAtRest() }
    let silent = engine.shutDown()
    carryOutActions()
    // Where the engine stands nothing sounds that would have to fade.
    let end = pause.clock.due(silent) ?? pause.clock.lasting?.stoppedAt ?? now
    if case .stepped(let audio) = driver { step(to: end, audio) }
    return end
  }

  /// What anybody is subscribed to, told by the server.
  public var topics: Set<Topic> = [] {
    didSet {
      tellBeats(topics.contains(.beats))
      // A journal has all that could be told.
      engine.tellsJudgements = journal != nil || topics.contains(.rhythm)
    }
  }
}
