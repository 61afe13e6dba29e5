// SPDX-License-Identifier: Apache-2.0

/// An AHAP file as read: missing entries have their defaults, values out of range are clamped, what is unknown is gone.
public struct AHAPDocument: Hashable, Sendable {
  /// The lowest version of Core Haptics that is said to play the file; nil when nothing is said.
  public var version: Double?
  /// The entries of Metadata in file order; values that are not strings as JSON text.
  public var metadata: [AHAPMetadata]
  /// In file order, which need not be the order of time.
  public var events: [AHAPEvent]
  /// Parameter and ParameterCurve entries in file order.
  public var controls: [AHAPControl]

  /// A document; anything left out is absent.
  public init(
    version: Double? = 1, metadata: [AHAPMetadata] = [], events: [AHAPEvent] = [], controls: [AHAPControl] = []
  ) {
    self.version = version
    self.metadata = metadata
    self.events = events
    self.controls = controls
  }
}

/// One entry of Metadata.
public struct AHAPMetadata: Hashable, Sendable {
  /// As written, for example "Project".
  public var key: String
  /// The text, or the JSON text of what is none.
  public var value: String

  /// The entry `key` with `value`.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// One event of a pattern, its parameters resolved.
public struct AHAPEvent: Hashable, Sendable {
  /// What it is; decides which parameters mean something and what they default to.
  public var type: AHAPEventType
  /// Seconds from the pattern's start, 0 or more.
  public var time: Double
  /// Seconds, 0 or more; nil when the file says nothing (a transient needs none, and is felt no longer for one; a waveform
  /// has its own).
  public var duration: Double?
  /// AudioCustom: the sound file, as written.
  public var waveformPath: String?
  /// AudioCustom: whether the sound repeats for the event's duration. AHAP default: false.
  public var waveformLoops = false
  /// AudioCustom: whether the sound fades in and out. AHAP default: true.
  public var waveformUsesEnvelope = true
  /// The value of every parameter that the file sets, clamped.
  public var parameters: [AHAPEventParameter: Double]

  /// An event at `time` seconds.
  public init(
    _ type: AHAPEventType, time: Double, duration: Double? = nil, parameters: [AHAPEventParameter: Double] = [:]
  ) {
    self.type = type
    self.time = time
    self.duration = duration
    self.parameters = parameters
  }

  /// The parameter's value: the file's, or the default for this type of event.
  public func value(_ parameter: AHAPEventParameter) -> Double {
    parameters[parameter] ?? parameter.defaultValue(for: type)
  }
}

/// A dynamic parameter: a step (Parameter) or a curve (ParameterCurve).
public struct AHAPControl: Hashable, Sendable {
  /// What it changes, for every event it applies to.
  public var parameter: AHAPDynamicParameter
  /// Seconds from the pattern's start, 0 or more.
  public var time: Double
  /// In file order. A Parameter is one point at 0.
  public var points: [Point]

  /// One corner of a curve.
  public struct Point: Hashable, Sendable {
    /// Seconds from the curve's Time, 0 or more.
    public var time: Double
    /// What the parameter is there; clamped to its range when read.
    public var value: Double

    /// A corner `time` seconds after the curve's Time.
    public init(time: Double, value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// A step or curve of `parameter` at `time` seconds.
  public init(_ parameter: AHAPDynamicParameter, time: Double, points: [Point]) {
    self.parameter = parameter
    self.time = time
    self.points = points
  }
}
