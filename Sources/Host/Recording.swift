// SPDX-License-Identifier: Apache-2.0

import AudioOutput

/// A WAV file that a stepped clock's sound goes to. Once a write has failed, nothing more is written.
final class Recording {
  private var writer: WaveWriter?
  private(set) var failure: AudioOutputError?

  init(path: String, rate: Int) throws(AudioOutputError) { writer = try WaveWriter(path: path, rate: rate) }

  func write(_ samples: UnsafeBufferPointer<Float>) {
    do throws(AudioOutputError) { try writer?.write(samples) } catch { fail(error) }
  }

  func finish() {
    do throws(AudioOutputError) { try writer.take()?.close() } catch { fail(error) }
  }

  private func fail(_ error: AudioOutputError) {
    failure = error
    writer = nil
  }
}
