// SPDX-License-Identifier: Apache-2.0

import Problems

/// Lists the loaded packs and what they hold.
public enum PackList: WireMethod {
  public static let name = "pack.list"
  public static let summary =
    "Lists the game packs: their tracks, sounds, patterns, cues, chapters and parameters, and what is wrong with them."
  public static let refusals: [RPCError.Kind] = [.unknownName]

  public struct Params: Codable, Sendable, Equatable {
    /// The last pack of the page before; the first page when missing.
    public var after: String?

    public init(after: String? = nil) { self.after = after }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// This client's active pack, in which its bare names are looked up; missing where no pack was found.
    public var active: String?
    /// The packs that are loaded, as many as fit into one reply.
    public var packs: [Pack]
    /// True where more follow: ask again with the last of these as `after`; missing where none do.
    public var more: Bool?
    /// Why other packs are not loaded: packs that are left out, folders that cannot be looked into.
    public var problems: [Problem]

    public init(active: String?, packs: [Pack], problems: [Problem] = [], more: Bool? = nil) {
      self.active = active
      self.packs = packs
      self.problems = problems
      self.more = more
    }
  }

  /// One game pack.
  public struct Pack: Codable, Sendable, Equatable {
    /// Its name, which stands before the colon in `pack:name`.
    public var name: String
    /// Its title, for people.
    public var title: String
    /// The folder it was read from.
    public var path: String
    /// Its tracks, in the order of their names, as in the lists below.
    public var tracks: [Track]
    /// Its sound effects and voices.
    public var sounds: [Sound]
    /// Its haptic patterns.
    public var patterns: [Pattern]
    /// Names for `cue.fire`, each `pack:cue`.
    public var cues: [String]
    /// Its rhythm chapters.
    public var chapters: [Chapter]
    /// Names for `parameter.set`, each `pack:parameter`.
    public var parameters: [String]
    /// What could not be loaded.
    public var problems: [Problem]
    /// The folders of packs of the same name that give way to it; missing where there are none.
    public var hides: [String]?

    public init(
      name: String, title: String, path: String, tracks: [Track], sounds: [Sound], patterns: [Pattern],
      cues: [String], chapters: [Chapter], parameters: [String], problems: [Problem],
      hides: [String]? = nil
    ) {
      self.name = name
      self.title = title
      self.path = path
      self.tracks = tracks
      self.sounds = sounds
      self.patterns = patterns
      self.cues = cues
      self.chapters = chapters
      self.parameters = parameters
      self.problems = problems
      self.hides = hides
    }
  }

  /// One piece of music.
  public struct Track: Codable, Sendable, Equatable {
    /// `pack:track`.
    public var name: String
    /// Its length; 0 when its file could not be read.
    public var durationUs: Int64
    /// Beats a minute; where it is missing, nothing can be put on the track's beats.
    public var bpm: Double?
    /// Whether it repeats unless `music.play` says otherwise.
    public var loops: Bool
    /// False when its file could not be read.
    public var available: Bool
    /// Its markers, in order of their places.
    public var markers: [Marker]
    /// Names of its stems, for `music.gain`.
    public var stems: [String]

    public init(
      name: String, durationUs: Int64, bpm: Double?, loops: Bool, available: Bool, markers: [Marker] = [],
      stems: [String] = []
    ) {
      self.name = name
      self.durationUs = durationUs
      self.bpm = bpm
      self.loops = loops
      self.available = available
      self.markers = markers
      self.stems = stems
    }
  }

  /// A named place in a track.
  public struct Marker: Codable, Sendable, Equatable {
    /// Its name, as `quantise` takes it.
    public var name: String
    /// Its place in the track.
    public var positionUs: Int64

    public init(name: String, positionUs: Int64) {
      self.name = name
      self.positionUs = positionUs
    }
  }

  /// One sound effect or voice.
  public struct Sound: Codable, Sendable, Equatable {
    /// `pack:sound`.
    public var name: String
    /// Its length at pitch 1; 0 when its file could not be read.
    public var durationUs: Int64
    /// False when its file could not be read.
    public var available: Bool

    public init(name: String, durationUs: Int64, available: Bool) {
      self.name = name
      self.durationUs = durationUs
      self.available = available
    }
  }

  /// One haptic pattern.
  public struct Pattern: Codable, Sendable, Equatable {
    /// `pack:pattern`.
    public var name: String
    /// Length of one pass at rate 1; 0 when its file could not be read.
    public var durationUs: Int64
    /// How many events it has; 0 when its file could not be read.
    public var events: Int
    /// False when its file could not be read.
    public var available: Bool

    public init(name: String, durationUs: Int64, events: Int, available: Bool) {
      self.name = name
      self.durationUs = durationUs
      self.events = events
      self.available = available
    }
  }

  /// One rhythm chapter.
  public struct Chapter: Codable, Sendable, Equatable {
    /// `pack:chapter`.
    public var name: String
    /// Its title, for people.
    public var title: String
    /// The track it is played to, `pack:track`.
    public var track: String
    /// How many beats there are to be hit; 0 when its beats could not be read.
    public var beats: Int
    /// The lanes that taps name; empty when they name none.
    public var lanes: [String]
    /// How long it lasts; its track may be longer.
    public var lengthUs: Int64

    public init(name: String, title: String, track: String, beats: Int, lanes: [String], lengthUs: Int64) {
      self.name = name
      self.title = title
      self.track = track
      self.beats = beats
      self.lanes = lanes
      self.lengthUs = lengthUs
    }
  }
}
