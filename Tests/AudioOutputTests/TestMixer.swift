// SPDX-License-Identifier: Apache-2.0

import Mixing

/// A mixer that plays a looping, never silent sound from frame 480 on; two of them render the same.
final class TestMixer {
  let controller = MixerController()
  private let samples: UnsafeMutableBufferPointer<Float>

  var pointer: UnsafeMutablePointer<Mixer> { controller.mixer }

  init() {
    samples = .allocate(capacity: 2 * 1_000)
    for index in samples.indices { samples.initializeElement(at: index, to: Float(index % 777) / 2_000 + 0.1) }
    guard let base = samples.baseAddress else { return }
    let source = ResidentSource(samples: .float(base), frames: 1_000, loop: 0..<1_000)
    let start = VoiceStart<VoiceSource>(id: VoiceID(rawValue: 1), source: .resident(source), bus: .music, at: 480)
    _ = controller.submit([.start(start)])
  }

  deinit { samples.deallocate() }

  /// The next frames, rendered here and now.
  func render(_ frames: Int) -> [Float] {
    var output = [Float](repeating: 0, count: 2 * frames)
    output.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { pointer.pointee.render(into: base, frames: frames) }
    }
    return output
  }
}
