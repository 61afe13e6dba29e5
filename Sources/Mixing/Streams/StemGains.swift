// SPDX-License-Identifier: Apache-2.0

/// The gains that the stems of a track begin with: what is played together with it in one voice, each with a gain.
public struct StemGains: Equatable, Sendable, BitwiseCopyable {
  /// The most stems that a track has.
  public static var most: Int { @_noLocks get { 3 } }

  /// How many there are.
  public private(set) var count = 0
  private var gains = SIMD3<Float>(repeating: 0)
  /// The numbers of the families that they are driven with, or -1.
  private var families = SIMD3<Int32>(repeating: -1)

  /// Of no stems, as most tracks have.
  @_noLocks public init() {}

  /// Linear, each with the number of its family, -1 where none is given; what is more than `most` is left out.
  public init(_ gains: [Float], families: [Int32] = []) {
    count = min(gains.count, Self.most)
    for index in 0..<count { self.gains[index] = gains[index] }
    for index in 0..<min(count, families.count) { self.families[index] = families[index] }
  }

  /// The same gains, driven with these families.
  public func with(families: [Int32]) -> StemGains { StemGains((0..<count).map { gains[$0] }, families: families) }

  /// The gain of one.
  public subscript(index: Int) -> Float { @_noLocks get { gains[index] } }

  /// The family of one.
  @_noLocks func family(_ index: Int) -> Int32 { families[index] }
}

/// The gains of a voice's stems over time, each a pure function of the output frame.
struct StemPaths: BitwiseCopyable {
  private(set) var count = 0
  private let gains: StemGains
  private var first = Ramp(steady: 0)
  private var second = Ramp(steady: 0)
  private var third = Ramp(steady: 0)

  @_noLocks init(_ gains: StemGains) {
    self.gains = gains
    count = gains.count
    for index in 0..<count { self[index] = Ramp(steady: Voice.sane(gains[index])) }
  }

  /// Leaves out what a ring has no layers for.
  @_noLocks mutating func limit(to most: Int) { count = min(count, max(most, 0)) }

  subscript(index: Int) -> Ramp {
    @_noLocks get {
      switch index {
      case 0: first
      case 1: second
      default: third
      }
    }
    @_noLocks set {
      switch index {
      case 0: first = newValue
      case 1: second = newValue
      default: third = newValue
      }
    }
  }

  /// The family of one, or -1.
  @_noLocks func family(_ index: Int) -> Int32 { gains.family(index) }

  /// Whether nothing of one is heard from a frame on.
  @_noLocks func isSilent(_ index: Int, at frame: Int64) -> Bool {
    self[index].to == 0 && !self[index].isMoving(at: frame)
  }

  /// Whether nothing of any is heard from a frame on.
  @_noLocks func areSilent(at frame: Int64) -> Bool {
    for index in 0..<count where !isSilent(index, at: frame) { return false }
    return true
  }

  /// Lets all that moves do so that much later.
  @_noLocks mutating func move(by frames: Int64) {
    for index in 0..<count {
      var ramp = self[index]
      ramp.move(by: frames)
      self[index] = ramp
    }
  }
}
