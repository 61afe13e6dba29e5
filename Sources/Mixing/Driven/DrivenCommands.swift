// SPDX-License-Identifier: Apache-2.0

// What is driven from outside, on its way to buses and voices.
extension Mixer {
  /// Drives a target from `mixFrame` on.
  @_noLocks mutating func drive(_ target: DrivenTarget, to value: Float, _ fade: Fade) {
    switch target {
    case .familyGain(let number):
      guard number >= 0 && number < familyCount else { return }
      let family = families + Int(number)
      let now = family.pointee.gain.value(at: mixFrame)
      family.pointee.gain = Ramp(from: now, to: Voice.sane(value), start: mixFrame, fade: fade)
    case .familyPitch(let number):
      guard number >= 0 && number < familyCount else { return }
      families[Int(number)].pitch = value
      var slot = bank.sounding.next(from: 0)
      while slot >= 0 {
        if bank.voices[slot].family == number { setStep(slot) }
        slot = bank.sounding.next(from: slot + 1)
      }
    case .busGain(let bus):
      (buses + bus.index).pointee.drive(to: Voice.sane(value), at: mixFrame, fade: fade)
    case .lowPass(let bus):
      (buses + bus.index).pointee.lowPass.drive(to: value, at: mixFrame, fade: fade)
      isDulling = true
    }
  }

  /// Dulls the buses whose low-pass is not open.
  @_noLocks mutating func dull(_ frames: Int) {
    isDulling = false
    for index in 0..<busCount where !buses[index].lowPass.isOpen(at: mixFrame) {
      (buses + index).pointee.dull(frames, at: mixFrame)
      isDulling = true
    }
  }

  /// The speed of a voice: its own, times that of its family.
  @_noLocks func setStep(_ slot: Int) {
    let voice = bank.voices + slot
    let family = Int(voice.pointee.family)
    // A factor that is no number is none.
    let factor = family >= 0 && families[family].pitch > 0 ? families[family].pitch : 1
    voice.pointee.step = Voice.step(pitch: factor == 1 ? voice.pointee.pitch : voice.pointee.pitch * factor)
  }

  /// Takes back what was to drive a target from a frame on and has not been mixed.
  @_noLocks mutating func retract(_ target: DrivenTarget, from frame: Int64) {
    carriedOut &+= 1 + schedule.remove(driving: target, from: frame)
  }

  /// Lets a stretch of a voice, whose line is the first of `lines`, follow the gain of its family: along one line while that
  /// stands, frame by frame while it moves.
  @_noLocks func follow(_ gain: Ramp, at frame: Int64, _ stretch: inout (frames: Int, straight: Bool)) {
    if gain.isMoving(at: frame) {
      stretch.frames = Int(min(Int64(stretch.frames), gain.end - frame))
      stretch.straight = false
    } else if stretch.straight {
      lines.pointee.base_left *= gain.to
      lines.pointee.base_right *= gain.to
      lines.pointee.slope_left *= gain.to
      lines.pointee.slope_right *= gain.to
    }
  }

  /// Multiplies `count` frames of gains, interleaved, by those of a family; none of them beyond the end of its ramp while it
  /// moves.
  @_noLocks func multiply(_ gains: UnsafeMutablePointer<Float>, by family: Ramp, from frame: Int64, count: Int) {
    for index in 0..<count {
      let gain = family.value(at: frame + Int64(index))
      gains[2 * index] *= gain
      gains[2 * index + 1] *= gain
    }
  }
}

extension DrivenTarget {
  @_noLocks func isSame(as other: DrivenTarget) -> Bool {
    switch (self, other) {
    case (.familyGain(let a), .familyGain(let b)), (.familyPitch(let a), .familyPitch(let b)): a == b
    case (.busGain(let a), .busGain(let b)), (.lowPass(let a), .lowPass(let b)): a.index == b.index
    default: false
    }
  }
}
