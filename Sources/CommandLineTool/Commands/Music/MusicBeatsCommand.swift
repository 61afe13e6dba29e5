// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

enum MusicBeatsCommand {
  static let limit = OptionKey.integer(
    "count", short: "n", in: 1...Int.max, help: "end after so many beats and markers")

  static let command = ToolCommand(
    "beats", summary: "follows the beats, bars and markers of the music, until Ctrl-C",
    discussion: [
      "A line each, written as it is heard: the beat of the track and its bar, counted from 0 as the socket has them, and "
        + "how much later than its instant it was reported; ● marks the first beat of a bar. With --json each line is the "
        + "notification just as it came, those of beats ahead and recalled included."
    ],
    options: [limit.option],
    examples: [.init("starlight music beats", "in another terminal while music plays")], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect()
    let signals = SignalWatch()
    let music = try connection.subscribe(to: [.beats]).music
    let tempo = music.track == nil || music.bpm != nil ? "" : "; it has no tempo, and so no beats"
    tool.introduce("following the beats; Ctrl-C ends it. Music: \(musicText(music))\(tempo)")
    try tool.follow(connection, atMost: tool.invocation[limit], signals) { notification in
      Event.Notification(notification).flatMap { beatLine($0, lateUs: nowUs() - notification.tUs) }
    }
  }
}

/// A beat or marker that is heard, as a line; nothing of what is to come or will not.
func beatLine(_ told: Event.Notification, lateUs: Int64) -> String? {
  switch told {
  case .musicBeat(let beat):
    let place = "\(beat.beatInBar == 0 ? "●" : " ") beat \(beat.beat)".padded(11) + " bar \(beat.bar)".padded(9) + " "
    return "\(place)\(beat.track), \(fixed(beat.bpm, 1)) BPM, \(signedMilliseconds(lateUs))"
  case .musicMarker(let marker): return "\(marker.marker)  \(marker.track), \(signedMilliseconds(lateUs))"
  default: return nil
  }
}
