// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Mixing
import Problems
import SoundFiles

extension Host {
  /// Live: the device or the null device with the decode thread. Stepped: no thread at all.
  static func openAudio(
    _ configuration: HostConfiguration, controller: MixerController, feeder: StreamFeeder
  ) throws(HostError) -> Driver {
    if configuration.clock == .live {
      return .live(try LiveAudio(configuration, controller: controller, feeder: feeder))
    }
    var recording: Recording?
    if let path = configuration.recordPath {
      do throws(Problem) {
        recording = try Recording(path: path, rate: configuration.rate)
      } catch {
        throw HostError("\(error)")
      }
    }
    return .stepped(SteppedAudio(mixer: controller.mixer, rate: configuration.rate, recording: recording))
  }
}
