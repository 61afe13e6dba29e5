// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The peaks of a bus or of the output over the latest twentieths of a second, by output frame: one writer, and any number of
/// readers, none of whom takes anything from another.
///
/// A slice that nothing was heard in is not written, so silence costs nothing: what lies in its place has an older number.
struct MeterSlices: ~Copyable {
  /// Slices of a second.
  static var ofASecond: Int64 { @_noLocks get { 20 } }
  /// Those of a second, of what is rendered ahead of what is heard, and to spare: a power of two.
  private static var places: Int { @_noLocks get { 32 } }

  /// By slice, modulo `places`: the slice's number above, its peak's bit pattern below.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  /// Frames of a slice.
  let sliceFrames: Int64

  init(rate: Int) {
    sliceFrames = Int64(rate) / Self.ofASecond
    words = .allocate(capacity: Self.places)
    // No slice that is asked for before something was written has that number.
    for place in 0..<Self.places { (words + place).initialize(to: Atomic(UInt64(UInt32.max) << 32)) }
  }

  deinit { words.deallocate() }

  /// Writer: takes in the highest magnitude of a short run of frames from output frame `frame` on. What is no finite number is not.
  ///
  /// What the slice had that was higher stays: the output is looked at ahead where the limiter lets all pass, and as it is put out
  /// where not, so its frames do not only go up.
  @_noLocks func note(_ peak: Float, at frame: Int64) {
    if !(peak > 0 && peak < .infinity) { return }
    let slice = frame / sliceFrames
    let word = UInt64(UInt32(truncatingIfNeeded: slice)) << 32 | UInt64(peak.bitPattern)
    let place = words + (Int(truncatingIfNeeded: slice) & (Self.places - 1))
    let before = place.pointee.load(ordering: .relaxed)
    // Bit patterns of what is not negative are in the order of what they stand for.
    if before >> 32 == word >> 32 && before >= word { return }
    place.pointee.store(word, ordering: .relaxed)
  }

  /// Reader: the highest of the slice that `frame` is in and the twenty before it.
  func peak(at frame: Int64) -> Float {
    guard frame >= 0 else { return 0 }
    let last = frame / sliceFrames
    var highest: UInt32 = 0
    for slice in max(0, last - Self.ofASecond)...last {
      let word = words[Int(truncatingIfNeeded: slice) & (Self.places - 1)].load(ordering: .relaxed)
      if UInt32(truncatingIfNeeded: word >> 32) == UInt32(truncatingIfNeeded: slice) {
        highest = max(highest, UInt32(truncatingIfNeeded: word))
      }
    }
    return Float(bitPattern: highest)
  }
}
