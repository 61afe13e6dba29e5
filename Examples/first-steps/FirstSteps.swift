// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient

/// The smallest front end in Swift: music, a cue, a chapter tapped on its beats. It waits while there is no daemon.
@main struct FirstSteps {
  static func main() async throws {
    let starlight = try Starlight(pack: "first-steps", name: "first steps in Swift")
    for await event in starlight.events(of: [.rhythm]) {
      do throws(ClientError) {
        switch event {
        case .connected:
          // Comes again when the daemon comes back. The daemon knows nothing of earlier clients. Ask for everything
          // again, except the pack and the topics: the client has asked for those.
          try await starlight.request(MusicPlay.self, .init(track: "loop"))
          try await starlight.request(CueFire.self, .init(cue: "hello"))
          // Begins in a second. Without a lease the chapter ends with this program, not 10 s later.
          let start = starlight.nowUs + 1_000_000
          try await starlight.request(RhythmStart.self, .init(chapter: "tap", atUs: start, leaseUs: 0))
        case .disconnected(let why): throw why
        case .told(.rhythmBeat, tUs: _):
          // A game does this when a key is pressed, and may do it in a frame: `send` waits for nothing. The stamp
          // counts, not the arrival of the line.
          try starlight.send(RhythmTap.self, .init(atUs: starlight.nowUs))
        case .told(.rhythmJudgement(let told), tUs: _):
          print("beat \(told.beat ?? -1): \(told.verdict), \(told.errorUs ?? 0) us")
        case .told(.rhythmComplete(let told), tUs: _):
          print("\(told.score.hits) hits, \(told.score.misses) misses")
          return
        case .refused(let refusal): print("\(refusal.method) was refused: \(refusal.error)")
        case .lost(let lost): print("too slow to hear everything: \(lost)")
        case .told, .answered, .packRead: break
        }
      } catch {
        print(error)
        // The daemon is away, or it has refused something. It would refuse that again: a person has to fix it.
        if case .rpc = error.kind { exit(1) }
      }
    }
  }
}
