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

  private var counts: OwnerCounts
  /// Of each user, what its owners have beyond what is theirs: slots beyond `slotsOfAnOwner` of each, and voices that sound
  /// beyond one.
  private var users: OwnerCounts
  private let musicSlots: Int
  private let musicVoices: Int
  private let effectVoices: Int
  private let slotsOfAnOwner: Int
  /// Slots of effects that owners share, beyond what each has to itself.
  private let sharedSlots: Int
  private var nextOrder: UInt64 = 0
  /// How many slots were looked at to find some.
  private(set) var looks = 0

  init(_ configuration: MixerConfiguration) {
    musicVoices = configuration.musicVoices
    effectVoices = configuration.effectVoices
    musicSlots = musicVoices + configuration.musicReserve
    slotCount = musicSlots + effectVoices + configuration.effectReserve
    sounding = SlotSet(capacity: slotCount)
    occupied = SlotSet(capacity: slotCount)
    owing = SlotSet(capacity: slotCount)
    streaming = SlotSet(capacity: slotCount)
    slotsOfAnOwner = configuration.slotsOfAnOwner
    sharedSlots = max(0, slotCount - musicSlots - configuration.owners * slotsOfAnOwner)
    counts = OwnerCounts(owners: slotCount + 1)
    users = OwnerCounts(owners: slotCount + 1)
    voices = .allocate(capacity: slotCount)
    // Trivial memory: touched here so that the audio thread does not fault it in, and written before it is read.
    UnsafeMutableRawPointer(voices).initializeMemory(
      as: UInt8.self, repeating: 0, count: slotCount * MemoryLayout<Voice>.stride)
  }

  func deallocate() {
    voices.deallocate()
    counts.deallocate()
    users.deallocate()
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

  /// A slot for a new voice that begins at `frame`, or -1. Where all voices of its pool sound, one is sent off with `fade`, the
  /// new one counted: of the user whose clients have most beyond one each, of the client of that user that has most, the
  /// quietest, and of equals the oldest. So nobody's only voice goes while anybody has two, nor while one of somebody who has gone
  /// sounds: that counts as if there were one more.
  ///
  /// What was sent off keeps its slot until it has faded out, so an owner that begins voices faster than they fade would
  /// take the slots of all. Each has the first `slotsOfAnOwner` to itself. Of those that are shared its user occupies no more than twice
  /// as many as it leaves free, and then it is the one that gets none.
  @_noLocks mutating func takeSlot(for start: VoiceStart<VoiceSource>, at frame: Int64, fade: Fade) -> Int {
    let isMusic = start.bus.index == Bus.music.index
    let first = isMusic ? 0 : musicSlots
    let end = isMusic ? musicSlots : slotCount
    let limit = isMusic ? musicVoices : effectVoices
    var free = -1
    var count = 0
    var shared = 0
    counts.clear()
    users.clear()
    shared &+= add(start.owner, of: start.user, isSounding: true)
    for slot in first..<end {
      if !occupied.contains(slot) {
        if free < 0 { free = slot }
        continue
      }
      let isSounding = sounding.contains(slot) && !voices[slot].isStolen
      shared &+= add(voices[slot].owner, of: voices[slot].user, isSounding: isSounding)
      if isSounding { count &+= 1 }
    }
    if start.owner != VoiceOwner.daemon && counts.slots(of: start.owner) > slotsOfAnOwner
      && users.slots(of: UInt64(start.user)) > 2 * (sharedSlots - shared)
    {
      return -1
    }
    looks &+= end - first
    if free >= 0, count >= limit {
      looks &+= end - first
      sendOffOne(first..<end, for: start.owner, at: frame, fade: fade)
    }
    return free
  }

  /// Counts a slot of an owner; 1 where it is one of those that are shared.
  @_noLocks private func add(_ owner: UInt64, of user: UInt32, isSounding: Bool) -> Int {
    let has = counts.add(owner, slots: 1, sounding: isSounding ? 1 : 0)
    let isShared = owner != VoiceOwner.daemon && Int(has.slots) > slotsOfAnOwner
    let isMore = isSounding && owner != VoiceOwner.daemon && (has.sounding > 1 || VoiceOwner.isGone(owner))
    users.add(UInt64(user), slots: isShared ? 1 : 0, sounding: isMore ? 1 : 0)
    return isShared ? 1 : 0
  }

  @_noLocks private func sendOffOne(_ slots: Range<Int>, for owner: UInt64, at frame: Int64, fade: Fade) {
    var victim = -1
    var victimOfUser: Int32 = 0
    var victimCount: Int32 = 0
    var victimLoudness: Float = 0
    for slot in slots {
      if !occupied.contains(slot) || !sounding.contains(slot) || voices[slot].isStolen { continue }
      let isProtected = voices[slot].owner == VoiceOwner.daemon && owner != VoiceOwner.daemon
      let count = isProtected ? 0 : sounding(of: voices[slot].owner)
      // Whose only voice it is has none to give, whatever its user's others have.
      let ofUser = count > 1 ? users.sounding(of: UInt64(voices[slot].user)) : 0
      if victim >= 0 && (ofUser < victimOfUser || ofUser == victimOfUser && count < victimCount) { continue }
      let loudness = voices[slot].loudness(at: frame)
      let isFirst = victim < 0 || ofUser > victimOfUser || count > victimCount || loudness < victimLoudness
      if isFirst || (loudness == victimLoudness && voices[slot].order < voices[victim].order) {
        victim = slot
        victimOfUser = ofUser
        victimCount = count
        victimLoudness = loudness
      }
    }
    if victim >= 0 { voices[victim].giveUp(at: frame, fade: fade) }
  }

  @_noLocks private func sounding(of owner: UInt64) -> Int32 {
    counts.sounding(of: owner) &+ (VoiceOwner.isGone(owner) ? 1 : 0)
  }

  /// The voices of an owner are of those who have gone.
  @_noLocks func leave(_ owner: UInt64) {
    for slot in musicSlots..<slotCount where occupied.contains(slot) && voices[slot].owner == owner {
      voices[slot].owner = VoiceOwner.gone(of: voices[slot].user)
    }
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
