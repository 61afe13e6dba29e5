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
