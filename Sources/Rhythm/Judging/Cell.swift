// SPDX-License-Identifier: Apache-2.0

/// The instants of a lane that belong to one beat: microseconds of the run, inclusive at both ends.
public struct Cell: Hashable, Sendable {
  /// The first instant.
  public var start: Int64
  /// The last instant.
  public var end: Int64

  /// Whether `instant` belongs to the beat.
  public func contains(_ instant: Int64) -> Bool { start <= instant && instant <= end }
}

/// Where the cells of a map lie.
///
/// A cell is its beat's window clipped at the midpoints to the beat's neighbours in the lane, so the cells of a lane
/// never meet and every instant belongs to at most one beat. Widening moves only edges that no neighbour limits.
struct CellLayout: Sendable {
  /// As they are to be tapped.
  let beats: [Beat]
  /// For each lane, its beats' indices in order of time. A map without lanes has one.
  let lanes: [[Int]]
  /// For each beat, its place in its lane.
  private let places: [Int]
  private let window: Int64
  private let wideWindow: Int64

  init(beats: [Beat], laneCount: Int, rules: RhythmRules) {
    self.beats = beats
    var lanes = [[Int]](repeating: [], count: max(1, laneCount))
    var places: [Int] = []
    for (index, beat) in beats.enumerated() {
      places.append(lanes[beat.lane ?? 0].count)
      lanes[beat.lane ?? 0].append(index)
    }
    self.lanes = lanes
    self.places = places
    window = rules.window
    wideWindow = rules.assist?.window ?? rules.window
  }

  /// The cell of a beat, given the instant from which there is help (nil: none yet).
  ///
  /// Only a beat whose plain window opens after that instant is widened, and it opens no earlier than it: what lies
  /// before the help began is judged as it was.
  func cell(of beat: Int, assistedFrom: Int64?) -> Cell {
    let at = beats[beat].at
    var cell = Cell(start: at - window, end: at + window)
    if let assistedFrom, cell.start > assistedFrom {
      cell = Cell(start: max(at - wideWindow, assistedFrom), end: at + wideWindow)
    }
    let lane = lanes[beats[beat].lane ?? 0]
    let place = places[beat]
    if place > 0 { cell.start = max(cell.start, midpoint(beats[lane[place - 1]].at, at) + 1) }
    if place + 1 < lane.count { cell.end = min(cell.end, midpoint(at, beats[lane[place + 1]].at)) }
    return cell
  }

  /// The beat of that lane whose cell holds `instant`.
  func owner(of instant: Int64, lane: Int, assistedFrom: Int64?) -> Int? {
    let candidates = lanes[lane]
    // The first beat whose half of the lane reaches to `instant` or beyond.
    var low = 0
    var high = candidates.count
    while low < high {
      let middle = (low + high) / 2
      let beat = candidates[middle]
      let reaches =
        middle + 1 == candidates.count || midpoint(beats[beat].at, beats[candidates[middle + 1]].at) >= instant
      if reaches { high = middle } else { low = middle + 1 }
    }
    guard low < candidates.count else { return nil }
    return cell(of: candidates[low], assistedFrom: assistedFrom).contains(instant) ? candidates[low] : nil
  }

  /// The end of the cell that ends last.
  func lastEnd(assistedFrom: Int64?) -> Int64 {
    lanes.compactMap { $0.last.map { cell(of: $0, assistedFrom: assistedFrom).end } }.max() ?? 0
  }

  /// The last instant that is not nearer to the later beat: the midpoint itself belongs to the earlier.
  private func midpoint(_ earlier: Int64, _ later: Int64) -> Int64 { earlier + (later - earlier) / 2 }
}
