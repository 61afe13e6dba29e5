// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// One bus: what its voices add up to in the block at hand, and the gain it goes on with.
struct BusStrip: BitwiseCopyable {
  /// The block's sum, interleaved; valid when `isTouched`. It grows in room of the bus's own, or straight in the mix.
  private(set) var sum: UnsafeMutablePointer<Float>
  private let room: UnsafeMutablePointer<Float>
  /// Whole-block runs that wait for an eighth, to be added in one go.
  let lines: UnsafeMutablePointer<GainLine>
  var lineCount = 0
  var isTouched = false

  /// The gain asked for, and ducking as its dip.
  var path = GainPath() {
    @_noLocks didSet { unityFrom = path.unityFrom }
  }
  /// The first frame from which samples pass unchanged.
  private(set) var unityFrom: Int64 = 0
  /// The frame at which its gain, on its way, comes to 0, or `.max`.
  private(set) var muteAt = Int64.max
  /// Whether its gain has come to 0 and stays there.
  private(set) var isMuted = false
  private let kernel: rt_mix_kernel
  /// What dulls it.
  var lowPass: LowPass

  init(blockFrames: Int, rate: Int, declick: Fade, kernel: rt_mix_kernel) {
    self.kernel = kernel
    lowPass = LowPass(rate: rate, declick: declick)
    room = .room(2 * blockFrames)
    sum = room
    lines = .allocate(capacity: 8)
    lines.initialize(repeating: .silent(sum), count: 8)
  }

  func deallocate() {
    room.deallocate()
    lines.deallocate()
  }

  // MARK: Gains

  /// Changes the gain asked for. Whether the bus is muted no more by that.
  @_noLocks mutating func setGain(_ gain: Float, at frame: Int64, fade: Fade) -> Bool {
    let wanted = Voice.sane(gain)
    path.level = Ramp(from: path.level.value(at: frame), to: wanted, start: frame, fade: fade)
    let wasMuted = isMuted
    isMuted = wasMuted && wanted == 0
    muteAt = wanted == 0 && !isMuted ? path.level.end : .max
    return wasMuted && !isMuted
  }

  /// Sets what ducking makes of the bus.
  @_noLocks mutating func setDip(_ gain: Ramp) { path.dip = gain }

  /// Drives the gain on top of the one asked for: a bus is not panned, so both sides are free for it.
  @_noLocks mutating func drive(to gain: Float, at frame: Int64, fade: Fade) {
    let driven = Ramp(from: path.left.value(at: frame), to: gain, start: frame, fade: fade)
    path.left = driven
    path.right = driven
  }

  /// The frame `muteAt` has come.
  @_noLocks mutating func mute() {
    isMuted = true
    muteAt = .max
  }

  // MARK: Summing, in the order of the calls

  @_noLocks mutating func beginBlock() {
    lineCount = 0
    isTouched = false
    sum = room
  }

  /// Lets the block's sum grow in `mix` itself.
  @_noLocks mutating func sumUp(in mix: UnsafeMutablePointer<Float>) { sum = mix }

  /// Takes the sum out of the mix after all.
  @_noLocks mutating func moveOut(_ frames: Int) {
    rt_copy(room, sum, 2 * frames * MemoryLayout<Float>.stride)
    sum = room
  }

  /// Where to put the next run that fills a block.
  var nextLine: UnsafeMutablePointer<GainLine> { @_noLocks get { lines + lineCount } }

  /// Adds the run at `nextLine`, which fills the block of `frames` frames.
  @_noLocks mutating func takeLine(frames: Int) {
    lineCount &+= 1
    if lineCount == 8 { flush(frames) }
  }

  /// Adds a run of `count` frames from the block's frame `offset` on.
  @_noLocks mutating func add(
    part line: UnsafePointer<GainLine>, count: Int, offset: Int, blockFrames: Int
  ) {
    prepareForPart(blockFrames)
    rt_mix_lines(kernel, line, 1, sum + 2 * offset, count, false)
  }

  /// Adds a run with gains of its own for every sample.
  @_noLocks mutating func add(
    _ source: rt_samples, gains: UnsafePointer<Float>, count: Int, offset: Int, blockFrames: Int
  ) {
    prepareForPart(blockFrames)
    rt_mix_gains(kernel, source, gains, sum + 2 * offset, 2 * count)
  }

  /// Adds what still waits.
  @_noLocks mutating func flush(_ frames: Int) {
    if lineCount == 0 { return }
    rt_mix_lines(kernel, lines, lineCount, sum, frames, !isTouched)
    isTouched = true
    lineCount = 0
  }

  /// Dulls the sum of a block that is all there; where nothing was added, what rings on.
  @_noLocks mutating func dull(_ frames: Int, at frame: Int64) {
    if !isTouched {
      if lowPass.isAtRest { return }
      prepareForPart(frames)
    }
    lowPass.filter(sum, from: frame, count: frames)
  }

  @_noLocks private mutating func prepareForPart(_ blockFrames: Int) {
    flush(blockFrames)
    if !isTouched { rt_zero(sum, 2 * blockFrames * MemoryLayout<Float>.stride) }
    isTouched = true
  }
}
