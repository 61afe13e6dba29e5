// SPDX-License-Identifier: Apache-2.0

/// Daemons that hold as much of one thing as one user may ask for: two clients of it, the one that asks and another, each
/// with nearly all that is its; or records of all that thousands of clients asked that have come and gone.
enum FullDaemon: String, CaseIterable {
  case empty, sounds, music, cues, parameters, players, chapter, tones, records

  /// Clients besides that are told everything; with the askers they are all that one user may have.
  static let listeners = 44

  /// Clients that come and go: of each there are its coming, its going and what it asks, which fill the table of records.
  private static let guests = 6_600

  /// One filled anew.
  func make(packs: String) throws -> MeasuredDaemon {
    let daemon = try MeasuredDaemon(packs: packs, listeners: self == .empty ? 0 : Self.listeners)
    if self == .empty { return daemon }
    let clients = [daemon.asker, try daemon.connect()]
    let now = daemon.host.now.microseconds
    if self == .records { try daemon.comeAndGo(Self.guests) }
    try daemon.fill(clients[0], [#"{"id":1,"method":"music.play","params":{"track":"starlight-sync:audio_bgm_main"}}"#])
    // So that half of the records are of after what is asked about, which is dearer than to find nothing.
    if self == .records { try daemon.comeAndGo(Self.guests / 2) }
    for (number, client) in clients.enumerated() {
      try daemon.fill(client, lines(of: number, now: now))
    }
    return daemon
  }

  /// What one of the two asks for. Plans lie a minute ahead, so that nothing of them happens meanwhile.
  private func lines(of client: Int, now: Int64) -> [String] {
    let room = 1_024 - 8
    return (0..<room).compactMap { number -> String? in
      let at = now + 60_000_000 + Int64(2 * number + client) * 25_000
      switch self {
      case .empty, .records: return nil
      case .sounds: return ask("sound.play", #""sound":"starlight-sync:sfx_click","atUs":\#(at)"#)
      case .music:
        let track = number % 2 == 0 ? "audio_bgm_main" : "audio_bgm_finale"
        return ask("music.play", #""track":"starlight-sync:\#(track)","crossfadeUs":2000000,"atUs":\#(at)"#)
      case .cues: return number < room / 2 ? ask("cue.fire", #""cue":"starlight-sync:collect","atUs":\#(at)"#) : nil
      // It drives two things, each of which is a step.
      case .parameters:
        if number >= room / 2 { return nil }
        return ask("parameter.set", #""parameter":"starlight-sync:menu","value":0.5,"atUs":\#(at)"#)
      case .players:
        return number < 10 ? ask("haptics.play", #""pattern":"starlight-sync:heartbeat","loop":true"#) : nil
      case .tones:
        let dear = #""ahap":\#(manyTones(650, under: 1_500)),"offsetUs":28000000"#
        let asked = [ask("haptics.play", dear), ask("haptics.play", dear), ask("haptics.pause", #""player":2"#)]
        return client == 0 && number < asked.count ? asked[number] : nil
      case .chapter: return client + number == 0 ? ask("rhythm.start", #""chapter":"starlight-sync:firewall""#) : nil
      }
    }
  }

  private func ask(_ method: String, _ params: String) -> String {
    "{\"id\":1,\"method\":\"\(method)\",\"params\":{\(params)}}"
  }
}
