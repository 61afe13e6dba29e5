// SPDX-License-Identifier: Apache-2.0

import Timing

/// A pattern compiled for playing: a pure function from time to level.
///
/// Sampling allocates nothing and takes time in proportion to the continuous events that sound at the instant asked for,
/// plus the logarithm of all. How events combine is `HapticBlend`'s law, how a continuous one rises and falls `HapticEnvelope`'s.
/// A transient sounds at its full intensity for 20 ms, so that it can be sampled: `transientBody`.
///
/// Nothing of it changes, so it is shared: players are copied by the dozen each millisecond, and as a struct it would be a dozen
/// counts of references each time.
public final class HapticPattern: Sendable {
  /// How long a transient sounds. About what a linear actuator takes to speak and stop.
  public static let transientBody = Interval(nanoseconds: transientBodyNanoseconds)
  /// How far apart a moving level is sampled unless told otherwise.
  public static let rampStep = Interval.milliseconds(10)

  /// From the pattern's start to the end of its last event, release included; for a transient the end of its EventDuration
  /// counts, where it has one. A sound that is played to the end of its file counts where that is known: see
  /// `knowing(fileLengths:)`.
  public let duration: Interval
  /// All events: haptic and audio.
  public let eventCount: Int
  /// What is to be heard, in order of time.
  public let audioEvents: [HapticAudioEvent]
  /// The taps in order of time, to be drawn as spikes.
  public let transients: [HapticTransient]

  let strongestTaps: StrongestTaps
  /// Over the intensities of `strongestTaps`.
  let tapTree: MaximumTree
  let continuous: [HapticContinuous]
  /// Over the intensities of `continuous`.
  let continuousTree: MaximumTree
  /// For each midpoint of the search in `continuous` the latest end in its half: see `addContinuous`.
  let latestEnds: [Int64]
  let intensity: ControlTrack
  let sharpness: ControlTrack
  /// The time before which the pattern does not end, whatever is felt and heard.
  private let padding: Interval
  /// Where the level may step or bend: in order, none twice, none before 0 or after `duration`.
  let edges: [Int64]
  /// Those of `edges` at which a level that stands still may step or begin to move: without those of taps below stronger ones.
  let feltEdges: [Int64]
  /// How much of a look at what plays is for it: 1, and 1 more for every 8 continuous events that sound at once where most do.
  let weight: Int

  init(
    transients: [HapticTransient], continuous: [HapticContinuous], audioEvents: [HapticAudioEvent],
    intensity: ControlTrack, sharpness: ControlTrack, lastingUntil padding: Interval = .zero
  ) {
    self.padding = padding
    self.transients = transients.sorted { $0.time < $1.time }
    self.continuous = continuous.sorted { $0.start < $1.start }
    self.audioEvents = audioEvents.sorted { $0.time < $1.time }
    self.intensity = intensity
    self.sharpness = sharpness
    strongestTaps = StrongestTaps(self.transients)
    tapTree = MaximumTree(strongestTaps.pieces.map(\.intensity))
    latestEnds = latestEndTree(self.continuous)
    continuousTree = MaximumTree(self.continuous.map(\.intensity))
    weight = 1 + mostAtOnce(self.continuous) / 8
    eventCount = transients.count + continuous.count + audioEvents.count

    let body = transientBodyNanoseconds
    var end = padding.nanoseconds
    for event in transients { end = max(end, event.time.nanoseconds + body) }
    for event in continuous { end = max(end, event.end) }
    for event in audioEvents { end = max(end, (event.time + (event.knownLength ?? .zero)).nanoseconds) }
    duration = Interval(nanoseconds: end)

    var edges: [Int64] = []
    edges.reserveCapacity(transients.count * 2 + continuous.count * 4)
    for event in continuous { edges += event.envelope.corners.map { event.start + $0 } }
    edges += intensity.pieces.map(\.start) + sharpness.pieces.map(\.start)
    feltEdges = sortedOnce(edges + strongestTaps.pieces.map(\.start), within: 0...end)
    for event in transients { edges += [event.time.nanoseconds, event.time.nanoseconds + body] }
    self.edges = sortedOnce(edges, within: 0...end)
  }

  /// What is felt of it without its taps.
  package var withoutTaps: HapticPattern {
    HapticPattern(
      transients: [], continuous: continuous, audioEvents: [], intensity: intensity, sharpness: sharpness)
  }

  /// The same pattern, which lasts until its sound files, of these lengths by their paths, have been heard.
  public func knowing(fileLengths: [String: Interval]) -> HapticPattern {
    if fileLengths.isEmpty { return self }
    var sounds = audioEvents
    for index in sounds.indices {
      if case .waveform(let path, _) = sounds[index].source { sounds[index].fileLength = fileLengths[path] }
    }
    return HapticPattern(
      transients: transients, continuous: continuous, audioEvents: sounds, intensity: intensity, sharpness: sharpness,
      lastingUntil: padding)
  }
}

/// How many of `events`, in order of their starts, sound at once where most do.
private func mostAtOnce(_ events: [HapticContinuous]) -> Int {
  let ends = events.map(\.end).sorted()
  var (most, ended) = (0, 0)
  for (index, event) in events.enumerated() {
    while ended <= index, ends[ended] <= event.start { ended += 1 }
    most = max(most, index + 1 - ended)
  }
  return most
}

/// `times` in order, none twice, only those in `range`.
private func sortedOnce(_ times: [Int64], within range: ClosedRange<Int64>) -> [Int64] {
  var distinct: [Int64] = []
  distinct.reserveCapacity(times.count)
  for time in times.sorted() where range.contains(time) && time != distinct.last { distinct.append(time) }
  return distinct
}

/// `HapticPattern.transientBody`, where neither allocation nor a lazy global is allowed.
var transientBodyNanoseconds: Int64 { @_noAllocation get { 20_000_000 } }

/// A tap of a compiled pattern.
public struct HapticTransient: Hashable, Sendable, BitwiseCopyable {
  /// From the pattern's start.
  public let time: Interval
  /// 0...1, before controls.
  public let intensity: Double
  /// 0...1, before controls.
  public let sharpness: Double
}

/// A continuous event of a compiled pattern.
struct HapticContinuous: Sendable, BitwiseCopyable {
  /// Nanoseconds from the pattern's start.
  let start: Int64
  let envelope: HapticEnvelope
  let intensity: Double
  let sharpness: Double

  var end: Int64 { @_noAllocation get { start + envelope.end } }
}

/// `events` (in order of start) seen as a balanced search tree: each midpoint holds the latest end below it.
private func latestEndTree(_ events: [HapticContinuous]) -> [Int64] {
  var tree = [Int64](repeating: .min, count: events.count)
  @discardableResult func fill(_ low: Int, _ high: Int) -> Int64 {
    if low >= high { return .min }
    let middle = (low + high) / 2
    tree[middle] = max(events[middle].end, fill(low, middle), fill(middle + 1, high))
    return tree[middle]
  }
  fill(0, events.count)
  return tree
}
