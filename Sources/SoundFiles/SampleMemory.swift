/// Stereo samples that never change, at an address that never moves, aligned to 64 bytes (a cache line).
final class SampleMemory: @unchecked Sendable {
  // Sendable is true: the memory is written inside init only and freed when nobody holds it.

  /// Interleaved stereo.
  let samples: UnsafePointer<Float>
  let frames: Int

  /// The next `frames` frames of `reader`, with silence behind its end. Throws when its file breaks off before.
  init(frames: Int, from reader: TrackReader) throws(SoundFileError) {
    let count = max(1, 2 * frames)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
    let samples = memory.bindMemory(to: Float.self, capacity: count)
    samples.initialize(repeating: 0, count: count)
    var done = 0
    do throws(SoundFileError) {
      while case let got = try reader.read(into: samples + 2 * done, frames: frames - done), got > 0 { done += got }
    } catch {
      memory.deallocate()
      throw error
    }
    self.samples = UnsafePointer(samples)
    self.frames = frames
  }

  deinit { UnsafeMutableRawPointer(mutating: samples).deallocate() }
}
