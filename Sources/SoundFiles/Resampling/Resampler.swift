// SPDX-License-Identifier: Apache-2.0

import CSoxr

/// Streaming conversion of stereo frames between two rates: soxr at its high quality (20 bit), delay compensated.
///
/// How the input is cut into pieces does not change a bit of the output. Owns the soxr state.
struct Resampler: ~Copyable {
  private let state: OpaquePointer

  /// A resampler between two rates in frames a second; nil when soxr has no memory for it.
  init?(source: Int, engine: Int) {
    var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
    guard let state = soxr_create(Double(source), Double(engine), 2, nil, nil, &quality, nil) else { return nil }
    self.state = state
  }

  deinit { soxr_delete(state) }

  /// Takes up to `count` frames from `input` and gives up to `capacity` to `output`; returns how many of each.
  /// An `input` of nil says that no more will come: what is still inside comes out, in as many calls as it takes.
  func process(
    _ input: UnsafePointer<Float>?, frames count: Int, into output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, given: Int) {
    var (taken, given) = (0, 0)
    _ = soxr_process(state, input, input == nil ? 0 : count, &taken, output, capacity, &given)
    return (taken, given)
  }

  /// Forgets all it was given, ready for a new beginning.
  func reset() { _ = soxr_clear(state) }
}
