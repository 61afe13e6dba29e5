// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// Whether what a daemon plays is heard, and if not, why.
struct Hearing {
  /// Why not, for people; nil where it is heard.
  let silence: String?

  /// By the kind of the audio output, the player's settings, and whether the engine stands.
  init(audio kind: EngineStatus.Audio.Kind, _ settings: Settings, _ bus: HeardBus, isPaused: Bool = false) {
    let (isOn, volume, name) =
      switch bus {
      case .music: (settings.music, settings.musicVolume, "music")
      case .sound: (settings.sound, settings.soundVolume, "sound")
      case .voice: (settings.sound, settings.voiceVolume, "voice")
      }
    // Speech has a volume of its own, and the switch of all sounds.
    let named = bus == .voice ? "sound" : name
    silence =
      switch kind {
      case .alsa where isPaused: "not heard until the engine goes on: it is paused"
      case .alsa where !isOn: "not heard: \(named) is switched off, `starlight settings \(named)=on`"
      case .alsa where settings.masterVolume == 0:
        "not heard: the volume of everything is 0, `starlight settings master=1`"
      case .alsa where volume == 0: "not heard: the volume of \(name) is 0, `starlight settings \(name)=1`"
      case .alsa: nil
      case .stepped: "not heard: the clock is stepped"
      case .null: "no sound device: heard nowhere"
      }
  }

  /// What is on several is heard where one of them is; what is on none, such as a stop, may be of any.
  init(_ status: EngineStatus.Result, onAnyOf buses: [HeardBus]) {
    let each = (buses.isEmpty ? HeardBus.allCases : buses).map { Self(status, $0) }
    silence = each.contains { $0.silence == nil } ? nil : each.first?.silence
  }

  /// By all that the daemon says of itself.
  init(_ status: EngineStatus.Result, _ bus: HeardBus) {
    self.init(audio: status.audio.kind, status.settings, bus, isPaused: status.paused != nil)
  }

  /// "heard in 5.3 ms", or that it is not.
  func text(_ scheduledUs: Int64) -> String { silence ?? due("heard", scheduledUs) }

  /// ", heard in 5.3 ms" of what only changes or ends; nothing where nothing is heard.
  func note(_ scheduledUs: Int64) -> String { silence == nil ? ", " + due("heard", scheduledUs) : "" }
}

extension StarlightConnection {
  /// Asks whether what plays on `bus` is heard.
  func hearing(_ bus: HeardBus) throws(ToolFailure) -> Hearing { Hearing(try ask(EngineStatus.self, Empty()), bus) }
}
