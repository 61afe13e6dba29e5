// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Engine
import Glibc
import HapticOutput
import Haptics
import Mixing
import Problems
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

  var engine: Engine
  let configuration: HostConfiguration
  let driver: Driver
  let haptics: HapticOutputs
  let controller: MixerController
  private let bank: SoundBank
  private let feeder: StreamFeeder
  private var streams: [VoiceID: StreamID] = [:]
  /// The frame each voice was announced for, until it begins.
  private var announcedStarts: [VoiceID: Int64] = [:]
  /// Voices that began later than announced: the audio thread was further ahead than it had told.
  private(set) var lateStarts = 0
  private var notifications: [OutgoingNotification] = []
  private var queue: MixerQueue
  let resources = Resources()
  private let settingsStore: SettingsStore?
  /// What the store holds, or is told to.
  private var keptSettings = Settings()
  private var failures: [Problem] = []
  private var untoldProblems: [Problem] = []
  private var toldHapticFailures: [Problem] = []
  /// Whether something is not in the recording that was asked for.
  public private(set) var hasLostRecording = false
  /// Why a track cannot be played, and whose request asked for it.
  private var trackFailure: (cause: Cause, error: RPCError)?
  /// The largest sample so far: the mixer forgets its own at each reading.
  var loudest: Float = 0
  /// When the host was made, on its own clock.
  let startedAt: Instant

  /// What moves time.
  enum Driver {
    case live(LiveAudio)
    case stepped(SteppedAudio)
  }

  /// Loads the packs and opens the outputs; nothing sounds yet.
  public init(_ configuration: HostConfiguration) throws(HostError) {
    self.configuration = configuration
    let (catalog, bank) = try PackLoader(rate: configuration.rate).load(
      configuration.packFolders, active: configuration.activePack)
    self.bank = bank
    let mixing = MixerConfiguration(rate: configuration.rate)
    controller = MixerController(mixing)
    queue = MixerQueue(controller)
    // A ring for every voice of the pool, and some that wait to be read out.
    feeder = StreamFeeder(rate: configuration.rate, streams: Engine.mostStreams)
    haptics = try HapticOutputs(configuration)
    driver = try Self.openAudio(configuration, controller: controller, feeder: feeder)
    var engineConfiguration = Engine.Configuration()
    engineConfiguration.rate = configuration.rate
    switch configuration.clock {
    case .live: engineConfiguration.seed = .random(in: .min ... .max)
    // Runs are alike.
    case .stepped: engineConfiguration.announceLead = .zero
    }
    engine = Engine(
      catalog: catalog, configuration: engineConfiguration,
      turn: Self.turn(driver, controller, hapticLead: haptics.lead))
    switch driver {
    case .live(let audio):
      startedAt = audio.now
      haptics.start()
      settingsStore = configuration.stateFolder.map(SettingsStore.init)
      restoreSettings()
    case .stepped(let audio):
      startedAt = audio.now
      // What is rendered by steps is the same for everybody.
      settingsStore = nil
    }
  }

  /// Brings back what the player set in an earlier run.
  private func restoreSettings() {
    guard let settingsStore else { return }
    let (kept, problem) = settingsStore.start()
    if let problem { fail(problem) }
    guard let kept else { return }
    do throws(RPCError) {
      keptSettings = try engine.changeSettings(kept, by: .daemon)
      carryOutActions()
    } catch {
      fail(settingsStore.unusable(error.message))
    }
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
    case .live(let audio): [audio.wakeDescriptor] + haptics.wakeDescriptors
    case .stepped: []
    }
  }

  /// Lets the engine's next call begin: what the clock and the outputs are at.
  func beginTurn() { engine.turn = Self.turn(driver, controller, hapticLead: haptics.lead) }

  private static func turn(_ driver: Driver, _ controller: MixerController, hapticLead lead: Interval) -> Turn {
    switch driver {
    case .live(let audio): return audio.state(controller: controller, hapticLead: lead)
    case .stepped(let audio):
      return Turn(
        now: audio.now, timeline: audio.timeline, reachableFrame: max(controller.mixedFrame, audio.nextFrame),
        hapticLead: lead)
    }
  }

  /// The client has gone: its haptics end.
  public func clientLeft(_ client: ClientID) {
    beginTurn()
    engine.clientLeft(client)
    carryOutActions()
  }

  /// Nobody was listened to from `from` to `to`: tell it before the requests that waited meanwhile, and those before `run`.
  public func stalled(from: Instant, to: Instant) { engine.stalled(from: from, to: to) }

  /// Does what is due; answers when to be called again at the latest.
  public func run() -> Instant? {
    beginTurn()
    if case .live(let audio) = driver {
      for notice in audio.takeNotices() { tell(notice) }
      noticeRecording(audio.output.recordingFailure)
      noticeOverrun(audio.output.statistics.recorderOverrunFrames)
      if let changed = haptics.run(at: engine.turn.now, playing: { isMeant in engine.playingHaptics(where: isMeant) }) {
        engine.hapticDevicesChanged(changed, audio: audioStatus.message)
      }
    }
    noticeHaptics()
    queue.submitWaiting()
    handleMixerEvents()
    engine.advance()
    carryOutActions()
    if case .stepped = driver { return nil }
    let again = queue.count == 0 ? nil : engine.turn.now + .milliseconds(1)
    // While taps are judged it is known to a tenth of a second when control last listened.
    let listening = engine.isJudging ? engine.turn.now + .milliseconds(100) : nil
    // A log that fails is told of soon, whatever else there is to do.
    let writing = haptics.isLogging && engine.isFelt ? engine.turn.now + .milliseconds(250) : nil
    return [engine.nextDeadline, haptics.nextLook, again, listening, writing].compactMap { $0 }.min()
  }

  /// What is kept for what plays, is planned or fades; zero everywhere when all has ended.
  package var holdings: [String: Int] {
    engine.holdings.merging(
      [
        "streams": streams.count, "open rings": feeder.openCount, "announced starts": announcedStarts.count,
        "backlog": queue.count,
      ]) { $1 }
  }

  /// How many verbs of music were thought through to answer lines, since the start.
  package var musicSteps: Int { engine.musicSteps }

  /// What is to be told since the last call, in order.
  public func takeNotifications() -> [OutgoingNotification] {
    defer { notifications = [] }
    return notifications
  }

  /// What went wrong since the last call, for the log.
  public func takeProblems() -> [Problem] {
    defer { untoldProblems = [] }
    return untoldProblems
  }

  /// Runs a stepped host up to `target`, doing everything in order of its instant.
  func step(to target: Instant, _ audio: SteppedAudio) {
    while audio.now < target {
      feeder.pump()
      let deadline = engine.nextDeadline.flatMap { $0 > audio.now ? $0 : nil }
      let next = [target, audio.nextPeriod, deadline].compactMap { $0 }.min() ?? target
      audio.run(to: next)
      noticeRecording(audio.recording?.failure)
      haptics.advance(to: next)
      noticeHaptics()
      queue.submitWaiting()
      beginTurn()
      handleMixerEvents()
      engine.advance()
      carryOutActions()
    }
  }

  /// Lets a stepped clock run to `target` while control does nothing, as if it stood still: what plays plays on.
  package func standStill(until target: Instant) {
    guard case .stepped(let audio) = driver else { return }
    while audio.now < target {
      feeder.pump()
      audio.run(to: min(target, audio.nextPeriod))
      haptics.advance(to: audio.now)
    }
  }

  /// Fades everything out and silences the haptics; call `stop` at the instant returned.
  public func beginShutdown() -> Instant {
    beginTurn()
    let silent = engine.shutDown()
    carryOutActions()
    if case .stepped(let audio) = driver { step(to: silent, audio) }
    return silent
  }

  /// Stops and joins every thread and closes the outputs; what went wrong with recording or device, if anything did.
  @discardableResult public func stop() -> Problem? {
    haptics.stop()
    if let unkept = settingsStore?.stop() { fail(unkept) }
    let failure: Problem?
    switch driver {
    case .live(let audio): failure = audio.stop()
    case .stepped(let audio):
      audio.recording?.finish()
      failure = audio.recording?.failure
    }
    hasLostRecording = hasLostRecording || failure?.kind == .recordingFailed
    return failure
  }

  /// Carries out what the engine wants done. The audio steps of one call reach the mixer as one batch.
  func carryOutActions() {
    // What cannot be carried out is told to the engine, which may want something more done.
    while case let actions = engine.takeActions(), !actions.isEmpty {
      for action in actions {
        switch action {
        case .audio(let steps): submit(steps)
        case .haptics(let command): haptics.send(command, to: engine.device(for: command))
        case .notify(let notification, _): notifications.append(notification)
        }
      }
    }
    if let settingsStore, engine.currentSettings != keptSettings {
      keptSettings = engine.currentSettings
      settingsStore.keep(keptSettings)
    }
  }

  private func submit(_ steps: [AudioStep]) {
    var commands: [MixerCommand] = []
    var steering: [MixerCommand] = []
    for step in steps {
      switch step {
      case .command(let command): commands.append(command)
      case .steer(let command): steering.append(command)
      case .start(let start):
        if let source = source(of: start) { commands.append(.start(start.with(source))) }
      }
    }
    for case .start(let start) in commands { announcedStarts[start.id] = start.at }
    let refused = queue.submit(commands)
    queue.steer(steering)
    if refused.isEmpty { return }
    // Sounds count as pushed out by what came before; music goes on with what played.
    for start in refused {
      if streams[start.id] == nil {
        release(start.id, at: start.at, .stolen)
      } else {
        _ = giveUp(start.id, at: start.at)
      }
    }
    fail(
      Problem(
        .busy, "more was asked for than the mixer takes in a period; some starts were dropped",
        remedy: "ask for less at a time"))
  }

  /// The decode thread opens the file, too late for a reply to say that it cannot.
  private func checkDescriptors(for track: String) throws(Problem) {
    let spare = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    guard spare >= 0 else {
      throw Problem(.unreadable, String(cString: strerror(errno)))
    }
    close(spare)
  }

  /// Forgets, and tells, why a track could not be played since the last call.
  func takeTrackFailure() -> (cause: Cause, error: RPCError)? {
    defer { trackFailure = nil }
    return trackFailure
  }

  private func release(_ voice: VoiceID, at frame: Int64, _ ending: VoiceEnd) {
    announcedStarts[voice] = nil
    if let stream = streams.removeValue(forKey: voice) { feeder.close(stream) }
    engine.voiceFinished(voice, at: frame, ending)
  }

  /// A track that was to begin does not.
  private func giveUp(_ voice: VoiceID, at frame: Int64) -> Cause? {
    announcedStarts[voice] = nil
    if let stream = streams.removeValue(forKey: voice) { feeder.close(stream) }
    return engine.trackUnavailable(voice, at: frame)
  }

  /// The samples behind the name of what a voice plays; nil for what is not there to be played.
  private func source(of start: VoiceStart<NamedSource>) -> VoiceSource? {
    switch start.source {
    case .resident(let sound, let loops): bank.source(sound, loops: loops).map(VoiceSource.resident)
    case .track(let key, let loops): open(key, loops: loops, for: start).map(VoiceSource.stream)
    }
  }

  private func open(
    _ key: AssetKey, loops: Bool, for start: VoiceStart<NamedSource>
  ) -> UnsafeMutablePointer<StreamRing>? {
    guard let track = bank.tracks[key] else {
      engine.trackUnavailable(start.id, at: start.at)
      return nil
    }
    do throws(Problem) {
      try checkDescriptors(for: key.name)
      let stream = try feeder.open(track.playing(loops: loops), fromFrame: start.sourceFrame)
      streams[start.id] = stream.id
      if case .live(let audio) = driver { audio.wakeDecoder() } else { feeder.pump() }
      return stream.ring
    } catch {
      fail(
        Problem(
          error.kind, "cannot be played: \(error.reason)", remedy: error.remedy,
          where: .init(pack: key.pack, asset: .init(.track, key.name), file: track.path)))
      if let cause = giveUp(start.id, at: start.at) {
        let told = "track \(key.name) cannot be played: \(error)"
        trackFailure = (
          cause,
          error.kind == .busy
            ? RPCError(.busy, told, hint: "ask again in some milliseconds, when streams are free")
            : RPCError(.unavailable, told, hint: "free descriptors or memory, or mend the file, and ask again")
        )
      }
      return nil
    }
  }

  private func handleMixerEvents() {
    controller.drainEvents { event in
      switch event {
      case .started(let voice, let frame):
        if let announced = announcedStarts.removeValue(forKey: voice), frame > announced { lateStarts += 1 }
      case .finished(let voice, let frame, let reason):
        release(voice, at: frame, VoiceEnd(reason))
      case .starved(let voice, let frame): engine.voiceStarved(voice, at: frame)
      case .rejoined(let voice, let frame): engine.voiceRejoined(voice, at: frame)
      }
    }
    for failure in feeder.drainFailures() {
      fail(
        Problem(
          failure.error.kind, "a track broke off: \(failure.error.reason)", remedy: failure.error.remedy,
          where: failure.error.where))
    }
  }

  private func tell(_ notice: AudioOutputNotice) {
    switch notice {
    case .underrun(let frame, let lost): engine.framesLost(lost, at: frame, isXrun: true)
    case .skipped(let frame, let lost): engine.framesLost(lost, at: frame, isXrun: false)
    case .corrected(let correction, let lost, let frame):
      engine.timelineCorrected(by: correction, lost: lost, at: frame)
    case .deviceLost, .deviceStarted, .unpaced: engine.audioDeviceChanged(audioStatus.message)
    }
    carryOutActions()
  }

  /// What went wrong while running, newest last, bounded; for `engine.status`.
  var currentProblems: [Problem] { failures + haptics.problems + (settingsStore?.failure.map { [$0] } ?? []) }

  /// Tells a problem once, as long as it is remembered.
  private func fail(_ problem: Problem) {
    guard !failures.contains(problem) else { return }
    failures.append(problem)
    if failures.count > 16 { failures.removeFirst() }
    announce(problem)
  }

  /// What the recorder's writer was too slow for is silence in the file. Told once.
  private func noticeOverrun(_ frames: Int64) {
    guard frames > 0, !hasLostRecording else { return }
    fail(
      Problem(
        .recordingFailed, file: configuration.recordPath ?? "",
        "the recording has gaps: its disk was too slow for a while",
        remedy: "record to a faster one"))
  }

  /// Tells of a haptic output that fails while it is used. Each is remembered as long as it is among `haptics.problems`.
  private func noticeHaptics() {
    let failed = haptics.failures
    guard failed != toldHapticFailures else { return }
    for failure in failed where !toldHapticFailures.contains(failure) { announce(failure) }
    toldHapticFailures = failed
  }

  private func announce(_ problem: Problem) {
    untoldProblems.append(problem)
    notifications.append(OutgoingNotification(EngineProblem(problem: problem), tUs: now.microseconds))
  }

  private func noticeRecording(_ failure: Problem?) {
    guard let failure, !hasLostRecording else { return }
    hasLostRecording = true
    fail(failure)
  }
}

extension VoiceEnd {
  fileprivate init(_ reason: FinishReason) {
    switch reason {
    case .ended: self = .ended
    case .stopped, .cancelled: self = .stopped
    case .stolen, .rejected: self = .stolen
    }
  }
}
