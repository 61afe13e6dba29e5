// SPDX-License-Identifier: Apache-2.0

extension AHAPDocument {
  /// When more than `most` continuous events begin to sound at once, in seconds; nil when they never do. A release counts.
  func crowding(beyond most: Int) -> Double? {
    let isReleaseDriven = controls.contains { $0.parameter == .releaseTime }
    var moments: [(time: Double, begins: Bool)] = []
    for event in events where event.type == .continuous {
      let release = event.value(.sustained) < 0.5 ? 0 : isReleaseDriven ? 1 : event.value(.releaseTime)
      let tail = Double(HapticEnvelope.time(release, from: 0)) / 1e9
      moments.append((event.time, true))
      moments.append((event.time + min(event.duration ?? 0, AHAPLimits.continuousDuration) + tail, false))
    }
    var sounding = 0
    // Where one ends as another begins, they do not sound at once.
    for moment in moments.sorted(by: { $0.time == $1.time ? !$0.begins && $1.begins : $0.time < $1.time }) {
      sounding += moment.begins ? 1 : -1
      if sounding > most { return moment.time }
    }
    return nil
  }
}
