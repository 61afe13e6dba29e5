// SPDX-License-Identifier: Apache-2.0

import Problems

/// What came of reading a pack's folder while the daemon runs.
public struct PackReading: Codable, Sendable, Equatable {
  /// The most problems, and the most warnings, that are reported of one reading; `problemCount` counts all.
  public static let mostProblems = 64

  /// The pack's name; missing where its manifest could not be read as far as that.
  public var pack: String?
  /// The folder that was read.
  public var path: String
  /// Whether this reading counts from here on. Where it does not, what was read of the pack before stays as it is.
  public var taken: Bool
  /// The number of the reading that counts now, counted over all packs since the daemon began; missing where none counts.
  public var generation: Int?
  /// What is wrong with it, in the order of its texts, 64 at most.
  public var problems: [Problem]
  /// How many problems there are.
  public var problemCount: Int
  /// What is taken as it is but was most likely not meant so, 64 at most.
  public var warnings: [Problem]
  /// How many things of each kind it has, where it was taken.
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
    /// The folder that has the `pack.json`, as a path that begins at `/`.
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
    /// What came of each pack, in the order of `pack.list`, then of those that were left out because of faults.
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
    /// The pack's name, as its manifest has it.
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
  /// The folder that is read, also where the pack is refused.
  public var path: String
  /// The number of the reading, as in the reply to `pack.load`, where it was taken.
  public var generation: Int?
  /// How many things of each kind it has, where it was taken.
  public var counts: Counts?
  /// How many problems were found.
  public var problems: Int?

  /// How many things of each kind a pack has.
  public struct Counts: Codable, Sendable, Equatable {
    /// How many tracks it has.
    public var tracks: Int
    /// How many sounds it has: effects and voices.
    public var sounds: Int
    /// How many haptic patterns it has.
    public var patterns: Int
    /// How many cues it has.
    public var cues: Int
    /// How many rhythm chapters it has.
    public var chapters: Int
    /// How many parameters it has.
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
