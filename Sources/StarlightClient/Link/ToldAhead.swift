// SPDX-License-Identifier: Apache-2.0

import Wire

/// Beats and markers of the music that a daemon told ahead, and that it has told neither as heard nor as taken back: it recalls
/// them itself where the music is changed, but where it is gone nobody would.
///
/// Each is known by its number, and no clock is asked whether it has come: in a pause of the engine none does, and of that a
/// client does not hear unless a reader does. To listen to `engine` by itself it must not, for the daemon takes who does for
/// somebody who welcomes the player back when the system has slept.
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
    case .musicBeatRecalled(let recalled):
      // By its instant, or where a pause has moved that unheard the last there is.
      let same = beats.indices.filter { (beats[$0].track, beats[$0].count) == (recalled.track, recalled.count) }
      if let index = same.first(where: { beats[$0].beatUs == recalled.beatUs }) ?? same.last { beats.remove(at: index) }
    case .musicMarkerRecalled(let recalled):
      let same = markers.indices.filter { (markers[$0].track, markers[$0].marker) == (recalled.track, recalled.marker) }
      if let index = same.first(where: { markers[$0].markerUs == recalled.markerUs }) ?? same.last {
        markers.remove(at: index)
      }
    // What was to come before it either has, or will be told no more, for the daemon had stood still.
    case .musicBeat(let beat):
      guard let heard = beats.first(where: { ($0.track, $0.count) == (beat.track, beat.count) }) else { return }
      beats.removeAll { $0.beatUs <= heard.beatUs }
    case .musicMarker(let marker):
      guard let heard = markers.first(where: { ($0.track, $0.marker) == (marker.track, marker.marker) }) else { return }
      markers.removeAll { $0.markerUs <= heard.markerUs }
    case .enginePaused: pausedUs = tUs
    // Where that is heard an instant is told as everybody has it then.
    case .engineResumed(let resumed):
      guard let since = pausedUs else { return }
      pausedUs = nil
      for index in beats.indices where beats[index].beatUs >= since { beats[index].beatUs += resumed.movedUs }
      for index in markers.indices where markers[index].markerUs >= since { markers[index].markerUs += resumed.movedUs }
    default: break
    }
  }

  /// Nobody listens any more.
  mutating func forget() { (beats, markers) = ([], []) }

  /// The connection ended: what was to come is recalled, in its order.
  mutating func end() -> [Event.Notification] {
    defer { self = ToldAhead() }
    let beats = beats.map { ($0.beatUs, Event.Notification.musicBeatRecalled($0)) }
    let markers = markers.map { ($0.markerUs, Event.Notification.musicMarkerRecalled($0)) }
    return (beats + markers).sorted { $0.0 < $1.0 }.map(\.1)
  }
}
