// SPDX-License-Identifier: Apache-2.0

import HapticOutput
import Haptics
import StarlightClient
import Timing
import Wire

/// Plays through a daemon; where that has no pad, a sound device of this program's own lets it be heard.
final class DaemonAuditionPlayer: AuditionPlayer {
  private let connection: StarlightConnection
  private let manner: AuditionManner
  private let hasPad: Bool
  private let hasLog: Bool
  private var played: PlayedPattern?
  private var listener: HapticListener?
  private(set) var audibility = Audibility.unasked
  private var unsent: String?
  /// A player that no daemon gives out.
  private static let nobody = PlayedPattern(player: -1)

  init(_ connection: StarlightConnection, _ manner: AuditionManner) throws(ToolFailure) {
    self.connection = connection
    self.manner = manner
    let status = try connection.subscribe(to: [.haptics])
    hasPad = HapticSelection(manner.pads)?.isFelt(through: status.haptics) ?? false
    hasLog = status.haptics.contains { $0.kind == .log }
  }

  var descriptors: [Int32] { [connection.descriptor] }
  var endUs: Int64? { nil }
  var canPlay: Bool { true }

  var silence: ToolFailure? {
    hasPad || audibility.isHeard ? nil : silence(because: padlessness)
  }

  private var padlessness: String {
    manner.padlessness
      ?? (manner.pads == "all" ? "the daemon has no pad" : "the daemon can play on no pad \(manner.pads)")
  }

  var notes: [String] {
    let way = hasLog ? "it is written to the haptic log" : "nothing is felt"
    let unsent = unsent.map { [$0] } ?? []
    if let silence { return silence.notes + (hasLog ? [way] : []) + unsent }
    return (hasPad ? [] : ["\(padlessness), \(way)"]) + unsent + (audibility.note.map { [$0] } ?? [])
  }

  func start(_ pattern: AuditionedPattern) throws(ToolFailure) -> Int64 {
    let document = try pattern.source.sendable()
    listener?.fadeOut()
    listener = nil
    (listener, audibility) = openListener(pattern.pattern, manner, isFelt: hasPad)
    unsent = pattern.source.unsent
    let result = try connection.ask(
      HapticsPlay.self,
      HapticsPlay.Params(
        pattern: pattern.source.name, ahap: document, rate: manner.rate == 1 ? nil : manner.rate,
        loop: manner.loops ? true : nil, replaces: try stillPlaying()?.player,
        device: manner.pads == "all" ? nil : manner.pads))
    guard let player = result.player else {
      throw ToolFailure("haptics are switched off, and so the pattern is skipped; `starlight settings haptics=on`")
    }
    played = PlayedPattern(player: player)
    _ = listener?.start(at: Instant(microseconds: result.scheduledUs), loops: manner.loops)
    return result.scheduledUs
  }

  func stop() throws(ToolFailure) {
    if let played = try stillPlaying() {
      _ = try connection.ask(HapticsStop.self, HapticsStop.Params(player: played.player))
    }
    played = nil
  }

  func endSoFar() throws(ToolFailure) -> PlayedPattern.End? {
    // Also while nothing plays all that is told is taken in, and the daemon's own end noticed.
    guard let end = try (played ?? Self.nobody).endSoFar(connection) else { return nil }
    played = nil
    return end
  }

  func end() {
    listener?.fadeOut()
    listener = nil
  }

  /// What has not ended by itself: only that can be replaced or stopped.
  private func stillPlaying() throws(ToolFailure) -> PlayedPattern? {
    _ = try endSoFar()
    return played
  }
}

extension HapticSelection {
  /// Whether one of these pads is among a daemon's `outputs`, able to play, and not turned down to nothing.
  func isFelt(through outputs: [EngineStatus.HapticOutput]) -> Bool {
    outputs.contains { output in
      output.kind.isFelt && output.state == .ready && output.gain > 0
        && contains(name: output.name, path: output.path)
    }
  }
}
