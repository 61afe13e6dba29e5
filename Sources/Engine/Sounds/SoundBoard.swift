// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

/// The sounds that were started and are not over: which, whose, and since when.
struct SoundBoard {
  /// A sound that is planned or plays.
  struct Entry {
    var sound: AssetKey
    /// The reading of its pack that it is of.
    var pack: PackGeneration?
    var cause: Cause
    /// When it begins.
    var at: Instant
    /// The gain that its pack gives it.
    var ownGain: Double
    /// Whether it repeats until it is stopped.
    var loops: Bool
    /// The cue that it is part of.
    var cue: PlanID?
    /// How long after its client has gone it may go on, where it loops or has not begun.
    var keepAfterDisconnect: Interval
    /// How often the mixer was told to take its start back and has not said that it did.
    fileprivate(set) var takenBack = 0
    /// The frames from the beginning to the end of its fade-out; where the mixer was told several stops, of the one that ends
    /// first.
    fileprivate(set) var fadesOut: ClosedRange<Int64>?
    /// For when that stop was asked.
    fileprivate(set) var fadesFrom: Instant?
    /// Whether it is never to begin, though the mixer may not have been told in time.
    fileprivate(set) var isCalledOff = false
    /// Whether the mixer has said that it began.
    fileprivate(set) var hasBegun = false
    /// Whether the switch ended it.
    fileprivate(set) var isSwitchedOff = false
    /// Whether it ends because the reading that it is of is let go of.
    fileprivate(set) var isOutdated = false
    /// Whether its client has gone.
    fileprivate(set) var hasLeft = false
    /// When it is to begin to fade for that, where nothing else ends it before.
    fileprivate(set) var leavesAt: Instant?
  }

  /// What a stop that a client asks for is of, nil for all, and how it fades.
  struct StopTarget: Hashable {
    var voice: VoiceID?
    var fadeFrames: Int32
  }

  /// A stop of many sounds that the mixer has been told of: it holds for what is begun before it later on, too.
  struct StopOfMany {
    /// The sound that it is of; nil for all.
    var sound: AssetKey?
    var at: Instant
    var frame: Int64
    var fade: Fade
  }

  private var entries: [VoiceID: Entry] = [:]
  private var counts: [ClientID: Int] = [:]
  private(set) var stopsOfMany: [StopOfMany] = []
  /// The frame before which no stop of many is kept.
  private var stopsKeptFrom = Int64.min
  var waitingStops = WaitingStops<StopTarget>()
  /// By what numbers the mixer knows sounds apart, from 1: of all that are here or are being stopped, and of some that were.
  private var numbers: [AssetKey: UInt32] = [:]
  private var lastNumber: UInt32 = 0
  /// How many may gather before those that nobody needs are looked for.
  private var roomForNumbers = 64
  /// What the switch keeps from the mixer.
  var held = HeldSounds()

  /// Every voice that may still sound.
  var voices: [VoiceID] { entries.keys.sorted { $0.rawValue < $1.rawValue } }

  /// The voices that begin at `instant` or later: that one, or for nil all.
  func voices(from instant: Instant, of voice: VoiceID?) -> Set<VoiceID> {
    if let voice { return entries[voice].map { $0.at >= instant } ?? false ? [voice] : [] }
    return Set(entries.lazy.filter { $0.value.at >= instant }.map(\.key))
  }

  /// How many sounds of a client are planned or playing.
  func count(of client: ClientID) -> Int { counts[client] ?? 0 }

  /// The voices of a client.
  func voices(of client: ClientID) -> [VoiceID] { voices.filter { entries[$0]?.cause.client == client } }

  /// The voices of a cue.
  func voices(of cue: PlanID) -> [VoiceID] {
    entries.filter { $0.value.cue == cue }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The voices of a reading of a pack that are not called off.
  func voices(ofGeneration number: Int) -> [VoiceID] {
    voices.filter { entries[$0].map { $0.pack?.number == number && !$0.isCalledOff } ?? false }
  }

  /// Of what readings of packs these sounds are, and who asked for them.
  func forEachPack(_ body: (PackGeneration, Cause) -> Void) {
    for entry in entries.values where !entry.isCalledOff { if let pack = entry.pack { body(pack, entry.cause) } }
  }

  /// The cues of which a sound repeats that fades because its client has gone, and for nothing that came before.
  var cuesOfCutLoops: Set<PlanID> { Set(entries.values.lazy.filter(\.isCutByLeaving).compactMap(\.cue)) }

  subscript(voice: VoiceID) -> Entry? { entries[voice] }

  mutating func add(_ voice: VoiceID, _ entry: Entry) {
    entries[voice] = entry
    counts[entry.cause.client, default: 0] += 1
  }

  /// Forgets a voice; tells what it was.
  mutating func remove(_ voice: VoiceID) -> Entry? {
    guard let entry = entries.removeValue(forKey: voice) else { return nil }
    if let place = counts.index(forKey: entry.cause.client) {
      counts.values[place] -= 1
      if counts.values[place] == 0 { counts.remove(at: place) }
    }
    return entry
  }

  /// Notes that the mixer is told to take a start back: it will say so, and the sound may begin all the same.
  mutating func noteTakenBack(_ voice: VoiceID) { entries[voice]?.takenBack += 1 }

  /// Whether the mixer says no more than that it took a start back, as it was told.
  mutating func isTakenBack(_ voice: VoiceID) -> Bool {
    guard let entry = entries[voice], entry.takenBack > 0 else { return false }
    entries[voice]?.takenBack -= 1
    return true
  }

  /// Notes that the mixer is told to fade a sound out from a frame on, as was asked for `instant`.
  mutating func noteStopped(_ voice: VoiceID, at frame: Int64, _ instant: Instant, _ fade: Fade) {
    let end = frame + Int64(fade.frames)
    if let known = entries[voice]?.fadesOut, known.upperBound <= end { return }
    entries[voice]?.fadesOut = frame...end
    entries[voice]?.fadesFrom = instant
  }

  /// Whether a sound is on its way out already at `frame`, no later than by a fade from there.
  func ends(_ voice: VoiceID, at frame: Int64, noLaterThanBy fade: Fade) -> Bool {
    guard let fadesOut = entries[voice]?.fadesOut else { return false }
    return fadesOut.lowerBound <= frame && fadesOut.upperBound <= frame + Int64(fade.frames)
  }

  /// Notes that the mixer has begun a sound.
  mutating func noteBegun(_ voice: VoiceID) { entries[voice]?.hasBegun = true }

  /// Notes that the client of sounds has gone.
  mutating func noteLeft(_ voices: [VoiceID]) {
    for voice in voices { entries[voice]?.hasLeft = true }
  }

  /// Notes from when on a sound fades because its client has gone.
  mutating func noteLeaving(_ voice: VoiceID, at instant: Instant) { entries[voice]?.leavesAt = instant }

  /// Notes that a sound is never to begin.
  mutating func noteCalledOff(_ voice: VoiceID) { entries[voice]?.isCalledOff = true }

  /// Notes that the switch ends a sound.
  mutating func noteSwitchedOff(_ voice: VoiceID) { entries[voice]?.isSwitchedOff = true }

  /// Notes that a sound ends with the reading that it is of.
  mutating func noteOutdated(_ voice: VoiceID) { entries[voice]?.isOutdated = true }

  /// How many sounds have a number.
  var numberCount: Int { numbers.count }

  /// The number of a sound in the mixer.
  mutating func number(of sound: AssetKey) -> UInt32 {
    if let number = numbers[sound] { return number }
    if numbers.count >= roomForNumbers { forgetNumbers() }
    // Each once, but for what was given four thousand million sounds ago.
    lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    numbers[sound] = lastNumber
    return lastNumber
  }

  private mutating func forgetNumbers() {
    let needed = Set(entries.values.lazy.map(\.sound)).union(stopsOfMany.compactMap(\.sound))
    numbers = numbers.filter { needed.contains($0.key) }
    roomForNumbers = max(64, 2 * numbers.count)
  }

  /// Notes a stop of many sounds; those before `reachable` are past.
  mutating func note(_ stop: StopOfMany, reachable: Int64) {
    // Once for each frame that is reached: as many as there may be come at once.
    if reachable > stopsKeptFrom {
      stopsOfMany.removeAll { $0.frame < reachable }
      stopsKeptFrom = reachable
    }
    stopsOfMany.append(stop)
  }

  /// A stop that was planned, if it is one, waits no more.
  mutating func forgetWaitingStop(_ planned: PlannedSound, at instant: Instant) {
    guard planned.cue == nil, case .stop(let stopped, let fade) = planned.action else { return }
    let voice: VoiceID? = if case .voice(let voice) = stopped { voice } else { nil }
    waitingStops.forget(
      StopTarget(voice: voice, fadeFrames: fade.frames), at: instant, by: planned.cause.client)
  }
}

extension SoundBoard.Entry {
  /// Whether it repeats, and is to fade because its client has gone before any other fade of it begins.
  fileprivate var isCutByLeaving: Bool {
    guard loops, let leavesAt else { return false }
    // Not by frames: those of an instant are others by then, as the device drifts.
    return fadesFrom.map { $0 >= leavesAt } ?? true
  }
}
