// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

extension HapticPattern {
  /// Compiles a document. Anything a reader would have clamped is clamped here too, so that a document made by hand
  /// cannot do harm.
  public convenience init(_ document: AHAPDocument) {
    var controls = PatternControls(document.controls)
    var transients: [HapticTransient] = []
    var continuous: [HapticContinuous] = []
    var audio: [HapticAudioEvent] = []
    var padding = Interval.zero
    // What is felt follows what is felt, and what is heard what is heard.
    let felt = document.starts { $0 == .continuous }
    let heard = document.starts { $0 == .audioContinuous || $0 == .audioCustom }
    for event in document.events {
      let time = patternTime(event.time)
      switch event.type {
      case .transient:
        transients.append(
          HapticTransient(
            time: time, intensity: event.clamped(.intensity), sharpness: event.clamped(.sharpness)))
        if let duration = event.duration { padding = max(padding, time + patternTime(duration)) }
      case .continuous:
        continuous.append(HapticContinuous(event, at: time, before: felt, &controls))
      case .audioContinuous, .audioCustom:
        if let sound = HapticAudioEvent(event, at: time, before: heard, &controls) { audio.append(sound) }
      }
    }
    self.init(
      transients: transients, continuous: continuous, audioEvents: audio,
      intensity: controls[.intensity], sharpness: controls[.sharpness], lastingUntil: padding)
  }

  /// A single tap; both 0...1, clamped.
  public static func transient(intensity: Double, sharpness: Double) -> HapticPattern {
    HapticPattern(AHAPEvent(.transient, time: 0, parameters: [.intensity: intensity, .sharpness: sharpness]))
  }

  /// A steady vibration; intensity and sharpness 0...1, duration at most 30 s, all clamped.
  public static func continuous(intensity: Double, sharpness: Double, duration: Interval) -> HapticPattern {
    HapticPattern(
      AHAPEvent(
        .continuous, time: 0, duration: duration.seconds,
        parameters: [.intensity: intensity, .sharpness: sharpness]))
  }

  private convenience init(_ event: AHAPEvent) { self.init(AHAPDocument(events: [event])) }
}

/// The tracks of a document's controls, built when first asked for.
private struct PatternControls {
  private var sources: [AHAPDynamicParameter: [AHAPControl]] = [:]
  private var tracks: [AHAPDynamicParameter: ControlTrack] = [:]

  init(_ controls: [AHAPControl]) {
    for control in controls { sources[control.parameter, default: []].append(control) }
  }

  subscript(parameter: AHAPDynamicParameter) -> ControlTrack {
    mutating get {
      if let track = tracks[parameter] { return track }
      var track = ControlTrack(parameter)
      let curves = (sources[parameter] ?? []).map { control in
        (
          origin: patternTime(control.time).nanoseconds,
          points: control.points.map {
            HapticParameterCurve.Point(time: patternTime($0.time), value: $0.value)
          }
        )
      }
      // In order of taking hold, so that each is put at the end: linear, however many there are.
      for curve in curves.sorted(by: { hold($0) < hold($1) }) { track.insert(curve.points, from: curve.origin) }
      tracks[parameter] = track
      return track
    }
  }

  /// The course of the control of pitch.
  lazy var pitches = PitchCourse(self[.audioPitch])

  private func hold(_ curve: (origin: Int64, points: [HapticParameterCurve.Point])) -> Int64 {
    curve.origin + (curve.points.map(\.time.nanoseconds).min() ?? 0)
  }
}

extension HapticContinuous {
  /// Begins at `time`; `starts`, in order, are those of all continuous events.
  fileprivate init(
    _ event: AHAPEvent, at time: Interval, before starts: [Int64], _ controls: inout PatternControls
  ) {
    let duration = event.length(
      of: min(event.duration ?? 0, AHAPLimits.continuousDuration), at: time, before: starts)
    start = time.nanoseconds
    intensity = event.clamped(.intensity)
    sharpness = event.clamped(.sharpness)
    envelope = HapticEnvelope(
      event, at: time, duration: duration, adjusters: (.attackTime, .decayTime, .releaseTime), &controls)
  }
}

extension HapticAudioEvent {
  /// Nil when there is nothing to be heard: a waveform without a path. `starts`, in order, are those of all that is heard.
  fileprivate init?(
    _ event: AHAPEvent, at time: Interval, before starts: [Int64], _ controls: inout PatternControls
  ) {
    if event.type == .audioCustom && event.waveformPath == nil { return nil }
    self.time = time
    duration = event.duration.map { event.length(of: $0, at: time, before: starts) }
    volume = event.clamped(.audioVolume)
    brightness = event.clamped(.audioBrightness)
    pan = event.clamped(.audioPan)
    pitch = event.clamped(.audioPitch)
    self.controls = HapticAudioControls(
      volume: controls[.audioVolume], pan: controls[.audioPan], pitch: controls[.audioPitch],
      brightness: controls[.audioBrightness])
    pitches = controls.pitches
    // A tone has no length of its own.
    let length = duration ?? (event.type == .audioContinuous ? .zero : nil)
    envelope =
      event.type == .audioContinuous || event.waveformUsesEnvelope
      ? HapticEnvelope(
        event, at: time, duration: length,
        adjusters: (.audioAttackTime, .audioDecayTime, .audioReleaseTime), &controls)
      : nil
    // A file repeats for as long as the event lasts, so one that is to last as long as the file is played once.
    let isBounded = duration != nil || envelope?.hasEnd == true
    if event.type == .audioCustom, let path = event.waveformPath {
      source = .waveform(path: path, loops: event.waveformLoops && isBounded)
    } else {
      source = .tone
    }
  }
}

extension HapticEnvelope {
  /// Adjusters and the controls that shift them count from where they begin to act: attack and decay at the event's
  /// start, release at the end of its duration.
  fileprivate init(
    _ event: AHAPEvent, at time: Interval, duration: Interval?,
    adjusters: (attack: AHAPDynamicParameter, decay: AHAPDynamicParameter, release: AHAPDynamicParameter),
    _ controls: inout PatternControls
  ) {
    let start = time.nanoseconds
    let end = (time + (duration ?? .zero)).nanoseconds
    self.init(
      attack: event.clamped(.attackTime) + controls[adjusters.attack].value(at: start),
      decay: event.clamped(.decayTime) + controls[adjusters.decay].value(at: start),
      release: event.clamped(.releaseTime) + controls[adjusters.release].value(at: end),
      sustained: event.clamped(.sustained) >= 0.5, duration: duration)
  }
}

extension AHAPDocument {
  /// When its events of some types begin, in order.
  fileprivate func starts(_ isMeant: (AHAPEventType) -> Bool) -> [Int64] {
    events.filter { isMeant($0.type) }.map { patternTime($0.time).nanoseconds }.sorted()
  }
}

extension AHAPEvent {
  /// What so many seconds of it come to from `start` on: what follows where it ends, one of `starts`, begins where it ends, however
  /// both are rounded.
  fileprivate func length(of seconds: Double, at start: Interval, before starts: [Int64]) -> Interval {
    // Of the sum, as times are rounded alike.
    let limit = AHAPLimits.time
    let end = Interval.seconds(min(max(time, 0), limit) + min(max(seconds, 0), limit))
    return max(joined(end, to: starts, after: start) - start, .zero)
  }

  /// The parameter's value within its range; its default when not a number.
  fileprivate func clamped(_ parameter: AHAPEventParameter) -> Double {
    let value = value(parameter)
    if value.isNaN { return parameter.defaultValue(for: type) }
    return min(max(value, parameter.range.lowerBound), parameter.range.upperBound)
  }
}

/// The start that `end` was meant to be, or `end`: where a time lies half-way between two nanoseconds, the last digit of
/// a sum decides which it is rounded to.
private func joined(_ end: Interval, to starts: [Int64], after start: Interval) -> Interval {
  let near = starts[starts.partitioningIndex { $0 >= end.nanoseconds - 1 }...].prefix { $0 <= end.nanoseconds + 1 }
  if near.contains(end.nanoseconds) { return end }
  return near.first { $0 > start.nanoseconds }.map(Interval.init(nanoseconds:)) ?? end
}

/// Seconds of a pattern as an interval, within 0 and a day; NaN is 0.
private func patternTime(_ seconds: Double) -> Interval { .seconds(min(max(seconds, 0), AHAPLimits.time)) }
