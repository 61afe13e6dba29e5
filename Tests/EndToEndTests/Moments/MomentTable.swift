// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// What a game's design says of its moments, typed by hand (`Fixtures/moments`): the packs are held against it, and it
/// reads nothing of theirs. Times are seconds.
struct MomentTable: Decodable {
  var pack: String
  var tracks: [String: Track]
  var sounds: [String]
  /// Those of the sounds that are spoken, and have a volume of their own; none where missing.
  var voices: [String]?
  /// Patterns and chapters that a front end names, all that the pack has.
  var patternNames: [String]
  var chapterNames: [String]?
  /// How long after the last that is asked for each moment is listened to at least, so that what comes late is seen.
  var rest: Double
  /// What parameters are until they are set, and are again once a moment is over; none where missing.
  var parameters: [String: Double]?
  /// What patterns feel like, by the names that moments use.
  var patterns: [String: Shape]
  var moments: [Moment]
  var chapter: ChapterFacts?

  struct Track: Decodable {
    var bpm: Double
    var loops: Bool
    /// How long it is, where that matters.
    var seconds: Double?
    var stems: [String: Stem]?

    /// A part in a file of its own, at a gain unless something else is said.
    struct Stem: Decodable {
      var file: String
      var gain: Double
    }
  }

  /// Taps as [at, intensity, sharpness]; rumbles as [from, to, intensity there and there, sharpness there and there], and how
  /// long they fall afterwards.
  struct Shape: Decodable {
    var taps: [[Double]]?
    var rumbles: [[Double]]?
    /// After how long it repeats, where it does.
    var seconds: Double?
  }

  struct Moment: Decodable {
    var name: String
    /// How long it is listened to at least.
    var seconds: Double
    /// The track that plays when it begins, since half a second.
    var before: String?
    var `do`: [Deed]
    var heard: [Heard]?
    var felt: [Felt]?
  }

  /// How long a moment is listened to.
  func seconds(of moment: Moment) -> Double {
    max(moment.seconds, (moment.do.map(\.at).max() ?? 0) + rest)
  }

  /// What a front end asks for.
  struct Deed: Decodable {
    var at: Double
    /// When it is asked for; a fifth of a second before `at` where missing.
    var asked: Double?
    var cue: String?
    var play: String?
    var pattern: String?
    /// A cue that was fired before, and is called off at that instant.
    var stop: String?
    /// A parameter that is set, and how.
    var parameter: String?
    var value: Double?
    var over: Double?
  }

  /// What becomes of a value: [at, value], straight in between, and the power of it that leads something.
  struct Way: Decodable {
    var power: Double
    var path: [[Double]]

    func callAsFunction(_ seconds: Double) -> Double {
      let next = path.firstIndex { $0[0] > seconds } ?? path.count
      guard next > 0 else { return 1 }
      let from = path[next - 1]
      guard next < path.count else { return pow(from[1], power) }
      let share = (seconds - from[0]) / (path[next][0] - from[0])
      return pow(from[1] + (path[next][1] - from[1]) * share, power)
    }
  }

  /// Music behind a low-pass of second order (Butterworth): the corner, and the gain on top, once `over` has passed since
  /// `from`; at `until` it begins to open again.
  struct Dulled: Decodable {
    var from: Double
    var over: Double
    var hertz: Double
    var gain: Double
    var until: Double
  }

  struct Heard: Decodable {
    var at: Double
    var sound: String?
    var track: String?
    var fadeIn: Double?
    var until: Double?
    var fadeOut: Double?
    var dulled: Dulled?
  }

  struct Felt: Decodable {
    var at: Double
    var pattern: String
    var gain: Double?
    var until: Double?
    var loops: Int?
    /// By what its intensity is multiplied.
    var led: Way?
  }

  struct ChapterFacts: Decodable {
    var name: String
    var track: String
    var bpm: Double
    var lanes: [String]
    /// Eighths of each bar: the first letter of the lane, or nothing.
    var bars: [String]
    var seconds: Int64
    var spawnBeats: Double
    var windowUs: Int64
    var misses: Int
    var assistWindowUs: Int64
    var graceUs: Int64
    var crossfade: Double
    var hit: Feedback
    var miss: Feedback
    var leastUsOfOneLane: Int64
    /// The gains of its track's stems; in how many seconds these are gone once it is over and its music goes on, by which cue.
    var stems: [String: Double]
    var stemsOut: Double
    var over: String
    /// Between how many hertz the bell of each lane is.
    var registers: [String: [Double]]

    struct Feedback: Decodable {
      var sound: String?
      var pattern: String
    }

    /// The chapter's beats, to the microsecond nearest to each.
    var beats: [(us: Int64, lane: String)] {
      bars.enumerated().flatMap { bar, row in
        row.enumerated().compactMap { eighth, letter -> (us: Int64, lane: String)? in
          guard let lane = lanes.first(where: { $0.first == letter }) else { return nil }
          return (us(beats: Double(bar * 4) + Double(eighth) / 2), lane)
        }
      }
    }

    func us(beats: Double) -> Int64 { Int64((beats * 60_000_000 / bpm).rounded()) }
  }

  static func read(_ name: String) throws -> MomentTable {
    let path = TestPack.repository + "/Tests/EndToEndTests/Fixtures/moments/\(name).json"
    return try JSONDecoder().decode(MomentTable.self, from: Data(contentsOf: URL(filePath: path)))
  }
}
