// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// Whether what a daemon plays is heard, and if not, why.
struct Hearing {
  /// Why not, for people; nil where it is heard.
  let silence: String?

  /// What a player can switch off by itself.
  enum Bus {
    case music, sound
  }

  /// By the kind of the audio output and the player's settings.
  init(audio kind: EngineStatus.Audio.Kind, _ settings: Settings, _ bus: Bus) {
    let (isOn, volume, name) =
      switch bus {
      case .music: (settings.music, settings.musicVolume, "music")
      case .sound: (settings.sound, settings.soundVolume, "sound")
      }
    silence =
      switch kind {
      case .alsa where !isOn: "not heard: \(name) is switched off, `starlight settings \(name)=on`"
      case .alsa where settings.masterVolume == 0:
        "not heard: the volume of everything is 0, `starlight settings master=1`"
      case .alsa where volume == 0: "not heard: the volume of \(name) is 0, `starlight settings \(name)=1`"
      case .alsa: nil
      case .stepped: "not heard: the clock is stepped"
      case .null: "no sound device: heard nowhere"
      }
  }

  /// "heard in 5.3 ms", or that it is not.
  func text(_ scheduledUs: Int64) -> String { silence ?? due("heard", scheduledUs) }

  /// ", heard in 5.3 ms" of what only changes or ends; nothing where nothing is heard.
  func note(_ scheduledUs: Int64) -> String { silence == nil ? ", " + due("heard", scheduledUs) : "" }
}

extension StarlightConnection {
  /// Asks whether what plays on `bus` is heard.
  func hearing(_ bus: Hearing.Bus) throws(ToolFailure) -> Hearing {
    let status = try ask(EngineStatus.self, Empty())
    return Hearing(audio: status.audio.kind, status.settings, bus)
  }
}
