// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import StarlightClient

/// What is asked of the daemon, each without waiting for an answer.
enum Ask: Equatable {
  /// To be heard and felt as soon as can be: it was seen just now.
  case fire(Cue)
  case set(SettingsSet.Params)
  case play(MusicPlay.Params)
  /// Music that nobody asked for.
  case stopMusic(fadeUs: Int64?)
  /// Everything stands, whatever daemon comes, and goes on in place.
  case hold, letGo
}

extension Starlight {
  /// Sends it; what the daemon refuses comes back as an event.
  func send(_ ask: Ask) throws(ClientError) {
    switch ask {
    case .fire(let cue): try send(CueFire.self, .init(cue: cue.name))
    case .set(let settings): try send(SettingsSet.self, settings)
    case .play(let music): try send(MusicPlay.self, music)
    case .stopMusic(let fadeUs): try send(MusicStop.self, .init(fadeUs: fadeUs))
    case .hold: hold()
    case .letGo: letGo()
    }
  }
}
