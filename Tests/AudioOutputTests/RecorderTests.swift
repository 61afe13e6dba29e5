import Testing

@testable import AudioOutput

@Suite struct RecorderTests {
  /// Pushes `frames` frames of `value` as if rendered from `frame` on.
  private func push(_ value: Float, frames: Int, at frame: Int64, to recorder: Recorder) {
    let samples = [Float](repeating: value, count: 2 * frames)
    samples.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { recorder.tap.push(base, frames: frames, at: frame) }
    }
  }

  @Test func whatWasRenderedIsInTheFileAndGapsAreSilent() throws {
    let file = TemporaryFile()
    let recorder = try Recorder(path: file.path, rate: 48_000, first: 5_000)
    push(0.25, frames: 100, at: 5_000, to: recorder)
    push(0.5, frames: 50, at: 5_100, to: recorder)
    push(0.75, frames: 10, at: 5_170, to: recorder)
    #expect(recorder.finish() == nil)
    let floats = file.floats(after: 58)
    let expected =
      [Float](repeating: 0.25, count: 200) + [Float](repeating: 0.5, count: 100) + [Float](repeating: 0, count: 40)
      + [Float](repeating: 0.75, count: 20)
    #expect(floats == expected)
    #expect(recorder.overrunFrames == 0)
  }

  @Test func whatDoesNotFitIsCounted() {
    let rings = UnsafeMutablePointer<RecorderRings>.allocate(capacity: 1)
    rings.initialize(to: RecorderRings(capacityFrames: 256))
    defer {
      rings.deinitialize(count: 1)
      rings.deallocate()
    }
    let tap = RecorderTap(rings: rings)
    let block = [Float](repeating: 1, count: 400)
    block.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      tap.push(base, frames: 200, at: 0)
      tap.push(base, frames: 200, at: 200)
      tap.push(base, frames: 56, at: 400)
    }
    #expect(rings.pointee.overrunFrames.load(ordering: .relaxed) == 200)
    #expect(rings.pointee.samples.count == 512)
  }
}
