// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// What a game's design says of its moments, typed by hand (`Fixtures/moments`): the packs are held against it, and it
/// reads nothing of theirs. Times are seconds.
package struct MomentTable: Decodable {
  package var pack: String
  package var tracks: [String: Track]
  package var sounds: [String]
  /// Those of the sounds that are spoken, and have a volume of their own; none where missing.
  package var voices: [String]?
  /// Patterns and chapters that a front end names, all that the pack has.
  package var patternNames: [String]
  package var chapterNames: [String]?
  /// How long after the last that is asked for each moment is listened to at least, so that what comes late is seen.
  package var rest: Double
  /// What parameters are until they are set, and are again once a moment is over; none where missing.
  package var parameters: [String: Double]?
  /// What patterns feel like, by the names that moments use.
  package var patterns: [String: Shape]
  package var moments: [Moment]
  package var chapter: ChapterFacts?

  package struct Track: Decodable {
    package var bpm: Double
    package var loops: Bool
    /// How long it is, where that matters.
    package var seconds: Double?
    package var stems: [String: Stem]?

    /// A part in a file of its own, at a gain unless something else is said.
    package struct Stem: Decodable {
      package var file: String
      package var gain: Double
    }
  }

  /// Taps as [at, intensity, sharpness]; rumbles as [from, to, intensity there and there, sharpness there and there], and how
  /// long they fall afterwards.
  package struct Shape: Decodable {
    package var taps: [[Double]]?
    package var rumbles: [[Double]]?
    /// After how long it repeats, where it does.
    package var seconds: Double?
  }

  package struct Moment: Decodable {
    package var name: String
    /// How long it is listened to at least.
    package var seconds: Double
    /// The track that plays when it begins, since half a second.
    package var before: String?
    package var `do`: [Deed]
    package var heard: [Heard]?
    package var felt: [Felt]?
  }

  /// How long a moment is listened to.
  package func seconds(of moment: Moment) -> Double {
    max(moment.seconds, (moment.do.map(\.at).max() ?? 0) + rest)
  }

  /// What a front end asks for.
  package struct Deed: Decodable {
    package var at: Double
    /// When it is asked for; a fifth of a second before `at` where missing.
    package var asked: Double?
    package var cue: String?
    package var play: String?
    package var pattern: String?
    /// A cue that was fired before, and is called off at that instant.
    package var stop: String?
    /// A parameter that is set, and how.
    package var parameter: String?
    package var value: Double?
    package var over: Double?
  }

  /// What becomes of a value: [at, value], straight in between, and the power of it that drives something.
  package struct Way: Decodable {
    package var power: Double
    package var path: [[Double]]

    package init(power: Double, path: [[Double]]) { (self.power, self.path) = (power, path) }

    package func callAsFunction(_ seconds: Double) -> Double {
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
  package struct Dulled: Decodable {
    package var from: Double
    package var over: Double
    package var hertz: Double
    package var gain: Double
    package var until: Double
  }

  package struct Heard: Decodable {
    package var at: Double
    package var sound: String?
    package var track: String?
    package var fadeIn: Double?
    package var until: Double?
    package var fadeOut: Double?
    package var dulled: Dulled?
  }

  package struct Felt: Decodable {
    package var at: Double
    package var pattern: String
    package var gain: Double?
    package var until: Double?
    package var loops: Int?
    /// By what its intensity is multiplied.
    package var driven: Way?
  }

  package struct ChapterFacts: Decodable {
    package var name: String
    package var track: String
    package var bpm: Double
    package var lanes: [String]
    /// Eighths of each bar: the first letter of the lane, or nothing.
    package var bars: [String]
    package var seconds: Int64
    package var spawnBeats: Double
    package var windowUs: Int64
    package var misses: Int
    package var assistWindowUs: Int64
    package var graceUs: Int64
    package var crossfade: Double
    package var hit: Feedback
    package var miss: Feedback
    package var leastUsOfOneLane: Int64
    /// The gains of its track's stems; in how many seconds these are gone once it is over and its music goes on, by which cue.
    package var stems: [String: Double]
    package var stemsOut: Double
    package var over: String
    /// Between how many hertz the bell of each lane is.
    package var registers: [String: [Double]]

    package struct Feedback: Decodable {
      package var sound: String?
      package var pattern: String
    }

    /// The chapter's beats, to the microsecond nearest to each.
    package var beats: [(us: Int64, lane: String)] {
      bars.enumerated().flatMap { bar, row in
        row.enumerated().compactMap { eighth, letter -> (us: Int64, lane: String)? in
          guard let lane = lanes.first(where: { $0.first == letter }) else { return nil }
          return (us(beats: Double(bar * 4) + Double(eighth) / 2), lane)
        }
      }
    }

    package func us(beats: Double) -> Int64 { Int64((beats * 60_000_000 / bpm).rounded()) }
  }

  package static func read(_ name: String) throws -> MomentTable {
    let path = Repository.path + "/Tests/EndToEndTests/Fixtures/moments/\(name).json"
    return try JSONDecoder().decode(MomentTable.self, from: Data(contentsOf: URL(filePath: path)))
  }
}
