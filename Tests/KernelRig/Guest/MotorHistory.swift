// SPDX-License-Identifier: Apache-2.0

/// What the motors did, as the kernel's rules make it of what the pad was told.
struct MotorHistory {
  struct Span: Equatable {
    var fromUs: Int64
    var toUs: Int64
    /// Strong and weak, 0...1.
    var motors: SIMD2<Double>
  }

  private(set) var spans: [Span] = []
  /// When each play began.
  private(set) var playsUs: [Int64] = []

  /// All that was told shapes the effects; only what was told after the first `seen` events is history.
  init(_ events: [PadEvent], since seen: Int = 0) {
    var effects: [Int: PadEffect] = [:]
    for (index, event) in events.enumerated() {
      switch event {
      case .upload(_, let effect): effects[effect.id] = effect
      case .play(let atUs, let effect, let times):
        guard index >= seen else { continue }
        end(at: atUs)
        guard times > 0, let played = effects[effect] else { continue }
        playsUs.append(atUs)
        // A length of 0 is for ever.
        let lengthUs = played.lengthMs == 0 ? Int64.max / 2 : Int64(played.lengthMs) * 1_000 * Int64(times)
        spans.append(Span(fromUs: atUs, toUs: atUs + lengthUs, motors: played.motors))
      case .erase(let atUs, _): end(at: atUs)
      case .gain: break
      }
    }
  }

  /// What began before an instant, and the rest.
  func split(at instantUs: Int64) -> (before: MotorHistory, after: MotorHistory) {
    var (before, after) = (self, self)
    before.spans.removeAll { $0.fromUs >= instantUs }
    before.playsUs.removeAll { $0 >= instantUs }
    after.spans.removeAll { $0.fromUs < instantUs }
    after.playsUs.removeAll { $0 < instantUs }
    return (before, after)
  }

  private mutating func end(at instantUs: Int64) {
    if let last = spans.indices.last, spans[last].toUs > instantUs { spans[last].toUs = instantUs }
  }

  /// From when to when the motors turned, renewals joined.
  var turning: [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for span in spans where span.motors != SIMD2(0, 0) && span.toUs > span.fromUs {
      if let last = joined.last, span.fromUs <= last.upperBound + 1_000 {
        joined[joined.count - 1] = last.lowerBound..<span.toUs
      } else {
        joined.append(span.fromUs..<span.toUs)
      }
    }
    return joined
  }

  /// When the motors stood still for good.
  var silentFromUs: Int64 { spans.last { $0.motors != SIMD2(0, 0) }?.toUs ?? 0 }

  /// Of each motor the strongest, 0...1, in what was told between two instants.
  func strongest(from: Int64, to: Int64) -> SIMD2<Double> {
    var strongest = SIMD2(0.0, 0.0)
    for span in spans where span.fromUs < to && span.toUs > from {
      strongest = pointwiseMax(strongest, span.motors)
    }
    return strongest
  }
}
