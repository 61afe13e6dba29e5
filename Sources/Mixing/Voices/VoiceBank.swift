// SPDX-License-Identifier: Apache-2.0

/// The slots voices live in: music first, then effects, each with its reserve.
struct VoiceBank {
  let voices: UnsafeMutablePointer<Voice>
  let slotCount: Int
  /// Slots that are to be rendered.
  let sounding: SlotSet
  /// Slots that are not free: sounding, or over with the control side not told yet.
  let occupied: SlotSet
  /// Sounding slots whose source is a ring.
  let streaming: SlotSet
  /// Slots with events to tell.
  let owing: SlotSet

  /// How many owners are told apart.
  private static let owners = Int(UInt8.max) + 1
  /// How many voices of a pool each owner has: only for as long as a slot is looked for.
  private let counts: UnsafeMutablePointer<Int32>
  private let musicSlots: Int
  private let musicVoices: Int
  private let effectVoices: Int
  private var nextOrder: UInt64 = 0

  init(_ configuration: MixerConfiguration) {
    musicVoices = configuration.musicVoices
    effectVoices = configuration.effectVoices
    musicSlots = musicVoices + configuration.musicReserve
    slotCount = musicSlots + effectVoices + configuration.effectReserve
    sounding = SlotSet(capacity: slotCount)
    occupied = SlotSet(capacity: slotCount)
    owing = SlotSet(capacity: slotCount)
    streaming = SlotSet(capacity: slotCount)
    counts = .allocate(capacity: Self.owners)
    counts.initialize(repeating: 0, count: Self.owners)
    voices = .allocate(capacity: slotCount)
    // Trivial memory: touched here so that the audio thread does not fault it in, and written before it is read.
    UnsafeMutableRawPointer(voices).initializeMemory(
      as: UInt8.self, repeating: 0, count: slotCount * MemoryLayout<Voice>.stride)
  }

  func deallocate() {
    voices.deallocate()
    counts.deallocate()
    sounding.deallocate()
    occupied.deallocate()
    owing.deallocate()
    streaming.deallocate()
  }

  /// The slot of a voice that has begun and is not over, or -1.
  @_noLocks func slot(of id: VoiceID) -> Int {
    var slot = sounding.next(from: 0)
    while slot >= 0 {
      if voices[slot].id == id { return slot }
      slot = sounding.next(from: slot + 1)
    }
    return -1
  }

  /// A slot for a new voice on `bus` that begins at `frame`, or -1. Where all voices of its pool sound, one of whoever has
  /// most of them, the new one counted, is sent off with `fade`: the quietest of them, and of equals the oldest.
  @_noLocks mutating func takeSlot(for bus: Bus, of owner: UInt8, at frame: Int64, fade: Fade) -> Int {
    let isMusic = bus.index == Bus.music.index
    let first = isMusic ? 0 : musicSlots
    let end = isMusic ? musicSlots : slotCount
    let limit = isMusic ? musicVoices : effectVoices
    var free = -1
    var count = 0
    counts.update(repeating: 0, count: Self.owners)
    counts[Int(owner)] = 1
    for slot in first..<end {
      if !occupied.contains(slot) {
        if free < 0 { free = slot }
        continue
      }
      if !sounding.contains(slot) || voices[slot].isStolen { continue }
      count &+= 1
      counts[Int(voices[slot].owner)] &+= 1
    }
    if free >= 0, count >= limit { sendOffOne(first..<end, at: frame, fade: fade) }
    return free
  }

  @_noLocks private func sendOffOne(_ slots: Range<Int>, at frame: Int64, fade: Fade) {
    var victim = -1
    var victimCount: Int32 = 0
    var victimLoudness: Float = 0
    for slot in slots {
      if !occupied.contains(slot) || !sounding.contains(slot) || voices[slot].isStolen { continue }
      let count = counts[Int(voices[slot].owner)]
      if victim >= 0 && count < victimCount { continue }
      let loudness = voices[slot].loudness(at: frame)
      let isFirst = victim < 0 || count > victimCount || loudness < victimLoudness
      if isFirst || (loudness == victimLoudness && voices[slot].order < voices[victim].order) {
        victim = slot
        victimCount = count
        victimLoudness = loudness
      }
    }
    if victim >= 0 { voices[victim].stop(at: frame, fade: fade, reason: .stolen) }
  }

  /// Puts a voice into a free slot.
  @_noLocks mutating func begin(_ start: VoiceStart<VoiceSource>, in slot: Int, at frame: Int64, fadeIn: Fade) {
    voices[slot] = Voice(start, order: nextOrder, frame: frame, fadeIn: fadeIn)
    nextOrder &+= 1
    sounding.insert(slot)
    occupied.insert(slot)
    if case .stream = start.source { streaming.insert(slot) }
    owing.insert(slot)
  }

  /// Ends a voice: `frame` is the one after its last.
  @_noLocks func finish(_ slot: Int, at frame: Int64, _ reason: FinishReason) {
    voices[slot].isOver = true
    voices[slot].owed.finished = true
    voices[slot].finishedAt = frame
    voices[slot].reason = reason
    sounding.remove(slot)
    streaming.remove(slot)
    owing.insert(slot)
  }
}
