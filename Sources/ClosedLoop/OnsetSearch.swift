// SPDX-License-Identifier: Apache-2.0

/// Where a chirp begins in what was captured: the peak of the normalised cross-correlation.
public struct OnsetSearch: Sendable {
  /// What was found.
  public struct Onset: Equatable, Sendable {
    /// The frame of the chirp's first sample.
    public var frame: Int
    /// How like the chirp it is: 1 for the same but for its level, whichever way round its sign is; noise alone comes to
    /// some 0.15.
    public var likeness: Double
  }

  /// What is less like the chirp is none: well above noise, below what a room leaves of it.
  public static let leastLikeness = 0.25
  /// The direct sound comes first, and an echo may be stronger: what comes up to 20 ms before the best and has this share
  /// of it is taken. No other peak of the chirp's own has.
  private static let shareOfBest = 0.6
  private static let echo = 0.02
  /// Nothing is looked for behind what is as like it as this, but for 20 ms.
  private static let likeItself = 0.9

  private let template: [Float]
  private let norm: Double
  private let echoFrames: Int

  /// A search for `chirp` in sound of the chirp's rate.
  public init(_ chirp: CodedChirp) {
    // Whole vectors: zeros at the end change nothing.
    let count = (chirp.samples.count + Self.lanes - 1) / Self.lanes * Self.lanes
    template = chirp.samples + [Float](repeating: 0, count: count - chirp.samples.count)
    norm = template.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
    echoFrames = Int(Self.echo * Double(chirp.rate))
  }

  private static let lanes = 16

  /// The chirp's onset among `frames` of `samples`, which are cut to where a whole one fits; nil where there is none.
  public func find(in samples: [Float], among frames: Range<Int>) -> Onset? {
    let low = max(0, frames.lowerBound)
    let high = min(frames.upperBound, samples.count - template.count + 1)
    guard low < high else { return nil }
    let likeness = likenesses(in: samples, from: low, to: high)
    guard let best = likeness.indices.max(by: { likeness[$0] < likeness[$1] }), likeness[best] >= Self.leastLikeness
    else {
      return nil
    }
    let first = (max(0, best - echoFrames)..<best).first { index in
      likeness[index] >= Self.shareOfBest * likeness[best] && isPeak(index, of: likeness)
    }
    let index = first ?? best
    return Onset(frame: low + index, likeness: likeness[index])
  }

  private func isPeak(_ index: Int, of values: [Double]) -> Bool {
    (index == 0 || values[index - 1] <= values[index])
      && (index + 1 == values.count || values[index + 1] <= values[index])
  }

  /// How like the chirp the sound is from each frame on.
  private func likenesses(in samples: [Float], from low: Int, to high: Int) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(high - low)
    samples.withUnsafeBufferPointer { samples in
      template.withUnsafeBufferPointer { template in
        // The energy under the template, carried along; anew now and then, so that rounding does not add up.
        var energy = 0.0
        var end = high
        for start in low..<high where start < end {
          if (start - low).isMultiple(of: 4_096) {
            energy = (start..<start + template.count).reduce(0) { $0 + Double(samples[$1]) * Double(samples[$1]) }
          } else {
            let (gone, come) = (Double(samples[start - 1]), Double(samples[start + template.count - 1]))
            energy += come * come - gone * gone
          }
          let level = max(energy, 0).squareRoot()
          // Silence is like nothing; 1e-6 of full scale is below 16 bits.
          guard level > 1e-6 else {
            result.append(0)
            continue
          }
          var sums = SIMD16<Float>.zero
          var index = 0
          while index < template.count {
            sums += Self.lanes(samples, start + index) * Self.lanes(template, index)
            index += Self.lanes
          }
          let likeness = min(1, abs(Double(sums.sum())) / (level * norm))
          result.append(likeness)
          if likeness >= Self.likeItself, end == high { end = min(high, start + echoFrames) }
        }
      }
    }
    return result
  }

  @inline(__always) private static func lanes(_ samples: UnsafeBufferPointer<Float>, _ index: Int) -> SIMD16<Float> {
    UnsafeRawPointer(samples.baseAddress.unsafelyUnwrapped + index).loadUnaligned(as: SIMD16<Float>.self)
  }
}
