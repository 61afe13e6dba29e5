// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import Problems

/// How a PCM takes its frames.
struct DeviceLayout: Equatable, Sendable {
  var format: SampleFormat
  var channels: Int

  /// Formats and numbers of channels in order of preference.
  private static let formats = SampleFormat.allCases
  private static let channelCounts = [2, 1, 4, 6, 8]

  /// Narrows `hardware`, the parameters of `pcm`, to the first layout they allow, `preferred` before all others.
  init(
    choosing pcm: OpaquePointer, _ hardware: OpaquePointer, _ name: String, preferred: DeviceLayout? = nil
  ) throws(Problem) {
    let formats = (preferred.map { [$0.format] } ?? []) + Self.formats
    guard let format = formats.first(where: { snd_pcm_hw_params_set_format(pcm, hardware, $0.alsa) >= 0 }) else {
      let names = Self.formats.map(\.name).joined(separator: ", ")
      throw refused(name, "a sample format among \(names)", EINVAL)
    }
    let counts = (preferred.map { [$0.channels] } ?? []) + Self.channelCounts
    guard let channels = counts.first(where: { snd_pcm_hw_params_set_channels(pcm, hardware, UInt32($0)) >= 0 }) else {
      throw refused(name, "1, 2, 4, 6 or 8 channels", EINVAL)
    }
    self.format = format
    self.channels = channels
  }

  /// The layout that the device of that name takes, whatever its rate; nil where it cannot be asked.
  init?(of name: String) {
    var handle: OpaquePointer?
    guard snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) >= 0, let pcm = handle else {
      return nil
    }
    defer { snd_pcm_close(pcm) }
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) >= 0, let hardware = allocated else { return nil }
    defer { snd_pcm_hw_params_free(hardware) }
    guard snd_pcm_hw_params_any(pcm, hardware) >= 0 else { return nil }
    do throws(Problem) { try self.init(choosing: pcm, hardware, name) } catch { return nil }
  }
}

extension SampleFormat {
  fileprivate var alsa: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .signed32: SND_PCM_FORMAT_S32_LE
    case .signed24: SND_PCM_FORMAT_S24_LE
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .signed16: SND_PCM_FORMAT_S16_LE
    }
  }
}

/// What a PCM refused, and what to do.
func refused(_ name: String, _ what: String, _ code: Int32) -> Problem {
  let others = [alsaBridge(to: name), "default"].compactMap(\.self).filter { $0 != name }.map { "`\($0)`" }
  let remedy =
    others.isEmpty ? "choose another device, `aplay -L` lists them" : "play through " + others.joined(separator: " or ")
  return Problem(
    .parametersRefused, device: name, "the sound device \(name) refuses \(what): \(reason(code))", remedy: remedy)
}
