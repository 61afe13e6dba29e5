import AudioOutput
import Engine
import HapticOutput
import Haptics
import Mixing
import SoundFiles
import Timing
import Wire

/// The engine and its outputs, put together: live, or stepped by `clock.step`. Confined to the control thread.
public final class Host {
  /// The moment and the sender of a request.
  public struct RequestContext: Sendable {
    /// Who asks.
    public var client: ClientID
    /// When the line was read.
    public var arrival: Instant

    /// A request of `client`, read at `arrival`.
    public init(client: ClientID, arrival: Instant) {
      self.client = client
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
  private var failures: [String] = []
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
    feeder = StreamFeeder(rate: configuration.rate, streams: mixing.musicVoices + mixing.musicReserve + 4)
    haptics = try HapticOutputs(configuration)
    driver = try Self.openAudio(configuration, controller: controller, feeder: feeder)
    var engineConfiguration = Engine.Configuration()
    engineConfiguration.rate = configuration.rate
    if configuration.clock == .stepped { engineConfiguration.announceLead = .zero }
    engine = Engine(catalog: catalog, configuration: engineConfiguration)
    switch driver {
    case .live(let audio):
      startedAt = audio.now
      haptics.start()
    case .stepped(let audio): startedAt = audio.now
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

  /// What the outputs are at and can still meet.
  var output: OutputState {
    let lead = haptics.lead
    switch driver {
    case .live(let audio): return audio.state(controller: controller, hapticLead: lead)
    case .stepped(let audio):
      return OutputState(
        now: audio.now, timeline: audio.timeline, reachableFrame: max(controller.mixedFrame, audio.nextFrame),
        hapticLead: lead)
    }
  }

  /// The client has gone: its haptics end.
  public func clientLeft(_ client: ClientID) {
    engine.clientLeft(client, output)
    carryOutActions()
  }

  /// Does what is due; answers when to be called again at the latest.
  public func run() -> Instant? {
    let output = output
    if case .live(let audio) = driver {
      for notice in audio.takeNotices() { tell(notice, output) }
      if let changed = haptics.run(at: output.now, playing: { isMeant in engine.playingHaptics(where: isMeant) }) {
        engine.hapticDevicesChanged(changed, audio: audioStatus.message, output)
      }
    }
    queue.submitWaiting()
    handleMixerEvents(output)
    engine.advance(output)
    carryOutActions()
    if case .stepped = driver { return nil }
    let again = queue.count == 0 ? nil : output.now + .milliseconds(1)
    return [engine.nextDeadline(output), haptics.nextLook, again].compactMap { $0 }.min()
  }

  /// What is kept for what plays, is planned or fades; zero everywhere when all has ended.
  package var holdings: [String: Int] {
    engine.holdings.merging(
      [
        "streams": streams.count, "open rings": feeder.openCount, "announced starts": announcedStarts.count,
        "backlog": queue.count,
      ]) { $1 }
  }

  /// What is to be told since the last call, in order.
  public func takeNotifications() -> [OutgoingNotification] {
    defer { notifications = [] }
    return notifications
  }

  /// Runs a stepped host up to `target`, doing everything in order of its instant.
  func step(to target: Instant, _ audio: SteppedAudio) {
    while audio.now < target {
      feeder.pump()
      let deadline = engine.nextDeadline(output).flatMap { $0 > audio.now ? $0 : nil }
      let next = [target, audio.nextPeriod, deadline].compactMap { $0 }.min() ?? target
      audio.run(to: next)
      haptics.advance(to: next)
      queue.submitWaiting()
      handleMixerEvents(output)
      engine.advance(output)
      carryOutActions()
    }
  }

  /// Fades everything out and silences the haptics; call `stop` at the instant returned.
  public func beginShutdown() -> Instant {
    let silent = engine.shutDown(output)
    carryOutActions()
    if case .stepped(let audio) = driver { step(to: silent, audio) }
    return silent
  }

  /// Stops and joins every thread and closes the outputs; what went wrong with the recording, if anything did.
  @discardableResult public func stop() -> String? {
    haptics.stop()
    switch driver {
    case .live(let audio): return audio.stop()
    case .stepped(let audio):
      audio.recording?.finish()
      return audio.recording?.failure.map { "\($0)" }
    }
  }

  /// Carries out what the engine wants done. The audio steps of one call reach the mixer as one batch.
  func carryOutActions() {
    // What cannot be carried out is told to the engine, which may want something more done.
    while case let actions = engine.takeActions(), !actions.isEmpty {
      for action in actions {
        switch action {
        case .audio(let steps): submit(steps)
        case .haptics(let command): haptics.send(command, to: engine.device(for: command))
        case .notify(let notification): notifications.append(notification)
        }
      }
    }
  }

  private func submit(_ steps: [AudioStep]) {
    var commands: [MixerCommand] = []
    var leading: [MixerCommand] = []
    for step in steps {
      switch step {
      case .command(let command): commands.append(command)
      case .lead(let command): leading.append(command)
      case .startSound(let start):
        guard let source = bank.source(start.sound, loops: start.loops) else { continue }
        commands.append(
          .start(
            VoiceStart(
              id: start.voice, source: .resident(source), bus: start.bus, at: start.at, sourceFrame: start.sourceFrame,
              alignedWith: start.alignedWith, gain: start.gain, fadeIn: start.fadeIn, pan: start.pan,
              pitch: start.pitch, late: .shift)))
      case .startTrack(let start):
        if let command = open(start) { commands.append(command) }
      }
    }
    for case .start(let start) in commands { announcedStarts[start.id] = start.at }
    let refused = queue.submit(commands)
    queue.lead(leading)
    if refused.isEmpty { return }
    // They count as pushed out by what came before.
    let output = output
    for start in refused { release(start.id, at: start.at, reason: .stolen, output) }
    fail("more was asked for than the mixer takes in a period; some starts were dropped")
  }

  private func release(_ voice: VoiceID, at frame: Int64, reason: SoundFinished.Reason, _ output: OutputState) {
    announcedStarts[voice] = nil
    if let stream = streams.removeValue(forKey: voice) { feeder.close(stream) }
    engine.voiceFinished(voice, at: frame, reason: reason, output)
  }

  private func open(_ start: TrackStart) -> MixerCommand? {
    guard let track = bank.tracks[start.track] else { return nil }
    do throws(SoundFileError) {
      let stream = try feeder.open(track.playing(loops: start.loops), fromFrame: start.position)
      streams[start.voice] = stream.id
      if case .live(let audio) = driver { audio.wakeDecoder() } else { feeder.pump() }
      return .start(
        VoiceStart(
          id: start.voice, source: .stream(stream.ring), bus: .music, at: start.at, gain: start.gain,
          fadeIn: start.fade, late: .skip))
    } catch {
      fail("track \(start.track.name) cannot be played: \(error)")
      release(start.voice, at: start.at, reason: .stopped, output)
      return nil
    }
  }

  private func handleMixerEvents(_ output: OutputState) {
    controller.drainEvents { event in
      switch event {
      case .started(let voice, let frame):
        if let announced = announcedStarts.removeValue(forKey: voice), frame > announced { lateStarts += 1 }
      case .finished(let voice, let frame, let reason):
        release(voice, at: frame, reason: SoundFinished.Reason(reason), output)
      case .starved(let voice, let frame): engine.voiceStarved(voice, at: frame, output)
      case .rejoined(let voice, let frame): engine.voiceRejoined(voice, at: frame, output)
      }
    }
    for failure in feeder.drainFailures() { fail("a track broke off: \(failure.error)") }
  }

  private func tell(_ notice: AudioOutputNotice, _ output: OutputState) {
    switch notice {
    case .underrun(let frame, let lost): engine.framesLost(lost, at: frame, isXrun: true, output)
    case .skipped(let frame, let lost): engine.framesLost(lost, at: frame, isXrun: false, output)
    case .corrected(let correction, let lost, let frame):
      engine.timelineCorrected(by: correction, lost: lost, at: frame, output)
    case .deviceLost, .deviceStarted, .unpaced: engine.audioDeviceChanged(audioStatus.message, output)
    }
    carryOutActions()
  }

  /// What went wrong while running, newest last, bounded; for `engine.status`.
  var currentProblems: [String] { failures + haptics.problems }

  private func fail(_ problem: String) {
    if failures.last != problem { failures.append(problem) }
    if failures.count > 16 { failures.removeFirst() }
  }
}

extension SoundFinished.Reason {
  fileprivate init(_ reason: FinishReason) {
    switch reason {
    case .ended: self = .ended
    case .stopped, .cancelled: self = .stopped
    case .stolen, .rejected: self = .stolen
    }
  }
}
