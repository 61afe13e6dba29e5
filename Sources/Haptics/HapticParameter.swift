import Timing

/// What a dynamic parameter or a curve changes, for all haptic events of a pattern or player.
public enum HapticControl: Hashable, Sendable, CaseIterable {
  /// Multiplies the intensity; 0...1, 1 when nothing is said.
  case intensity
  /// Is added to the sharpness of continuous events (so Apple's article on AHAP; its header says of all events);
  /// -1...1, 0 when nothing is said.
  case sharpness

  /// The value that changes nothing.
  public var neutral: Double { self == .intensity ? 1 : 0 }
  /// The values that mean something; others are clamped.
  public var range: ClosedRange<Double> { self == .intensity ? 0...1 : -1...1 }
}

/// A control set to a value at once.
public struct HapticParameter: Hashable, Sendable {
  /// What is set.
  public var control: HapticControl
  /// Clamped to the control's range when used; NaN leaves the control neutral.
  public var value: Double

  /// Sets `control` to `value`.
  public init(_ control: HapticControl, _ value: Double) {
    self.control = control
    self.value = value
  }
}

/// A control led along straight lines through points.
public struct HapticParameterCurve: Hashable, Sendable {
  /// One corner of a curve.
  public struct Point: Hashable, Sendable {
    /// From the curve's start.
    public var time: Interval
    /// Clamped to the control's range when used.
    public var value: Double

    /// A corner at `time` from the curve's start.
    public init(time: Interval, value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// What the curve leads.
  public var control: HapticControl
  /// In any order; of two at the same time the later in the array counts from there on.
  public var points: [Point]

  /// A curve through `points`.
  public init(_ control: HapticControl, points: [Point]) {
    self.control = control
    self.points = points
  }
}
