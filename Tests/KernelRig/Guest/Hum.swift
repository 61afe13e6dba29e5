// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// A constant that lasts far longer than an effect, asked for by two clients: it is renewed without a hole, and ends with
/// its stop; that of the other client, which repeats, fades out with that client.
struct Hum {
  private let set: PadSet
  private let daemon: Daemon
  private let player: Int64
  private let leaving: StarlightConnection

  /// Asks for it.
  init(_ set: PadSet, of daemon: Daemon, at instantUs: Int64) throws {
    (self.set, self.daemon) = (set, daemon)
    let played = try daemon.play("hum", on: "\(set.rumble.name),\(set.wave.name)", at: instantUs)
    guard let player = played.player else { throw RigFailure("the hum is skipped: \(played)") }
    self.player = player
    leaving = try StarlightConnection(path: daemon.socketPath)
    let params = HapticsPlay.Params(
      pattern: "hum", atUs: instantUs, loop: true, device: "\(set.twin.name),\(set.push.name)")
    _ = try leaving.call(HapticsPlay.self, params)
  }

  /// Stops it. The other client leaves when this is let go of.
  func end() throws -> Ends {
    let stopUs = monotonicUs()
    _ = try daemon.connection.call(HapticsStop.self, HapticsStop.Params(player: player))
    return Ends(set: set, stopUs: stopUs, goneUs: monotonicUs())
  }

  /// When it ended.
  struct Ends {
    /// What repeats fades for so long when its client has gone.
    private static let fadeUs: Int64 = 50_000

    let set: PadSet
    let stopUs: Int64
    let goneUs: Int64

    func check(_ histories: [MotorHistory], _ judge: PadJudge, _ report: inout Report) {
      for (pad, history) in zip(set.all, histories) {
        report.part = pad.name
        let holes = zip(history.spans, history.spans.dropFirst()).count { $0.toUs < $1.fromUs - 1_000 }
        report.check(
          "renewed without a hole", history.spans.count >= 5 && holes == 0,
          "\(history.spans.count) plays, \(holes) holes")
        if pad === set.rumble || pad === set.wave {
          judge.checkSilence("silent after stop", history, since: stopUs, &report)
        } else {
          judge.checkSilence(
            "silent after disconnect", history, since: goneUs,
            withinUs: PadJudge.intervalUs + 2 * PadJudge.jitterUs + Self.fadeUs, &report)
        }
        if let span = history.spans.first {
          judge.checkLaw("hum by the law", span, of: pad, intensity: 0.6, sharpness: 0.2, &report)
        }
      }
    }
  }
}
