// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// A pack that this program wrote for the daemon to play, which has it until it is taken out.
struct PlayedPack {
  private let name: String
  private let connection: StarlightConnection

  /// Has the daemon read the pack of that name from `folder`; fails where it does not take it, with what it says of it.
  init(_ name: String, in folder: String, _ connection: StarlightConnection) throws(ToolFailure) {
    let reading = try PackReloadingCommands.ask(connection, toLoad: folder)
    guard reading.taken else {
      throw ToolFailure(
        "starlightd does not take what is to be played: \(reading.problems.map { "\($0)" }.joined(separator: "; "))",
        hint: "the daemon must be able to read \(folder)")
    }
    (self.name, self.connection) = (name, connection)
  }

  /// Has the daemon forget it, as far as that can be had: what was to be played has been.
  func takeOut() { _ = try? connection.call(PackUnload.self, PackUnload.Params(pack: name)) }
}

extension StarlightConnection {
  /// How long behind its end a chapter may take to say so.
  private static let patienceUs: Int64 = 3_000_000

  /// Starts a chapter and has it followed, until `endUs` at the latest; leaves nothing playing.
  func playChapter(
    _ params: RhythmStart.Params, _ follow: (_ endUs: Int64) throws(ToolFailure) -> Void
  ) throws(ToolFailure) {
    try subscribe(to: [.rhythm])
    let started = try ask(RhythmStart.self, params)
    do throws(ToolFailure) {
      try follow(started.endUs + Self.patienceUs)
    } catch {
      _ = try? call(RhythmStop.self, Empty())
      throw error
    }
    _ = try? call(MusicStop.self, FadeParams(atUs: nil))
  }
}
