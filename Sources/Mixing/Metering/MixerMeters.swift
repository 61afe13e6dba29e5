// SPDX-License-Identifier: Apache-2.0

/// The highest magnitudes of the second up to an output frame, to a twentieth of a second; 0 for silence.
public struct MixerMeters: Equatable, Sendable {
  /// What each bus gave to the mix, by its raw value.
  private var buses = [Float](repeating: 0, count: Bus.allCases.count)
  /// What was put out, after the limiter.
  public internal(set) var output: Float = 0

  /// What a bus gave to the mix, at its own gain and ducking.
  public internal(set) subscript(bus: Bus) -> Float {
    get { buses[bus.index] }
    set { buses[bus.index] = newValue }
  }
}

extension MixerController {
  /// The meters at output frame `frame`. Reading changes nothing; the slice at hand grows while it is rendered, ahead of what is heard.
  public func meters(at frame: Int64) -> MixerMeters {
    var meters = MixerMeters()
    for bus in Bus.allCases { meters[bus] = (link.pointee.meters + bus.index).pointee.peak(at: frame) }
    meters.output = (link.pointee.meters + MixerLink.outputMeter).pointee.peak(at: frame)
    return meters
  }
}
