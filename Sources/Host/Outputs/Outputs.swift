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
    if let path = configuration.recordPath { recording = try Self.recording(path, rate: configuration.rate) }
    return .stepped(SteppedAudio(mixer: controller.mixer, rate: configuration.rate, recording: recording))
  }

  /// A WAV file for what is not played by a device.
  static func recording(_ path: String, rate: Int) throws(HostError) -> Recording {
    do throws(Problem) { return try Recording(path: path, rate: rate) } catch { throw HostError("\(error)") }
  }
}
