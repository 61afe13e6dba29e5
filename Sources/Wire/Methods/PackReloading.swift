// SPDX-License-Identifier: Apache-2.0

import Problems

/// What came of reading a pack's folder while the daemon runs.
public struct PackReading: Codable, Sendable, Equatable {
  /// The most problems, and the most warnings, that are told of one reading; `problemCount` has all.
  public static let mostProblems = 64

  /// The pack's name; none where its manifest could not be read so far.
  public var pack: String?
  /// The folder that was read.
  public var path: String
  /// Whether it counts from here on. Where it does not, what was read of the pack before stays as it is.
  public var taken: Bool
  /// Counts what was read of packs since the daemon began: of the reading that counts now; none where none does.
  public var generation: Int?
  /// All that is wrong, in the order of its texts, 64 at most.
  public var problems: [Problem]
  /// How many problems there are.
  public var problemCount: Int
  /// What is taken as it is, and was most likely not meant so, 64 at most.
  public var warnings: [Problem]
  /// How much it holds, where it was taken.
  public var counts: PackLoading.Counts?

  public init(
    pack: String?, path: String, taken: Bool, generation: Int?, problems: [Problem], warnings: [Problem],
    counts: PackLoading.Counts? = nil
  ) {
    self.pack = pack
    self.path = path
    self.taken = taken
    self.generation = generation
    self.problems = Array(problems.prefix(Self.mostProblems))
    problemCount = problems.count
    self.warnings = Array(warnings.prefix(Self.mostProblems))
    self.counts = counts
  }
}

/// Reads a folder as a pack.
public enum PackLoad: WireMethod {
  public static let name = "pack.load"
  public static let summary =
    "Loads a pack from a folder while all plays on, in place of a loaded pack of the same name; for the daemon's own user alone."
  public static let refusals: [RPCError.Kind] = [.notPermitted]
  /// A path is as long as folders are deep.
  public static let longTexts = ["path"]
  /// A folder is read for it.
  public static let mayBeLeft = true

  public struct Params: Codable, Sendable, Equatable {
    /// The folder that has the `pack.json`, from `/` on.
    public var path: String

    public init(path: String) { self.path = path }
  }

  public typealias Result = PackReading
}

/// Reads packs again.
public enum PackReload: WireMethod {
  public static let name = "pack.reload"
  public static let summary =
    "Reads one pack again from its folder, or all of them and those left out because of faults; for the daemon's own user alone."
  public static let refusals: [RPCError.Kind] = [.notPermitted, .unknownName]
  /// Folders are read for it.
  public static let mayBeLeft = true

  public struct Params: Codable, Sendable, Equatable {
    /// The pack; all when missing.
    public var pack: String?

    public init(pack: String? = nil) { self.pack = pack }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// What came of each, in the order of `pack.list`, then of those that were left out because of faults.
    public var packs: [PackReading]

    public init(packs: [PackReading]) { self.packs = packs }
  }
}

/// Takes a pack out.
public enum PackUnload: WireMethod {
  public static let name = "pack.unload"
  public static let summary =
    "Unloads a pack: its names are unknown from then on, but what plays of it plays on; for the daemon's own user alone."
  public static let refusals: [RPCError.Kind] = [.notPermitted, .unknownName, .busy]

  public struct Params: Codable, Sendable, Equatable {
    /// The name that its manifest gives it, without a folder.
    public var pack: String

    public init(pack: String) { self.pack = pack }
  }

  public typealias Result = Empty
}

/// A pack is being read, was read, or was taken out.
public struct PackLoading: WireNotification {
  public static let name = "pack.loading"
  public static let topic = Topic.packs
  public static let summary =
    "A pack's folder is being read, was taken and counts from here on, was refused, or was unloaded."

  /// What becomes of the pack.
  public enum Change: String, Codable, Sendable, CaseIterable {
    /// Its folder is being read.
    case reading
    /// It counts from here on: what is asked for now is of this reading.
    case taken
    /// It has faults: what was read before stays.
    case refused
    /// It was taken out.
    case unloaded
  }

  /// What became of it.
  public var change: Change
  /// The pack's name, as far as it is known.
  public var pack: String?
  /// The folder that is read, also where what it has is refused.
  public var path: String
  /// As in the reply of `pack.load`, where it was taken.
  public var generation: Int?
  /// How many of each kind it has, where it was taken.
  public var counts: Counts?
  /// How many problems were found.
  public var problems: Int?

  /// How much a pack holds.
  public struct Counts: Codable, Sendable, Equatable {
    /// Its music.
    public var tracks: Int
    /// Its effects and voices.
    public var sounds: Int
    /// What it has to be felt.
    public var patterns: Int
    /// Its moments.
    public var cues: Int
    /// Its rhythm chapters.
    public var chapters: Int
    /// What drives other things.
    public var parameters: Int

    public init(tracks: Int, sounds: Int, patterns: Int, cues: Int, chapters: Int, parameters: Int) {
      self.tracks = tracks
      self.sounds = sounds
      self.patterns = patterns
      self.cues = cues
      self.chapters = chapters
      self.parameters = parameters
    }
  }

  public init(
    change: Change, pack: String?, path: String, generation: Int? = nil, counts: Counts? = nil, problems: Int? = nil
  ) {
    self.change = change
    self.pack = pack
    self.path = path
    self.generation = generation
    self.counts = counts
    self.problems = problems
  }
}
