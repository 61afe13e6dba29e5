// SPDX-License-Identifier: Apache-2.0

/// Seconds as people read them, to the millisecond: `174.66 s`.
func inSeconds(_ frames: Int64, rate: Int) -> String { inSeconds(Double(frames) / Double(rate)) }

/// Seconds as people read them, to the millisecond.
func inSeconds(_ seconds: Double) -> String { "\((seconds * 1_000).rounded() / 1_000) s" }
