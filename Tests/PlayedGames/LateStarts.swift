// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Wire

/// What a daemon whose clock runs did later than it told, by its own records: which start was mixed how many frames too late, and
/// where each track ended. Nothing else may be late.
struct LateStarts {
  /// A voice that was to begin at `frame`, and began so many later.
  struct Start {
    var frame: Int64
    var later: Int64
    var isTrack: Bool
  }

  private(set) var starts: [Start] = []
  /// The frames at which tracks were over.
  private(set) var trackEnds: [Int64] = []
  private var voices: [Int64: (frame: Int64, isTrack: Bool)] = [:]
  private var next: Int64 = 0

  /// Reads what was recorded since it was read last; throws where the daemon had no room for something, or keeps it no longer.
  mutating func read(by observer: StarlightConnection) throws {
    var end = Int64.max
    while next < end {
      let page = try observer.call(TraceRead.self, TraceRead.Params(from: next))
      guard page.lost == 0, page.end - next <= Self.mostKept else {
        throw ProcessFailure("of \(page.end) records the daemon keeps too few to be judged by them")
      }
      end = min(end, page.end)
      for record in page.records { take(record) }
      next = page.next
    }
  }

  private mutating func take(_ record: TraceEntry) {
    guard let id = record.id, let frame = record.frame else { return }
    switch record.what {
    case .start: voices[id] = (frame, record.kind == .music)
    case .moved:
      guard let voice = voices[id] else { return }
      starts.append(Start(frame: voice.frame, later: frame - voice.frame, isTrack: voice.isTrack))
    case .ended: if voices[id]?.isTrack == true { trackEnds.append(frame) }
    default: break
    }
  }

  /// How much later than told one begins that was told for `frame`, which is known to so many frames; takes it, so that each
  /// excuses one.
  mutating func take(near frame: Int, within unsure: Int, isTrack: Bool) -> Int {
    let index = starts.firstIndex { $0.isTrack == isTrack && abs(Int($0.frame) - frame) <= unsure }
    return index.map { Int(starts.remove(at: $0).later) } ?? 0
  }

  /// How much later than at `frame` a track was cut there: its voice is over when it has come down, which takes `ramp` frames.
  func cut(at frame: Int, within unsure: Int, ramp: Int) -> Int {
    let ends = trackEnds.map { Int($0) - ramp - frame }.filter { (unsure...Self.mostLate).contains($0) }
    return ends.min() ?? 0
  }

  /// What ended later than that ended for another reason.
  private static let mostLate = 4_096
  /// What a daemon keeps of them.
  private static let mostKept: Int64 = 65_536
}
