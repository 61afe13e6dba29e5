// SPDX-License-Identifier: Apache-2.0

// Which voices count for the ducking rules that they carry: those that are heard; and what the rules make of the buses.
extension Mixer {
  /// Counts a voice from `mixFrame` on, if it is heard.
  @_noLocks func beginDucking(_ slot: Int) {
    let voice = bank.voices + slot
    let place = Int(voice.pointee.duckingPlace)
    if place < 0 || voice.pointee.isDucking || voice.pointee.stands(at: mixFrame) { return }
    if buses[voice.pointee.bus.index].isMuted { return }
    voice.pointee.isDucking = true
    ducking.begin(place, at: mixFrame)
  }

  /// Counts a voice up to `frame`.
  @_noLocks func endDucking(_ slot: Int, at frame: Int64) {
    let voice = bank.voices + slot
    if !voice.pointee.isDucking { return }
    voice.pointee.isDucking = false
    ducking.end(Int(voice.pointee.duckingPlace), at: frame)
  }

  /// Ends a voice: `frame` is the one after its last.
  @_noLocks func finish(_ slot: Int, at frame: Int64, _ reason: FinishReason) {
    endDucking(slot, at: frame)
    let place = Int(bank.voices[slot].duckingPlace)
    if place >= 0 { ducking.giveBack(place) }
    bank.finish(slot, at: frame, reason)
  }

  /// Gives a bus the gain that the rules make of it at `frame`, and answers for how many frames, `limit` at most.
  @_noLocks func duck(_ index: Int, at frame: Int64, limit: Int) -> Int {
    let bus = buses + index
    if !ducking.act(on: index) {
      // Nobody looked after it while it was silent.
      if bus.pointee.path.dip.to != 1 { bus.pointee.setDip(Ramp(steady: 1)) }
      return limit
    }
    let lowest = ducking.lowest(on: index, at: frame, limit: limit)
    bus.pointee.setDip(lowest.gain)
    return lowest.frames
  }

  /// Counts the voices of a bus that has been turned up, or those of one that has come down to nothing no more.
  @_noLocks func recountDucking(on bus: Int) {
    var slot = bank.sounding.next(from: 0)
    while slot >= 0 {
      if bank.voices[slot].bus.index == bus {
        if buses[bus].isMuted { endDucking(slot, at: mixFrame) } else { beginDucking(slot) }
      }
      slot = bank.sounding.next(from: slot + 1)
    }
  }
}
