// SPDX-License-Identifier: Apache-2.0

import RealTime
import Synchronization

/// The notes of a mixer on their way to control, which must come by before some thousands wait. In an allocation of its own.
struct MixerNotes: ~Copyable {
  let ring = SPSCRing<MixerNote>(capacity: 1 << 14, zero: .fadedIn)
  /// Notes that found no room.
  let lost = Atomic<Int>(0)
  /// For a mixer that does again what another did: what voices saw of their streams, in order.
  let sights = SPSCRing<MixerNote>(capacity: 1 << 14, zero: .fadedIn)

  private let rate: Int64
  /// Calls that are alike, and not told yet.
  private var alike: (frames: Int64, times: Int64) = (0, 0)
  /// Of the second of the output that goes on.
  private var heard: UInt64 = 0
  private var second: Int64 = 0
  private var secondEnds: Int64
  private var nextSight = MixerNote.fadedIn

  init(rate: Int) {
    self.rate = Int64(rate)
    secondEnds = Int64(rate)
  }

  /// Notes a call that rendered and took nothing.
  @_noLocks mutating func noteCall(frames: Int64) {
    if alike.frames != frames { tellAlike() }
    alike.frames = frames
    alike.times &+= 1
  }

  /// Notes anything else, in its place among the calls.
  @_noLocks mutating func note(_ note: MixerNote) {
    tellAlike()
    push(note)
  }

  @_noLocks private mutating func tellAlike() {
    if alike.times > 0 { push(.rendered(frames: alike.frames, times: alike.times)) }
    alike.times = 0
  }

  @_noLocks private func push(_ note: MixerNote) {
    if !ring.push(note) { lost.add(1, ordering: .relaxed) }
  }

  /// Adds what was put out from output frame `first` on to what the seconds come to. Silence adds nothing, so that it makes no
  /// difference whether it was rendered.
  @_noLocks mutating func hear(_ samples: UnsafePointer<Float>, from first: Int64, count: Int) {
    for index in 0..<count {
      let frame = first &+ Int64(index)
      if frame >= secondEnds { pass(to: frame) }
      let left = UInt64(samples[2 &* index].bitPattern)
      let both = left << 32 | UInt64(samples[2 &* index &+ 1].bitPattern)
      if both & 0x7FFF_FFFF_7FFF_FFFF == 0 { continue }
      let mixed = (both ^ UInt64(bitPattern: frame) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
      heard = heard &+ (mixed ^ mixed >> 32)
    }
  }

  /// Output frames up to there have passed.
  @_noLocks mutating func pass(to frame: Int64) {
    if frame < secondEnds { return }
    tellSecond()
    second = frame / rate
    secondEnds = (second &+ 1) &* rate
  }

  /// Tells what was not told yet: at the end, and each second.
  @_noLocks mutating func tellSecond() {
    tellAlike()
    if heard != 0 { push(.heard(second: second, heard)) }
    heard = 0
  }

  /// What that voice saw before that frame, where it was noted; else what it sees now.
  @_noLocks mutating func sight(of voice: VoiceID, at frame: Int64, _ now: StreamSight) -> StreamSight {
    if case .fadedIn = nextSight, !sights.pop(into: &nextSight) { return now }
    guard case .saw(let noted, let at, let end, let isComplete) = nextSight, noted == voice, at == frame else {
      return now
    }
    nextSight = .fadedIn
    return StreamSight(end: end, isComplete: isComplete)
  }
}
