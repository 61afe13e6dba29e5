// SPDX-License-Identifier: Apache-2.0

/// Why a voice is no more.
public enum FinishReason: Sendable, BitwiseCopyable {
  /// Its source came to an end.
  case ended
  /// It was stopped, and its fade is over.
  case stopped
  /// Another voice needed its place, and its fade is over.
  case stolen
  /// It was stopped or taken back before it began; told when it was.
  case cancelled
  /// No slot was free, not even one to fade another voice out in.
  case rejected

  var isTheft: Bool { @_noLocks get { if case .stolen = self { true } else { false } } }
}

/// What the mixer has to say, with the output frame it is true of.
public enum MixerEvent: Equatable, Sendable, BitwiseCopyable {
  /// The voice's first frame is heard at `at`, or would have been: that may lie among frames that were passed over.
  case started(VoiceID, at: Int64)
  /// `at` is the frame after the voice's last. Nothing reads its source any more.
  case finished(VoiceID, at: Int64, FinishReason)
  /// The voice's ring ran low; it has faded out, and is silent from `at`. Its place in time goes on.
  case starved(VoiceID, at: Int64)
  /// The ring has caught up; the voice fades in from `at` where it would have been.
  case rejoined(VoiceID, at: Int64)
}
