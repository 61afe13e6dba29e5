// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A daemon on the stepped clock, with a pack of the game's name that is felt alone.
final class RealDaemon {
  let socket: String
  var processIdentifier: Int32 { program.process.processIdentifier }
  private let program: RealProgram

  /// Starts it with these cues; it records in the folder.
  init(cues: [String], in folder: TemporaryFolder) throws {
    let pack = folder.path + "/packs/starlight-sync"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    let felt = #"{ "steps": [{ "transient": { "intensity": 1, "sharpness": 0.5 } }] }"#
    let named = cues.map { #""\#($0)": \#(felt)"# }.joined(separator: ", ")
    let text =
      #"{ "name": "starlight-sync", "title": "Sync", "version": "1", "cues": { \#(named) }, "parameters": { "slider": { "#
      + #""targets": [{ "bus": "music", "gain": { "power": 1, "from": 1, "to": 0.5 } }] } } }"#
    try Data(text.utf8).write(to: URL(filePath: pack + "/pack.json"))
    socket = folder.path + "/socket"
    program = try RealProgram(
      Self.path,
      [
        "--clock", "stepped", "--socket", socket, "--packs", folder.path + "/packs", "--record",
        folder.path + "/heard.wav", "--haptic-log", folder.path + "/felt",
      ], "daemon", in: folder)
  }

  /// Ends it in order, so that its recording is whole.
  func end() {
    program.process.interrupt()
    program.process.waitUntilExit()
  }

  private static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
  /// Of the root package, which `make test` builds first.
  private static let path = package + "/../../.build/debug/starlightd"
}
