// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Problems

/// Writes `samples` as a WAV file of one channel and 16 bits, of `rate` frames a second.
func writeWave(_ samples: [Float], rate: Int, to path: String) throws(ToolFailure) {
  do throws(Problem) {
    var writer = try WaveWriter(path: path, named: path, rate: rate, channels: 1, encoding: .signed16)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
    defer { buffer.deallocate() }
    _ = buffer.initialize(from: samples)
    try writer.write(UnsafeBufferPointer(buffer))
    try writer.close()
  } catch {
    throw ToolFailure(error, kind: .unwritable)
  }
}
