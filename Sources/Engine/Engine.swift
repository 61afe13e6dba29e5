// SPDX-License-Identifier: Apache-2.0

import Fades
import GamePacks
import Haptics
import Mixing
import Outcomes
import Rhythm
import Timing
import Wire

/// Plans, music, sounds, haptics and chapters: time and requests in, actions out.
///
/// Knows no clock, no device and no socket. Every request is answered at once with the instant at which it will be heard
/// or felt; what is to be done is kept by instant and handed out shortly before, because an instant turned into a frame
/// early would drift from the device's clock.
///
/// `Requests` read what clients ask and shape the answers, `Verbs` do it, `Telling` says what became of it. Verbs know no
/// wire.
public struct Engine {
  /// What the engine is told once.
  public struct Configuration: Sendable {
    /// Frames a second, for the engine's whole life.
    public var rate = 48_000
    /// How far ahead plans are turned into frames.
    public var horizon = Interval.milliseconds(100)
    /// How far ahead notifications of known instants are handed out, to be sent on time; zero on a stepped clock.
    public var announceLead = Interval.milliseconds(250)
    /// How many families of voices the mixer keeps.
    public var mostFamilies = 4_096

    /// What the variations of cues are drawn from.
    public var seed: UInt64 = 0

    /// Told all that the runs of chapters are told, where they are to be judged again.
    public var rhythmWitness: (@Sendable (RhythmStep) -> Void)?

    /// The defaults: 48 kHz, 100 ms, 250 ms.
    public init() {}
  }

  /// Everything that can be named.
  public internal(set) var catalog: Catalog
  let configuration: Configuration
  /// The moment of the call that is being answered: to be set once before each.
  public var turn: Turn
  /// What its instants are on the clock, for what is told: they are of its own time, which stands while it is paused.
  public var clock = EngineClock() { didSet { if clock.lasting == nil { endSoundsThatStood() } } }
  /// Up to where all that was tapped is known, by clients and by controls that are bound, where that is not up to now: what may
  /// still have been tapped then is not settled.
  public var listenedTo: Instant?
  /// Whether anybody is told how taps and beats are judged: what nobody hears is not made. It would be a seventh of the instructions
  /// that a tap takes.
  public var tellsJudgements = true
  /// The packs that clients use in place of the daemon's own.
  var usedPacks: [ClientID: String] = [:]
  var switches = Switches() { didSet { if switches != oldValue { settingsRevision += 1 } } }
  /// Another number once `currentSettings` is not what it was: to look at it costs nothing.
  public private(set) var settingsRevision: UInt64 = 0
  var buses = BusPacing()
  var switching = SwitchPacing()
  /// Whether the player of the music was told that its switch is off, which in a chapter it never is.
  var isMusicSwitchedOff = false
  /// When the player of the music follows what it was told of the switch last.
  var musicSwitchedAt = Instant.distantPast
  var shares = Shares()
  var plans = PlanQueue<PlannedSound>()
  var music: MusicPlan
  var musicPacing = MusicPacing()
  /// When music that waits for a stream is looked at again.
  var musicPostponedUntil: Instant?
  var sounds = SoundBoard()
  var soundPacing = SoundPacing()
  var cues = CueBoard()
  var paced = PacedTelling()
  var beats = BeatBoard()
  var haptics = HapticBoard()
  var parameters: ParameterBoard
  var chapter: Chapter?
  /// How the last chapter ended.
  var lastChapter: (key: AssetKey, run: Int64, score: Score)?
  /// How often the device ran out of frames.
  var xruns = 0
  private var nextVoice: UInt64 = 1
  private var nextPlan: Int64 = 1
  private var nextRun: Int64 = 1
  private var actions: [EngineAction] = []
  private(set) var batch: [AudioStep] = []
  /// What steps of cues changed in this call.
  var changes: [PlannedChange] = []
  /// Voices that the mixer was done with ahead, of which the last is heard when the engine goes on.
  var standingEnds: [(voice: VoiceID, frame: Int64, ending: SoundEnd)] = []
  /// Feedback of the chapter that this call is to fire.
  @usableFromInline var feedback: [AwaitedFeedback] = []
  /// What was found not to begin in this call.
  var unbegun: [UnbegunPart] = []

  /// An engine at rest.
  public init(catalog: Catalog, configuration: Configuration, turn: Turn) {
    self.catalog = catalog
    self.configuration = configuration
    self.turn = turn
    music = MusicPlan(declick: .declick(rate: configuration.rate))
    parameters = ParameterBoard(catalog)
    driveFromTheStart()
  }

  /// How many families of voices the packs of a catalog drive by parameters.
  public static func familyCount(of catalog: Catalog) -> Int { ParameterBoard(catalog).families.count }

  /// What is to be done since the last call, in order. The audio steps of one call are one batch.
  public mutating func takeActions() -> [EngineAction] {
    fireAwaitedFeedback()
    if !batch.isEmpty { actions.append(.audio(batch)) }
    defer {
      actions = []
      batch = []
    }
    return actions
  }

  /// Does everything that is due by `turn.now`.
  public mutating func advance() {
    dispatchPlans()
    letWaitingSoundsCome()
    skipUnheard(upTo: turn.now)
    dispatchHapticStops()
    setBusesThatWait()
    driveOn()
    realiseDueMusic()
    planHapticAudio()
    lookForBeats()
    tellHeardMusic()
    handOutBeats()
    tellFiredCues()
    tellPaced()
    advanceHaptics()
    tellCutCues()
    advanceChapter()
  }

  /// When `advance` must be called next at the latest, in the engine's time.
  public var nextDeadline: Instant? {
    let ahead = earliest(plans.next, musicPostponedUntil == nil ? music.waiting.first?.at : nil).map { $0 - horizon }
    let begun = earliest(musicPostponedUntil, music.realised.first?.at)
    let felt = earliest(haptics.stops.next.map { $0 - hapticHorizon }, haptics.nextDeadline)
    let cued = earliest(cues.next, cues.nextCut)
    let switched = earliest(buses.waitsUntil, switching.waitsUntil ?? sounds.held.next)
    let told = earliest(earliest(chapterDeadline, nextSettingDeadline), beatsDeadline)
    return earliest(earliest(earliest(ahead, begun), earliest(felt, cued)), earliest(switched, told))
  }

  /// `nextDeadline` and `nextTelling`, of the engine where it is. `mutating` though it changes nothing: who only reads what an
  /// object holds is handed a copy, here one of a hundred references, and that each turn of control.
  public mutating func nextCalls() -> (deadline: Instant?, telling: Instant?) { (nextDeadline, nextTelling) }

  /// When the first sound or change of the music is planned for that the mixer was not told of; nil for none.
  public var nextSound: Instant? { earliest(earliest(plans.next, music.waiting.first?.at), sounds.held.next) }

  /// Whether something goes on that may want sound at any moment: a chapter, or a pattern with sounds.
  public var mayWantSound: Bool { chapter != nil || haptics.mixer.hasAudio || !haptics.audio.sounds.isEmpty }

  /// When `advance` must be called for what is told a few at a time, on the clock: that goes on while the engine is paused;
  /// or for what is told as it comes to stand.
  public var nextTelling: Instant? { earliest(paced.next, standingLevelDeadline) }

  /// How far behind the clock's whole microsecond, as clients are told it, an instant of the engine's comes, also behind a pause whose
  /// end is known: what is asked for that much later is not late.
  public func leadUs(to instant: Instant) -> Int64 {
    if clock.lasting != nil { return turn.leadUs(to: instant) }
    return clock.told(instant.roundedUpToMicrosecond).roundedUpToMicrosecond.microseconds - turn.clockNow.microseconds
  }

  // MARK: - For the parts

  mutating func makeVoice() -> VoiceID {
    defer { nextVoice += 1 }
    return VoiceID(rawValue: nextVoice)
  }

  mutating func makePlan() -> PlanID {
    defer { nextPlan += 1 }
    return PlanID(rawValue: nextPlan)
  }

  mutating func makeRun() -> Int64 {
    defer { nextRun += 1 }
    return nextRun
  }

  /// Adds steps to the batch of this call; a voice begins among those that parameters drive with it.
  mutating func perform(_ steps: [AudioStep]) {
    guard parameters.families.count > 0 else {
      batch += steps
      return
    }
    batch += steps.map { step in
      guard case .start(var start) = step else { return step }
      start.family = parameters.family(of: start.source)
      if case .track(let key, _) = start.source, start.stems.count > 0 {
        let stems = key.generation.contents.tracks[key.name]?.stems.map(\.name) ?? []
        start.stems = start.stems.with(families: parameters.families(ofStems: stems, of: key.key))
      }
      return .start(start)
    }
  }

  /// Takes back what this call was to do with voices from a frame on; those whose tracks so never begin.
  mutating func dropSteps(of voices: Set<VoiceID>, from frame: Int64) -> Set<VoiceID> {
    var unbegun: Set<VoiceID> = []
    for case .start(let start) in batch where voices.contains(start.id) && start.at >= frame {
      unbegun.insert(start.id)
    }
    if unbegun.isEmpty { return [] }
    batch.removeAll { step in
      switch step {
      case .start(let start): unbegun.contains(start.id)
      case .command(let command): unbegun.contains { command.concerns($0) }
      case .steer: false
      }
    }
    return unbegun
  }

  mutating func perform(_ action: EngineAction) { actions.append(action) }

  /// The shortest fade without a click: 5 ms.
  var declick: Fade { .declick(rate: configuration.rate) }

  /// A fade of that length; at least the 5 ms that do not click.
  func fade(_ length: Interval, _ curve: FadeCurve) -> Fade {
    Fade(frames: Int32(max(length, .milliseconds(5)).frames(rate: configuration.rate)), curve: curve)
  }

  /// Whether what is planned for an instant leaves the queues again within moments.
  func isSoon(_ instant: Instant) -> Bool { instant - turn.earliestSound <= .milliseconds(1_000) }

  /// Whether what is planned for an instant is carried out at once: it takes no room that could be kept from others.
  func isNow(_ instant: Instant) -> Bool { instant <= turn.now + horizon }

  /// How far ahead plans are turned into frames: a device with a large buffer is reached later than most. What a longer lead is to
  /// pass over the mixer is told before, so that it passes in its place.
  var horizon: Interval {
    max(
      configuration.horizon + turn.leadToCome,
      max(turn.earliestSound - turn.now, turn.soundLead) + .milliseconds(20))
  }
}
