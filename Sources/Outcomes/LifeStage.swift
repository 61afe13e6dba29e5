// SPDX-License-Identifier: Apache-2.0

/// What is done on the way from a request to what is heard or felt of it, in the usual order.
public enum LifeStage: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
  /// The line's last byte was read.
  case received
  /// The line waited for its turn.
  case waited
  /// The line was decoded.
  case decoded
  /// The engine planned what it asks for.
  case planned
  /// It was handed to the mixer, the haptic outputs or the thread that sends beats.
  case handedOver
  /// The reply was written, or queued.
  case answered
  /// The period of its first frame was rendered.
  case rendered
  /// Its first frame is heard.
  case heard
  /// Its first frame was to be heard then, and was lost.
  case lost
  /// It was silent until its file was decoded as far as that.
  case silent
  /// A haptic output was written to.
  case written
  /// It was reported to a client.
  case told
  /// It was called off before it began.
  case calledOff
  /// The switch for it was off at its instant: it did not begin.
  case skipped
  /// Too much sounded already: it did not begin.
  case stolen

  /// Its place in that order.
  public var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
