// SPDX-License-Identifier: Apache-2.0

import Wire

/// A live run's own recording, held against what was captured of it and against an offline rendering of the same commands.
struct Comparison {
  /// The recording: its frames are the engine's.
  let live: Sound
  /// From the first frame that sounds to the last that was heard.
  let range: Range<Int>
  /// The frames that the daemon told to be lost, those included that end where the first sounds: the first frame of a
  /// fade in is silent.
  let reported: [Range<Int>]
  /// Frames that nobody could hear, which is not for the daemon to tell.
  let unheard: [Range<Int>]

  /// Frames of the fade in after a gap: 5 ms.
  private static let fadeIn = 240

  init(
    recording: String, clock: ClockNow.Result, _ corrections: [TimelineCorrected], unheardUs: [Range<Int64>] = []
  ) throws {
    live = try Sound(wave: recording)
    guard let first = live.frames.firstIndex(where: { $0 != 0 }) else { throw RigFailure("the recording is silent") }
    let range = first..<max(first, min(clock.frameHeard(at: clock.nowUs), live.frames.count))
    reported = corrections.filter { $0.lostFrames > 0 }
      .map { Int($0.frame)..<Int($0.frame + $0.lostFrames) }
      .filter { $0.overlaps((range.lowerBound - 2)..<range.upperBound) }
    unheard = unheardUs.map { clock.frameHeard(at: $0.lowerBound)..<clock.frameHeard(at: $0.upperBound) }
    self.range = range
  }

  /// Every frame was captured to the bit but those reported as lost; answers where it was found.
  ///
  /// Of those reported none was captured either, where the device is a card. What a plug-in does with a block that comes
  /// while it runs dry is its own affair: there the report is the most that may be lost. Where a sound server or the machine
  /// was late itself, the frames that are missing may be its fault. Of a card that slept `sparedLimit` frames may have been
  /// heard after the kernel last knew where it was. What `isSilentAtTimes` has silences of its own.
  func check(
    _ captured: Sound, _ layout: SampleLayout, isCard: Bool, isLate: Bool = false, sparedLimit: Int = 0,
    isSilentAtTimes: Bool = false, _ report: inout Report
  ) -> [Stretch] {
    let untold = silent.filter { gap in
      !(reported + unheard).contains { $0.lowerBound <= gap.lowerBound && gap.upperBound <= $0.upperBound + 1 }
    }
    if !isSilentAtTimes {
      report.check(
        "silences are reported gaps", untold.isEmpty,
        "silent \(Self.told(silent)), reported \(Self.told(reported)), not told \(Self.told(untold))")
    }
    let heard = align(live.played(on: layout), range, in: captured)
    let missing = heard.missing(in: range, outside: gaps + unheard)
    report.check(
      "captured equals recorded", missing.isEmpty && !heard.isEmpty, timed: isLate,
      "\(range.count) frames, \(gaps.count) gaps, \(missing.reduce(0) { $0 + $1.count }) frames differ: \(Self.told(missing))"
        + (isLate ? "; the server or the machine was late itself" : ""))
    let sounding = reported.filter { gap in !unheard.contains { $0.overlaps(gap) } }
    let spared = sounding.map { gap in gap.count { live.frames[$0] != 0 && heard.captured($0) != nil } }
    if isCard {
      report.check(
        "what is reported as lost is lost", spared.allSatisfy { $0 <= sparedLimit }, "frames heard after all: \(spared)"
      )
    } else if !spared.isEmpty {
      report.note("reported as lost", "frames heard after all: \(spared)")
    }
    return heard
  }

  /// The recording is the offline rendering of the same commands; answers at which of its frames the parts begin.
  func checkOffline(_ performance: Performance, by renderer: OfflineRenderer, _ report: inout Report) throws -> [Int] {
    // The first sound is at frame 4800 there.
    let start = range.lowerBound - 4_800
    let length = range.upperBound - start
    let lost = (gaps + silent).map { ($0.lowerBound - start)..<($0.upperBound - start + Self.fadeIn) }
    let isCompared = { (frame: Int) in !lost.contains { $0.contains(frame) } }
    let frames = try performance.frames(in: live, from: start, length: length, by: renderer, isCompared: isCompared)
    let rendered = try renderer.render(performance, frames, length: length)
    let compared = min(length, rendered.frames.count)
    // Where the very beginning is lost, or as much as a whole sound, nothing says where it was.
    let isLate = lost.contains { $0.contains(4_800) || $0.count >= RigPack.effectFrames }
    let different = (0..<compared).count { isCompared($0) && live.frames[start + $0] != rendered.frames[$0] }
    report.check(
      "recorded equals offline", different == 0 && compared >= length - 480 && frames.count == performance.parts.count,
      timed: isLate,
      "\(compared) frames, \(frames.count) of \(performance.parts.count) parts found, \(different) frames differ")
    return frames.map { $0 + start }
  }

  /// Where the plan passed frames over. The first frame of a fade in is silent too.
  private var gaps: [Range<Int>] { reported.map { $0.lowerBound..<($0.upperBound + 1) } }

  /// Where the recording passes over frames.
  var silent: [Range<Int>] { silences(in: live, range, least: 16) }

  static func told(_ ranges: [Range<Int>]) -> String {
    ranges.isEmpty ? "none" : ranges.prefix(20).map { "\($0.lowerBound)+\($0.count)" }.joined(separator: " ")
  }
}
