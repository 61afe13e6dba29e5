// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient

/// The smallest front end in Swift: music, a cue, a chapter tapped on its beats. The client waits for a daemon that is away.
@main struct FirstSteps {
  static func main() async throws {
    let starlight = try Starlight(pack: "first-steps", name: "first steps in Swift")
    for await event in starlight.events(of: [.rhythm]) {
      do throws(ClientError) {
        switch event {
        case .connected:
          // Comes again when the daemon comes back. It knows nothing of who was there before: all is asked anew, but
          // for the pack and the topics, which the client has seen to.
          try await starlight.request(MusicPlay.self, .init(track: "loop"))
          try await starlight.request(CueFire.self, .init(cue: "hello"))
          // In a second; without a lease it ends with this program, and not 10 s later.
          let start = starlight.nowUs + 1_000_000
          try await starlight.request(RhythmStart.self, .init(chapter: "tap", atUs: start, leaseUs: 0))
        case .disconnected(let why): throw why
        case .told(.rhythmBeat, tUs: _):
          // A game does this when a key is pressed, from a frame too: it waits for nothing. The stamp is what counts,
          // not when the line arrives.
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
        // It is away, or has refused something, as it would again: that is for people to mend.
        if case .rpc = error.kind { exit(1) }
      }
    }
  }
}
