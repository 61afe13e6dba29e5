// SPDX-License-Identifier: Apache-2.0

import CALSA

/// What stands behind a PCM, as far as it matters for how much is kept ahead.
enum PCMKind: Equatable, Sendable {
  /// A card.
  case hardware
  /// PipeWire by its plug-in, which asks the graph for a quantum of our period.
  case pipeWire
  /// Another server, or alsa-lib's own conversions and sharing.
  case shared

  /// What a PCM is: plug-ins are known by the name they give themselves, also behind alsa-lib's conversions.
  init(of pcm: OpaquePointer) {
    self =
      if snd_pcm_type(pcm) == SND_PCM_TYPE_HW {
        .hardware
      } else if describePCM(pcm).contains("PipeWire PCM") {
        .pipeWire
      } else {
        .shared
      }
  }
}

/// What alsa-lib says of a PCM, for people; nothing where it cannot.
private func describePCM(_ pcm: OpaquePointer) -> String {
  var output: OpaquePointer?
  guard snd_output_buffer_open(&output) >= 0, let output else { return "" }
  defer { snd_output_close(output) }
  guard snd_pcm_dump(pcm, output) >= 0 else { return "" }
  var text: UnsafeMutablePointer<CChar>?
  let length = snd_output_buffer_string(output, &text)
  guard let text else { return "" }
  return text.withMemoryRebound(to: UInt8.self, capacity: length) {
    String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
  }
}
