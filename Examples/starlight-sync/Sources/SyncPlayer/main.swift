// SPDX-License-Identifier: Apache-2.0

// Plays the whole story as a person would who sees what is drawn, and logs what it saw and did. Beside a daemon on the stepped
// clock it makes the time itself, frame by frame; beside one in real time it sleeps from frame to frame.

import Glibc
import StarlightClient
import SyncFrontEnd
import SyncRules

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  guard let state = options.state, let path = options.log, let log = PlayerLog(path) else {
    throw Options.Failure(text: "--state and --log say where to write, and must be writable")
  }
  defer { log.finish() }
  let starlight = try Starlight(pack: "starlight-sync", name: "starlight-sync player", path: options.socket)
  var play = try PlayedStory(options, starlight, StateFile(folder: state), log)
  try await play.run()
} catch let failure as Options.Failure {
  print("\(failure.text)\n\(Options.usage)")
  exit(2)
} catch {
  print("\(error)")
  exit(1)
}
