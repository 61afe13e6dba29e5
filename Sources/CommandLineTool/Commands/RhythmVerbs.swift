// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// `starlight rhythm pause`, `resume`, `restart` and `take-over`: of the chapter that runs, whoever plays it.
enum RhythmVerbs {
  static let countIn = OptionKey.integer(
    "count-in",
    in: Int(RhythmResume.ranges.countIn.range.lowerBound)...Int(RhythmResume.ranges.countIn.range.upperBound),
    help:
      "beats of the song that are heard again first, else \(RhythmResume.ranges.countIn.fallback) where it has a tempo")
  static let lease = OptionKey.duration(
    "lease", in: RhythmTakeOver.ranges.lease.seconds,
    help: "how long it goes on without a client; as before when missing")

  static let pause = ToolCommand(
    "pause", summary: "pauses the chapter and its music",
    action: ToolAction { tool throws(ToolFailure) in
      try tool.ask(RhythmPause.self, Empty()) { paused in
        ["paused at \(clockTime(paused.positionUs)); `starlight rhythm resume` lets it go on"]
      }
    })

  static let resume = ToolCommand(
    "resume", summary: "lets a paused chapter go on, with a count-in", options: [countIn.option],
    action: ToolAction { tool throws(ToolFailure) in
      let beats = tool.invocation[countIn].map(Int64.init)
      try tool.ask(RhythmResume.self, RhythmResume.Params(countInBeats: beats)) { resumed in
        let wait = resumed.goesOnUs - resumed.scheduledUs
        return [
          resumed.countInBeats == 0 ? "goes on" : "goes on in \(count(resumed.countInBeats, "beat")), \(length(wait))"
        ]
      }
    })

  static let restart = ToolCommand(
    "restart", summary: "begins the chapter anew",
    action: ToolAction { tool throws(ToolFailure) in
      try tool.ask(RhythmRestart.self, Empty()) { ["\($0.chapter) begins anew, run \($0.run)"] }
    })

  static let takeOver = ToolCommand(
    "take-over", summary: "keeps a chapter going whose client has left, for another lease", options: [lease.option],
    action: ToolAction { tool throws(ToolFailure) in
      let lease = tool.invocation[lease].map(microseconds)
      try tool.ask(RhythmTakeOver.self, RhythmTakeOver.Params(leaseUs: lease)) { status in
        ["\(status.chapter ?? "the chapter") goes on" + (status.leaseUs.map { " for \(length($0))" } ?? "")]
      }
    })
}
