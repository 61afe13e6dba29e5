// SPDX-License-Identifier: Apache-2.0

/// What carries instants that a pause moves: the engine plans in a time of its own, which stands while it is paused, and
/// what clients write and read is of the clock. Instants of the clock itself, such as `nowUs`, are none of these.
public protocol CarriesInstants {
  /// Puts `moved(instant)`, in microseconds, in place of each instant.
  mutating func moveInstants(_ moved: (Int64) -> Int64)
}

extension WireMethod where Params: CarriesInstants {
  /// True: while the engine is paused an instant is refused.
  public static var takesInstants: Bool { true }
  /// Puts `moved(instant)` in place of each instant of `params`.
  public static func moveInstants(of params: inout Params, _ moved: (Int64) -> Int64) { params.moveInstants(moved) }
}

extension WireMethod {
  /// False.
  public static var takesInstants: Bool { false }
  /// There are none.
  public static func moveInstants(of params: inout Params, _ moved: (Int64) -> Int64) {}
  /// There are none.
  public static func moveInstants(in result: inout Result, _ moved: (Int64) -> Int64) {}
}

extension WireMethod where Result: CarriesInstants {
  /// Puts `moved(instant)` in place of each instant of `result`.
  public static func moveInstants(in result: inout Result, _ moved: (Int64) -> Int64) { result.moveInstants(moved) }
}

extension WireNotification {
  /// There are none.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {}
}

/// Where a run's beginning lies by what is still to come of it: its beats are counted from there, through all pauses.
private func runStart(_ start: Int64, before later: Int64?, _ moved: (Int64) -> Int64) -> Int64 {
  guard let later else { return moved(start) }
  return moved(later) - (later - start)
}

// MARK: - What is asked

/// Params whose one instant is when it is to happen, or happened.
public protocol PlannedParams: CarriesInstants {
  /// That instant; as soon as possible where it is missing.
  var atUs: Int64? { get set }
}

extension PlannedParams {
  /// Its one instant.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { atUs = atUs.map(moved) }
}

extension FadeParams: PlannedParams {}
extension MusicPlay.Params: PlannedParams {}
extension MusicSeek.Params: PlannedParams {}
extension MusicGain.Params: PlannedParams {}
extension SoundPlay.Params: PlannedParams {}
extension SoundSet.Params: PlannedParams {}
extension SoundStop.Params: PlannedParams {}
extension HapticsPlay.Params: PlannedParams {}
extension HapticsStop.Params: PlannedParams {}
extension HapticsTransient.Params: PlannedParams {}
extension HapticsContinuous.Params: PlannedParams {}
extension PlayerParams: PlannedParams {}
extension HapticsSeek.Params: PlannedParams {}
extension HapticsSet.Params: PlannedParams {}
extension HapticsSendParameters.Params: PlannedParams {}
extension HapticsScheduleCurve.Params: PlannedParams {}
extension CueFire.Params: PlannedParams {}
extension ParameterSet.Params: PlannedParams {}
extension RhythmStart.Params: PlannedParams {}
extension RhythmTap.Params: PlannedParams {}

// MARK: - What is answered

extension Scheduled: CarriesInstants {
  /// When it is heard or felt.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}

extension MusicScheduled: CarriesInstants {
  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}

extension MusicPlay.Result: CarriesInstants {
  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}

extension SoundPlay.Result: CarriesInstants {
  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}

extension HapticsPlay.Result: CarriesInstants {
  /// When it is felt.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}

extension PlayerScheduled: CarriesInstants {
  /// When it is felt.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}

extension CueFire.Result: CarriesInstants {
  /// Its zero, and when it is heard and felt.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    scheduledUs = moved(scheduledUs)
    soundAtUs = soundAtUs.map(moved)
    hapticAtUs = hapticAtUs.map(moved)
  }
}

extension CueStop.Result: CarriesInstants {
  /// When it ends.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    soundAtUs = soundAtUs.map(moved)
    hapticAtUs = hapticAtUs.map(moved)
  }
}

extension RhythmStart.Result: CarriesInstants {
  /// Its beginning and its end.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    startUs = moved(startUs)
    endUs = moved(endUs)
  }
}

extension RhythmPause.Result: CarriesInstants {
  /// From when on it is held.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { pausedUs = moved(pausedUs) }
}

extension RhythmResume.Result: CarriesInstants {
  /// When it is heard again and judged again, and the run's beginning and end.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    scheduledUs = moved(scheduledUs)
    goesOnUs = moved(goesOnUs)
    startUs = runStart(startUs, before: endUs, moved)
    endUs = moved(endUs)
  }
}

extension RhythmStatus.Result: CarriesInstants {
  /// The run's beginning and end, from when on it is held, when it goes on, the end of its lease, and when its beats are
  /// heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    startUs = startUs.map { runStart($0, before: endUs ?? pausedUs, moved) }
    endUs = endUs.map(moved)
    pausedUs = pausedUs.map(moved)
    goesOnUs = goesOnUs.map(moved)
    leaseEndsUs = leaseEndsUs.map(moved)
    if let from = assist?.fromUs { assist?.fromUs = moved(from) }
    for index in beatsInSight.indices { beatsInSight[index].beatUs = moved(beatsInSight[index].beatUs) }
  }
}

extension RhythmTap.Result: CarriesInstants {
  /// The tap's.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { tapUs = moved(tapUs) }
}

extension ParameterList.Result: CarriesInstants {
  /// What its values are of, and when those that move are there.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    atUs = moved(atUs)
    for index in parameters.indices { parameters[index].untilUs = parameters[index].untilUs.map(moved) }
  }
}

extension MusicStatus.Result: CarriesInstants {
  /// What its position is of, and what is planned. Its timeline is the output's.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    atUs = moved(atUs)
    for index in planned.indices { planned[index].atUs = moved(planned[index].atUs) }
    if let next = position?.nextBeatUs { position?.nextBeatUs = moved(next) }
  }
}

// MARK: - What is told

extension RhythmChanged {
  /// The run's beginning and end, when it is judged again, and the end of its lease.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    startUs = runStart(startUs, before: endUs, moved)
    endUs = endUs.map(moved)
    goesOnUs = goesOnUs.map(moved)
    leaseEndsUs = leaseEndsUs.map(moved)
  }
}

extension RhythmSpawn {
  /// When its beat is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { beatUs = moved(beatUs) }
}

extension MusicBeatAhead {
  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { beatUs = moved(beatUs) }
}

extension MusicBeatRecalled {
  /// When it was to be heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { beatUs = moved(beatUs) }
}

extension MusicMarkerAhead {
  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { markerUs = moved(markerUs) }
}

extension MusicMarkerRecalled {
  /// When it was to be heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { markerUs = moved(markerUs) }
}

extension MusicCancelled {
  /// When it was to be.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { plannedUs = moved(plannedUs) }
}

extension CueFired {
  /// When it is heard and felt.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    soundAtUs = soundAtUs.map(moved)
    hapticAtUs = hapticAtUs.map(moved)
  }
}
