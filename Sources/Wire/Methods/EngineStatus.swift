// SPDX-License-Identifier: Apache-2.0

import Problems

/// All of the engine's state in one look.
public enum EngineStatus: WireMethod {
  public static let name = "engine.status"
  public static let summary = "Reports outputs, music, chapter, switches, counters, resources and problems in one look."
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Equatable {
    /// The daemon's clock when this was read.
    public var nowUs: Int64
    /// Whether time runs by itself or is stepped.
    public var clock: ClockKind
    /// How long the daemon has run, on its own clock.
    public var uptimeUs: Int64
    /// The daemon's version.
    public var version: String
    /// The audio output.
    public var audio: Audio
    /// The haptic outputs; one of kind `null` when there are none.
    public var haptics: [HapticOutput]
    /// The music, as `music.status` reports it.
    public var music: MusicStatus.Result
    /// The chapter, as `rhythm.status` reports it.
    public var rhythm: RhythmStatus.Result
    /// The player's switches, volumes and profiles.
    public var settings: Settings
    /// Clients connected now.
    public var clients: Int
    /// What the daemon's process uses.
    public var resources: Resources
    /// What is not as it should be.
    public var problems: [Problem]
    /// Who pauses the engine, and since when; missing while it runs.
    public var paused: PauseState?
    /// Packs whose last reading was not taken, the newest last, 16 at most: what was read of them before still counts. Missing
    /// where there are none.
    public var untaken: [UntakenReading]?

    public init(
      nowUs: Int64, clock: ClockKind, uptimeUs: Int64, version: String, audio: Audio, haptics: [HapticOutput],
      music: MusicStatus.Result, rhythm: RhythmStatus.Result, settings: Settings, clients: Int, resources: Resources,
      problems: [Problem], paused: PauseState? = nil, untaken: [UntakenReading]? = nil
    ) {
      self.nowUs = nowUs
      self.clock = clock
      self.uptimeUs = uptimeUs
      self.version = version
      self.audio = audio
      self.haptics = haptics
      self.music = music
      self.rhythm = rhythm
      self.settings = settings
      self.clients = clients
      self.resources = resources
      self.problems = problems
      self.paused = paused
      self.untaken = untaken
    }
  }

  /// The audio output and its counters.
  public struct Audio: Codable, Sendable, Equatable {
    /// The PCM's name, or `none`.
    public var device: String
    /// What paces it: a device, or a clock where no device plays.
    public var kind: Kind
    /// What was found and chosen, for people.
    public var message: String
    /// The engine's frames a second.
    public var rate: Int
    /// Frames rendered at a time.
    public var periodFrames: Int
    /// Frames the device holds ahead: the larger, the safer and the later.
    public var bufferFrames: Int
    /// How its thread is scheduled.
    public var scheduling: Scheduling
    /// How long after a request arrives its sound can be heard at the earliest.
    public var leadUs: Int64
    /// Frames rendered since the output started.
    public var framesRendered: Int64
    /// How often the device ran dry since the start.
    public var xruns: Int
    /// Voices that began later than their reply had said.
    public var lateStarts: Int
    /// Voices that sound now.
    public var activeVoices: Int
    /// Largest absolute sample of the mix so far, before the limiter: where it is above 1, the limiter was at work.
    public var peak: Double
    /// How much later the sound device is heard than it reports by itself, as it was calibrated: it is given all sound that
    /// much earlier.
    public var deviceLeadUs: Int64
    /// Whether the device is closed because nothing is to be heard: `leadUs` then includes the time until it plays again.
    public var resting: Bool

    public init(
      device: String, kind: Kind, message: String, rate: Int, periodFrames: Int, bufferFrames: Int,
      scheduling: Scheduling, leadUs: Int64, framesRendered: Int64, xruns: Int, lateStarts: Int, activeVoices: Int,
      peak: Double, deviceLeadUs: Int64 = 0, resting: Bool = false
    ) {
      self.device = device
      self.kind = kind
      self.message = message
      self.rate = rate
      self.periodFrames = periodFrames
      self.bufferFrames = bufferFrames
      self.scheduling = scheduling
      self.leadUs = leadUs
      self.framesRendered = framesRendered
      self.xruns = xruns
      self.lateStarts = lateStarts
      self.activeVoices = activeVoices
      self.peak = peak
      self.deviceLeadUs = deviceLeadUs
      self.resting = resting
    }

    /// What an audio output is.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// An ALSA device.
      case alsa
      /// CLOCK_MONOTONIC, where no device plays.
      case null
      /// Nothing but `clock.step`.
      case stepped

      /// Whether a person hears what it plays.
      public var isHeard: Bool { self == .alsa }
    }

    /// How an audio thread is scheduled.
    public enum Scheduling: String, Codable, Sendable, CaseIterable {
      /// In real time, before all threads that are not: SCHED_FIFO.
      case fifo
      /// Like all other threads.
      case other

      /// Whether it is in real time.
      public var isRealTime: Bool { self == .fifo }
    }
  }

  /// One haptic output.
  public struct HapticOutput: Codable, Sendable, Equatable {
    /// What a pad calls itself, or a log's path; `devices.set` takes it.
    public var name: String
    /// What kind of output it is.
    public var kind: Kind
    /// How long before something is felt the output must be given it.
    public var leadUs: Int64
    /// Its path; missing while it is unplugged.
    public var path: String?
    /// What a pad can do: rumble, periodic, constant, gain.
    public var capabilities: [String]
    /// Whether it plays, and if not why.
    public var state: State
    /// The factor of all that it plays, 0...1.
    public var gain: Double
    /// Why it does not do what it is told.
    public var problem: Problem?

    /// What an output is.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// A pad with force feedback.
      case evdev
      /// A file of what would be felt.
      case log
      /// No output: nothing can be felt.
      case null

      /// Whether a person feels what it plays.
      public var isFelt: Bool { self == .evdev }
    }

    /// Whether an output plays, and if not why.
    public enum State: String, Codable, Sendable, CaseIterable {
      /// It plays.
      case ready
      /// It is not there; it rejoins when plugged in.
      case unplugged
      /// This user may not write to it.
      case denied
      /// It could not be opened, or refuses what it is told.
      case failed
    }

    public init(
      name: String, kind: Kind, leadUs: Int64, path: String? = nil, capabilities: [String] = [],
      state: State = .ready, gain: Double = 1, problem: Problem? = nil
    ) {
      self.name = name
      self.kind = kind
      self.leadUs = leadUs
      self.path = path
      self.capabilities = capabilities
      self.state = state
      self.gain = gain
      self.problem = problem
    }
  }

  /// What the daemon's process uses.
  public struct Resources: Codable, Sendable, Equatable {
    /// Resident memory now, in bytes.
    public var residentBytes: Int64
    /// Resident memory at its highest, in bytes.
    public var peakResidentBytes: Int64
    /// Processor time used so far.
    public var cpuUs: Int64

    public init(residentBytes: Int64, peakResidentBytes: Int64, cpuUs: Int64) {
      self.residentBytes = residentBytes
      self.peakResidentBytes = peakResidentBytes
      self.cpuUs = cpuUs
    }
  }
}

/// The audio timeline had to be corrected.
public struct TimelineCorrected: WireNotification {
  public static let name = "timeline.corrected"
  public static let topic = Topic.timeline
  public static let summary =
    "Frames were lost or the clock was corrected by more than 1 ms; announced instants stay valid."

  /// The first frame lost; where none was, the first that the correction is for.
  public var frame: Int64
  /// Frames that were not heard, or 0.
  public var lostFrames: Int64
  /// How much later frames are heard than was thought, negative where earlier; after an xrun, how long nothing was heard.
  public var correctionUs: Int64
  /// How often the device ran dry since the start.
  public var xruns: Int

  public init(frame: Int64, lostFrames: Int64, correctionUs: Int64, xruns: Int) {
    self.frame = frame
    self.lostFrames = lostFrames
    self.correctionUs = correctionUs
    self.xruns = xruns
  }
}

/// Something went wrong while running.
public struct EngineProblem: WireNotification {
  public static let name = "engine.problem"
  public static let topic = Topic.engine
  public static let summary =
    "Something went wrong while the daemon runs, such as a recording or a track that broke off; `engine.status` reports it, too."

  /// What went wrong.
  public var problem: Problem

  public init(problem: Problem) { self.problem = problem }
}
