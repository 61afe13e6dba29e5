// SPDX-License-Identifier: Apache-2.0

/// What `trace.explain` can explain.
public enum TraceKind: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
  /// A firing, by the `id` of `cue.fire`.
  case cue
  /// A sound, by the `id` of `sound.play`.
  case sound
  /// A haptic player, by its number.
  case haptics
  /// A verb of music, by its `plan`.
  case music
  /// A tap, counted by the daemon from 1.
  case tap
  /// A beat of a chapter, by its number.
  case beat
  /// A beat of the music, by its `count`.
  case musicBeat
}
