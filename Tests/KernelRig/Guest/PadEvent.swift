// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// An effect as it reached a pad, after what the kernel made of it.
struct PadEffect: Equatable {
  /// FF_* of linux/input.h.
  var kind: Int32
  var id: Int
  var lengthMs: Int
  var delayMs: Int
  /// 0x4000 is along the axis of a wheel.
  var direction: Int
  /// 0...65535 for each motor of a rumble, 0...32767 and nothing for a single strength.
  var strengths: SIMD2<Int>
  var waveform: Int32
  var periodMs: Int
  /// Whether it is as strong throughout: no envelope, no offset, no phase.
  var isSteady: Bool

  init(_ effect: ff_effect) {
    var effect = effect
    let said = rt_uinput_effect_of(&effect)
    (kind, id) = (Int32(effect.type), Int(effect.id))
    (lengthMs, delayMs) = (Int(effect.replay.length), Int(effect.replay.delay))
    direction = Int(effect.direction)
    strengths = SIMD2(Int(said.first), Int(said.second))
    (waveform, periodMs, isSteady) = (said.waveform, Int(said.period), said.shape == 0)
  }

  /// As a pad's log has it.
  init?(_ numbers: [Int64]) {
    guard numbers.count == 10 else { return nil }
    (kind, id) = (Int32(numbers[0]), Int(numbers[1]))
    (lengthMs, delayMs, direction) = (Int(numbers[2]), Int(numbers[3]), Int(numbers[4]))
    strengths = SIMD2(Int(numbers[5]), Int(numbers[6]))
    (waveform, periodMs, isSteady) = (Int32(numbers[7]), Int(numbers[8]), numbers[9] != 0)
  }

  var line: String {
    "\(kind) \(id) \(lengthMs) \(delayMs) \(direction) \(strengths.x) \(strengths.y) \(waveform) \(periodMs) "
      + "\(isSteady ? 1 : 0)"
  }

  /// Of each motor the share of its full strength; a single strength counts for both.
  var motors: SIMD2<Double> {
    if kind == FF_RUMBLE { return SIMD2(Double(strengths.x), Double(strengths.y)) / 65_535 }
    return SIMD2(repeating: Double(strengths.x) / 32_767)
  }
}

/// One thing a pad was told.
enum PadEvent: Equatable {
  case upload(atUs: Int64, PadEffect)
  case play(atUs: Int64, effect: Int, times: Int)
  case erase(atUs: Int64, effect: Int)
  case gain(atUs: Int64, Int)

  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int64($0) }
    switch (words.first, numbers.count) {
    case ("upload", 2...):
      guard let effect = PadEffect(Array(numbers.dropFirst())) else { return nil }
      self = .upload(atUs: numbers[0], effect)
    case ("play", 3): self = .play(atUs: numbers[0], effect: Int(numbers[1]), times: Int(numbers[2]))
    case ("erase", 2): self = .erase(atUs: numbers[0], effect: Int(numbers[1]))
    case ("gain", 2): self = .gain(atUs: numbers[0], Int(numbers[1]))
    default: return nil
    }
  }
}
