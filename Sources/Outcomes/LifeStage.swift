// SPDX-License-Identifier: Apache-2.0

/// What is done on the way of what was asked for, in the order in which it usually is.
public enum LifeStage: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
  /// The line's last byte was read.
  case received
  /// The line waited for its turn.
  case waited
  /// The line was decoded.
  case decoded
  /// The engine planned what it asks for.
  case planned
  /// The mixer, the haptic outputs or the thread that sends beats was told.
  case handedOver
  /// The reply was given.
  case answered
  /// The period of its first frame was rendered.
  case rendered
  /// Its first frame is heard.
  case heard
  /// Its first frame was to be heard then, and was lost.
  case lost
  /// It fell silent until its file was decoded so far.
  case silent
  /// A haptic output was written to.
  case written
  /// A client was told.
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
