// SPDX-License-Identifier: Apache-2.0

/// Holds the chapter in place.
public enum RhythmPause: WireMethod {
  public static let name = "rhythm.pause"
  public static let summary = "Pauses the chapter and its music in place; what was reported for later will come later."
  public static let refusals: [RPCError.Kind] = [.notRunning, .tooLate]
  public typealias Params = Empty

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// The number of the run.
    public var run: Int64
    /// The instant from which nothing goes on: taps stamped before it count.
    public var pausedUs: Int64
    /// Where in the song it stands.
    public var positionUs: Int64

    public init(run: Int64, pausedUs: Int64, positionUs: Int64) {
      self.run = run
      self.pausedUs = pausedUs
      self.positionUs = positionUs
    }

    /// From when on it is held.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) { pausedUs = moved(pausedUs) }
  }
}

/// Lets the chapter go on.
public enum RhythmResume: WireMethod {
  public static let name = "rhythm.resume"
  public static let summary =
    "Lets a paused chapter go on after a count-in: some beats of the song before the place where it stands, in which taps are ghosts."
  public static let refusals: [RPCError.Kind] = [.notRunning]

  public struct Params: Codable, Sendable, Equatable {
    /// How many whole beats of the track are heard again first; fewer where the song has no more, and none where the track has
    /// no tempo.
    public var countInBeats: Int64?

    public init(countInBeats: Int64? = nil) { self.countInBeats = countInBeats }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Beats that are heard again.
    public let countIn = OptionalParam<Int64>("countInBeats", in: 0...16, default: 4)
  }

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// The number of the run.
    public var run: Int64
    /// The instant at which the song is heard again.
    public var scheduledUs: Int64
    /// The instant at which the song is back where it was paused: taps count from then on.
    public var goesOnUs: Int64
    /// How many beats are heard again.
    public var countInBeats: Int
    /// How much later every instant is that was reported and was not past when the chapter was paused.
    public var movedUs: Int64
    /// What `startUs` of `rhythm.start` is now.
    public var startUs: Int64
    /// What `endUs` of `rhythm.start` is now.
    public var endUs: Int64

    public init(
      run: Int64, scheduledUs: Int64, goesOnUs: Int64, countInBeats: Int, movedUs: Int64, startUs: Int64, endUs: Int64
    ) {
      self.run = run
      self.scheduledUs = scheduledUs
      self.goesOnUs = goesOnUs
      self.countInBeats = countInBeats
      self.movedUs = movedUs
      self.startUs = startUs
      self.endUs = endUs
    }

    /// When it is heard again and judged again, and the run's beginning and end.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      scheduledUs = moved(scheduledUs)
      goesOnUs = moved(goesOnUs)
      startUs = movedAlong(startUs, with: endUs, moved)
      endUs = moved(endUs)
    }
  }
}

/// Begins the chapter anew.
public enum RhythmRestart: WireMethod {
  public static let name = "rhythm.restart"
  public static let summary =
    "Begins the chapter anew from where it was started, as another run of which nothing is judged yet."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]
  public typealias Params = Empty
  public typealias Result = RhythmStart.Result
}

/// Makes the chapter one's own.
public enum RhythmTakeOver: WireMethod {
  public static let name = "rhythm.takeOver"
  public static let summary =
    "Makes the chapter this client's, so that it goes on when its client has left; for clients of the user who started it."
  public static let refusals: [RPCError.Kind] = [.notRunning, .notPermitted]

  public struct Params: Codable, Sendable, Equatable {
    /// How long it goes on when this client has left; as long as before when missing.
    public var leaseUs: Int64?

    public init(leaseUs: Int64? = nil) { self.leaseUs = leaseUs }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How long it goes on without its client.
    public let lease = RangedParam("leaseUs", in: leaseLengths)
  }

  public typealias Result = RhythmStatus.Result
}
