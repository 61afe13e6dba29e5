// SPDX-License-Identifier: Apache-2.0

/// How the daemon fares, in numbers.
public enum EngineStats: WireMethod {
  public static let name = "engine.stats"
  public static let summary =
    "Reports how the daemon fares, in numbers: totals since the start, and what was recorded in the latest seconds."

  public struct Params: Codable, Sendable, Equatable {
    /// How long counts as lately, up to now.
    public var overUs: Int64?

    /// Of the latest `overUs`.
    public init(overUs: Int64? = nil) { self.overUs = overUs }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// What is recent.
    public let over = OptionalParam<Int64>("overUs", in: 100_000...60_000_000, default: 10_000_000)
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The daemon's clock now.
    public var nowUs: Int64
    /// How long ago the daemon was started.
    public var uptimeUs: Int64
    /// How long counts as lately: as asked for, or as long as the daemon runs where that is less.
    public var overUs: Int64
    /// Rendering and the sound device.
    public var audio: Audio
    /// Lines served since the start.
    public var lines: Int64
    /// Each client, in the order in which they came.
    public var clients: [Client]
    /// Each haptic output that was written to lately.
    public var outputs: [Output]
    /// How late beats were sent to clients lately.
    public var beats: Beats
    /// Sounds that are planned or play.
    public var sounds: Int
    /// Haptic players that are planned or play.
    public var players: Int
    /// The processor time of the whole process.
    public var processorUs: Int64
    /// The memory that the process has.
    public var residentBytes: Int64
    /// Records that were made since the start.
    public var records: Int64
    /// Records that threads had no room for.
    public var recordsLost: Int64
    /// The highest sample of each bus in the mix, and of the output after the limiter, in the order in which they are mixed.
    public var meters: [Meter]

    public init(
      nowUs: Int64, uptimeUs: Int64, overUs: Int64, audio: Audio, lines: Int64, clients: [Client], outputs: [Output],
      beats: Beats, sounds: Int, players: Int, processorUs: Int64, residentBytes: Int64, records: Int64,
      recordsLost: Int64, meters: [Meter]
    ) {
      self.nowUs = nowUs
      self.uptimeUs = uptimeUs
      self.overUs = overUs
      self.audio = audio
      self.lines = lines
      self.clients = clients
      self.outputs = outputs
      self.beats = beats
      self.sounds = sounds
      self.players = players
      self.processorUs = processorUs
      self.residentBytes = residentBytes
      self.records = records
      self.recordsLost = recordsLost
      self.meters = meters
    }
  }

  /// How loud a bus or the output was in the last second: the same for all who ask.
  public struct Meter: Codable, Sendable, Equatable {
    /// What it measures: a bus, or the output.
    public var bus: Bus
    /// The highest sample of the last second in dBFS, 0 for full scale, to a hundredth; missing where there was silence.
    public var peakDb: Double?

    public init(bus: Bus, peakDb: Double?) {
      self.bus = bus
      self.peakDb = peakDb
    }

    /// What has a meter.
    public enum Bus: String, Codable, Sendable, CaseIterable {
      /// Tracks, at their volume and as far as they are ducked.
      case music
      /// Effects.
      case sound
      /// Spoken lines.
      case voice
      /// What is heard of haptic patterns.
      case haptic
      /// All of them together, after the limiter.
      case output
    }
  }

  /// Rendering and the sound device.
  public struct Audio: Codable, Sendable, Equatable {
    /// Frames a second.
    public var rate: Int
    /// Frames rendered since the start.
    public var framesRendered: Int64
    /// How often the device ran dry since the start.
    public var xruns: Int
    /// Starts that came later than announced, since the start.
    public var lateStarts: Int
    /// Voices that sound.
    public var voices: Int
    /// The largest sample since the start, 1 for full scale.
    public var peak: Double
    /// Periods rendered lately.
    public var recentPeriods: Int
    /// Frames lost lately.
    public var recentFramesLost: Int64
    /// What rendering took lately, as a share of the time that was rendered.
    public var load: Double
    /// The most that rendering a period took lately, as a share of that period.
    public var mostLoad: Double
    /// The most that the audio thread was late to wake, lately.
    public var latestWakeUs: Int64

    public init(
      rate: Int, framesRendered: Int64, xruns: Int, lateStarts: Int, voices: Int, peak: Double, recentPeriods: Int,
      recentFramesLost: Int64, load: Double, mostLoad: Double, latestWakeUs: Int64
    ) {
      self.rate = rate
      self.framesRendered = framesRendered
      self.xruns = xruns
      self.lateStarts = lateStarts
      self.voices = voices
      self.peak = peak
      self.recentPeriods = recentPeriods
      self.recentFramesLost = recentFramesLost
      self.load = load
      self.mostLoad = mostLoad
      self.latestWakeUs = latestWakeUs
    }
  }

  /// One client.
  public struct Client: Codable, Sendable, Equatable {
    /// Its number, by which connections are counted.
    public var client: Int64
    /// The user id of its process.
    public var user: Int64
    /// Bytes that wait for it to read.
    public var queuedBytes: Int
    /// How many topics it is subscribed to.
    public var topics: Int
    /// Its lines that were served lately.
    public var recentLines: Int
    /// The processor time that these lines took.
    public var processorUs: Int64
    /// The most processor time that one of them took.
    public var mostProcessorUs: Int64

    public init(
      client: Int64, user: Int64, queuedBytes: Int, topics: Int, recentLines: Int, processorUs: Int64,
      mostProcessorUs: Int64
    ) {
      self.client = client
      self.user = user
      self.queuedBytes = queuedBytes
      self.topics = topics
      self.recentLines = recentLines
      self.processorUs = processorUs
      self.mostProcessorUs = mostProcessorUs
    }
  }

  /// One haptic output.
  public struct Output: Codable, Sendable, Equatable {
    /// Its name.
    public var device: String
    /// Writes to it lately.
    public var recentWrites: Int
    /// How many of these writes it refused.
    public var refused: Int
    /// The longest that it took to answer one of them.
    public var slowestUs: Int64
    /// The most that its thread was late for one of them.
    public var latestUs: Int64

    public init(device: String, recentWrites: Int, refused: Int, slowestUs: Int64, latestUs: Int64) {
      self.device = device
      self.recentWrites = recentWrites
      self.refused = refused
      self.slowestUs = slowestUs
      self.latestUs = latestUs
    }
  }

  /// How late beats of chapters and music were sent; each client counts.
  public struct Beats: Codable, Sendable, Equatable {
    /// How many were sent lately.
    public var recent: Int
    /// How late they were sent, at the median; missing where there were none.
    public var medianLateUs: Int64?
    /// How late 99 of 100 were sent at most; missing where there were none.
    public var highLateUs: Int64?

    public init(recent: Int, medianLateUs: Int64?, highLateUs: Int64?) {
      self.recent = recent
      self.medianLateUs = medianLateUs
      self.highLateUs = highLateUs
    }
  }
}
