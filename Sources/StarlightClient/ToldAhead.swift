// SPDX-License-Identifier: Apache-2.0

import Wire

/// Beats and markers of the music that a daemon told ahead, and that have not come: it recalls them itself where the music is
/// changed, but where it is gone nobody would.
struct ToldAhead {
  private var beats: [MusicBeatRecalled] = []
  private var markers: [MusicMarkerRecalled] = []
  private var pausedUs: Int64?

  /// Takes in what is told.
  mutating func hear(_ notification: Event.Notification, tUs: Int64) {
    switch notification {
    case .musicBeatAhead(let ahead):
      beats.append(MusicBeatRecalled(track: ahead.track, beat: ahead.beat, count: ahead.count, beatUs: ahead.beatUs))
    case .musicMarkerAhead(let ahead):
      markers.append(MusicMarkerRecalled(track: ahead.track, marker: ahead.marker, markerUs: ahead.markerUs))
    case .musicBeatRecalled(let recalled): beats.removeAll { $0.isSame(as: recalled) }
    case .musicMarkerRecalled(let recalled): markers.removeAll { $0.isSame(as: recalled) }
    // What was to come by then has.
    case .musicBeat: beats.removeAll { $0.beatUs <= tUs }
    case .musicMarker: markers.removeAll { $0.markerUs <= tUs }
    case .enginePaused: pausedUs = tUs
    // What was to come comes so much later.
    case .engineResumed(let resumed):
      guard let since = pausedUs else { return }
      pausedUs = nil
      for index in beats.indices where beats[index].beatUs >= since { beats[index].beatUs += resumed.movedUs }
      for index in markers.indices where markers[index].markerUs >= since { markers[index].markerUs += resumed.movedUs }
    default: break
    }
  }

  /// The connection ended at an instant of the daemon's: what was to come later is recalled, in its order.
  mutating func end(at us: Int64) -> [Event.Notification] {
    defer { self = ToldAhead() }
    // In a pause nothing comes: what was to come then never did.
    func isToCome(_ instant: Int64) -> Bool { instant > us || pausedUs.map { instant >= $0 } ?? false }
    let beats = beats.filter { isToCome($0.beatUs) }.map { ($0.beatUs, Event.Notification.musicBeatRecalled($0)) }
    let markers = markers.filter { isToCome($0.markerUs) }
      .map { ($0.markerUs, Event.Notification.musicMarkerRecalled($0)) }
    return (beats + markers).sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension MusicBeatRecalled {
  fileprivate func isSame(as other: MusicBeatRecalled) -> Bool {
    (track, count, beatUs) == (other.track, other.count, other.beatUs)
  }
}

extension MusicMarkerRecalled {
  fileprivate func isSame(as other: MusicMarkerRecalled) -> Bool {
    (track, marker, markerUs) == (other.track, other.marker, other.markerUs)
  }
}
