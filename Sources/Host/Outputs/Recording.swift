// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Problems

/// A WAV file that a stepped clock's sound goes to. Once a write has failed, nothing more is written.
final class Recording {
  private var writer: WaveWriter?
  private(set) var failure: Problem?

  init(path: String, rate: Int) throws(Problem) { writer = try WaveWriter(path: path, rate: rate) }

  func write(_ samples: UnsafeBufferPointer<Float>) {
    do throws(Problem) { try writer?.write(samples) } catch { fail(error) }
  }

  func finish() {
    do throws(Problem) { try writer?.finish() } catch { fail(error) }
    writer = nil
  }

  private func fail(_ error: Problem) {
    failure = error
    writer = nil
  }
}
