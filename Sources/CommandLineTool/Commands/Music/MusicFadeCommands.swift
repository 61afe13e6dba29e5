// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// `starlight music stop`, `pause` and `resume`: what plays fades, and no more is said.
enum MusicFadeCommands {
  static let stop = fading(
    MusicStop.self, "stop", summary: "fades the music out and forgets where it was", MusicStop.ranges.fade,
    done: "stopped")
  static let pause = fading(
    MusicPause.self, "pause", summary: "pauses the music in place", MusicPause.ranges.fade, done: "paused")
  static let resume = fading(
    MusicResume.self, "resume", summary: "goes on where the music was paused", MusicResume.ranges.fade,
    done: "resumed")

  /// `--fade` of a change that fades what plays.
  static func fade(_ param: OptionalParam<Int64>) -> OptionKey<Double> {
    .duration("fade", short: "f", param, help: "length of the fade")
  }

  private static func fading<Method: WireMethod>(
    _ method: Method.Type, _ name: String, summary: String, _ param: OptionalParam<Int64>, done: String
  ) -> ToolCommand where Method.Params == FadeParams, Method.Result == MusicScheduled {
    let fade = fade(param)
    return ToolCommand(
      name, summary: summary, options: [fade.option, plannedAt.option],
      action: ToolAction { tool throws(ToolFailure) in
        let connection = try tool.connect(needsTime: true)
        let params = FadeParams(
          atUs: try tool.instant(plannedAt, connection), fadeUs: tool.invocation[fade].map(microseconds))
        let status = try connection.ask(EngineStatus.self, Empty())
        let result = try connection.ask(method, params)
        // A stop is the one of these that is no error where nothing plays.
        if status.music.isNothing {
          return tool.show(result, [nothingStopped(params.atUs, plan: result.plan)])
        }
        let hearing = Hearing(status, .music)
        tool.show(result, ["\(done) (plan \(result.plan))\(hearing.note(result.scheduledUs))\(late(result.lateUs))"])
      })
  }
}

extension MusicStatus.Result {
  /// Whether nothing plays, stands still or fades, and nothing is planned.
  fileprivate var isNothing: Bool { state == .stopped && fading.isEmpty && plannedCount == 0 }
}

/// What a stop says where nothing played as it was about to be asked for: something may have begun since, and is stopped.
func nothingStopped(_ atUs: Int64?, plan: Int64? = nil) -> String {
  if atUs == nil { return "stopped; nothing was playing just before" }
  return "stops what plays at that instant; nothing plays now" + (plan.map { " (plan \($0))" } ?? "")
}
