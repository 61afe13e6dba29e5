// SPDX-License-Identifier: Apache-2.0

/// What is asked of this program on its command line.
struct Job {
  var game: any PlayedGame.Type
  /// The player's program and its arguments.
  var command: [String]
  var isWhole = false
  /// Whether it is played twice, each switch turned at every moment.
  var isSwitched = false
  var pace = Pace()
  /// How often it is played, for more to be measured, and how many of those at once.
  var plays = 1
  var atOnce = 1
  /// Whether recordings are compared, too.
  var isHeardCompared = true
  /// Cues that the pack's chapters do not answer with.
  var unanswered: Set<String> = []
  /// Where socket, logs and recordings are kept; nowhere where nil.
  var folder: String?

  static let usage = """
    usage: starlight-played [OPTION ...] starlight-sync|freefall PROGRAM [ARGUMENT ...]
      --whole           all that is to be shown of a game must have been seen: each mistake, each help, each loss
      --switched        is played twice, by players who turn all switches at every moment: each must have come with each switch
                        turned on at it, and off
      --unanswered CUE  leaves a cue with which the daemon itself answers, to a hit, a miss or the end of a chapter, out of the
                        pack's chapters
      --real-time       beside a daemon whose clock runs: what depends on how this machine is scheduled is not judged, but told,
                        how much later than decided sounds came, and what processor time all took
      --plays N         so many plays, measured together
      --at-once N       so many of them at once
      --device DEVICE   what that daemon plays on, none where not said
      --period FRAMES   of its device
      --told-only       compares what the daemon told, and no recording
      --folder FOLDER   keeps there all that is logged and recorded
    """

  /// Nil where the arguments are none of these.
  init?(_ arguments: [String], games: [any PlayedGame.Type]) {
    (game, command) = (games[0], [])
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--whole": isWhole = true
      case "--switched": isSwitched = true
      case "--real-time": pace.isLive = true
      case "--told-only": (isHeardCompared, pace.isToldOnly) = (false, true)
      case "--plays", "--at-once":
        guard let value = rest.popFirst().flatMap(Int.init), value > 0 else { return nil }
        if word == "--plays" { plays = value } else { atOnce = value }
      case "--unanswered", "--device", "--period", "--folder":
        guard let value = rest.popFirst() else { return nil }
        switch word {
        case "--unanswered": unanswered.insert(value)
        case "--device": pace.device = value
        case "--period": pace.period = value
        default: folder = value
        }
      default:
        guard let named = games.first(where: { $0.pack == word }), !rest.isEmpty else { return nil }
        (game, command, rest) = (named, Array(rest), [])
      }
    }
    if command.isEmpty { return nil }
  }
}
