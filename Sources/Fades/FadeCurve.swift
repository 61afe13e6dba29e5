// SPDX-License-Identifier: Apache-2.0

/// The path that a gain takes across a fade: the one word of socket, packs, tool and mixer.
public enum FadeCurve: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
  /// Power in a raised-cosine path: over x in 0...1, g = sqrt(g0^2 cos^2(pi x / 2) + g1^2 sin^2(pi x / 2)).
  ///
  /// Two voices that trade places so keep the sum of their powers, from whatever gains they start: for tracks that have
  /// nothing in common.
  case equalPower
  /// In equal steps, which keep the sum of amplitudes: for versions of one track.
  case linear
}
