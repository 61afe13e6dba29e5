// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Problems

/// Writes `samples` as a WAV file of one channel and 16 bits, of `rate` frames a second.
func writeWave(_ samples: [Float], rate: Int, to path: String) throws(ToolFailure) {
  var rest = samples[...]
  try writeWave(samples.count, rate: rate, to: path, named: path) { part in
    _ = part.initialize(from: rest.prefix(part.count))
    rest = rest.dropFirst(part.count)
  }
}

/// The same of `count` samples that `render` makes, a second of them at a time; failures call the file `name`.
func writeWave(
  _ count: Int, rate: Int, to path: String, named name: String, render: (UnsafeMutableBufferPointer<Float>) -> Void
) throws(ToolFailure) {
  do throws(Problem) {
    var writer = try WaveWriter(path: path, named: name, rate: rate, channels: 1, encoding: .signed16)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: rate)
    defer { buffer.deallocate() }
    var left = count
    while left > 0 {
      let part = UnsafeMutableBufferPointer(rebasing: buffer[..<min(left, rate)])
      render(part)
      try writer.write(UnsafeBufferPointer(part))
      left -= part.count
    }
    try writer.finish()
  } catch {
    throw ToolFailure(error, kind: .unwritable)
  }
}
