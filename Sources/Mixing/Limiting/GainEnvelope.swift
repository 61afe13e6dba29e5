// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// From the gain that each group of frames needs to the gain it is given: never more, without steps, and ready in time.
///
/// The lowest need of the `span` groups ahead is held back on its way up (to 1/e in 80 ms) and averaged over `span` groups;
/// as every value in that average looks at the group in question, the average is never above its need.
struct GainEnvelope {
  /// Groups that are looked ahead, and averaged over.
  let span: Int64
  /// The needs of the `span - 1` groups before the next, and room for those that come.
  private let needs: UnsafeMutablePointer<Float>
  /// Room for the lowest needs.
  private let lowest: UnsafeMutablePointer<Float>
  /// Reductions, 1 - gain, rounded up to multiples of 2^-24, so that their running sum stays exact.
  private let held: GroupRing
  private let gains: GroupRing
  private let scale: Double
  /// What is left of a reduction one group later, less `sink`: so it comes to 0 in the end.
  private let keep: Float
  private static var sink: Float { @_noLocks get { 4e-8 } }

  private var reduction: Float = 0
  private var heldSum = 0.0
  /// Groups in a row that needed nothing and were held by nothing.
  private var calmGroups: Int64
  /// With so many of them, all that is remembered says so.
  private let allCalm: Int64
  /// The last group given less than 1.
  private(set) var lastReducedGroup = Int64.min

  /// An envelope over `span` groups of that length that remembers the gains of at least `memory` groups.
  init(span: Int, memory: Int, groupSeconds: Float) {
    self.span = Int64(span)
    needs = .room(span - 1 + memory)
    needs.update(repeating: 1, count: span - 1 + memory)
    lowest = .room(span - 1 + memory)
    held = GroupRing(count: span + 1, initial: 0)
    gains = GroupRing(count: memory, initial: 1)
    scale = 1 / Double(span)
    // exp(-y) is 1 / (1 + y) to within y^2 / 2, here 9e-6.
    keep = 1 / (1 + groupSeconds / 0.08)
    allCalm = Int64(max(gains.count, 2 * span)) + Int64(span)
    calmGroups = allCalm
  }

  func deallocate() {
    needs.deallocate()
    lowest.deallocate()
    held.deallocate()
    gains.deallocate()
  }

  /// The gain given at a group's beginning.
  @_noLocks func gain(at group: Int64) -> Float { gains[group] }

  /// Whether groups that need nothing would all be given 1.
  var isCalm: Bool { @_noLocks get { calmGroups >= 2 * span } }

  /// Whether they would leave all that is remembered as it is.
  var isStill: Bool { @_noLocks get { calmGroups >= allCalm } }

  /// Takes the needs, 0...1, of `count` groups from `first` on, no more than are remembered, and settles the gains
  /// `span - 1` groups before them, of which it returns the lowest.
  @_noLocks mutating func add(_ coming: UnsafePointer<Float>, count: Int, from first: Int64) -> Float {
    findLowest(coming, count)
    // Copies, so that what goes from group to group stays in registers.
    var (reduction, heldSum, calmGroups) = (self.reduction, self.heldSum, self.calmGroups)
    var lowestGain: Float = 1
    for index in 0..<count {
      let settled = first &+ Int64(index) &- span &+ 1
      let (wanted, left) = (1 - lowest[index], reduction * keep - Self.sink)
      reduction = left > wanted ? left : wanted
      let rounded = Self.roundedUp(reduction)
      heldSum += Double(rounded) - Double(held[settled &- span])
      held[settled] = rounded
      let mean = 1 - Float(heldSum * scale)
      let gain = mean > 0 ? mean : 0
      gains[settled] = gain
      lowestGain = gain < lowestGain ? gain : lowestGain
      if gain < 1 { lastReducedGroup = settled }
      calmGroups = reduction == 0 && coming[index] == 1 ? calmGroups &+ 1 : 0
    }
    (self.reduction, self.heldSum, self.calmGroups) = (reduction, heldSum, calmGroups)
    return lowestGain
  }

  /// Works out the lowest of the `span` needs up to each of `count` groups that come.
  @_noLocks private func findLowest(_ coming: UnsafePointer<Float>, _ count: Int) {
    let past = Int(span) - 1
    rt_copy(needs + past, coming, count * MemoryLayout<Float>.stride)
    rt_copy(lowest, needs, (past + count) * MemoryLayout<Float>.stride)
    rt_mix_lowest(lowest, Int(span), count)
    // The last of them are the next call's past; from the front, so that nothing is overwritten before it has moved.
    for index in 0..<past { needs[index] = needs[count + index] }
  }

  /// A reduction, 0...1, as a multiple of 2^-24 that is no less: the nearest to it or the next, but of 0 and 1 themselves.
  @_noLocks @inline(__always) private static func roundedUp(_ reduction: Float) -> Float {
    // With 2^28 added, a double has no finer digits.
    let nearest = (Double(reduction) + 0x1p28) - 0x1p28
    let next = Float(nearest + 0x1p-24)
    return reduction > 0 ? (next < 1 ? next : 1) : 0
  }

  /// What `add` does with groups that need nothing, while it is calm: the needs are all 1 as it is.
  @_noLocks mutating func addCalm(from first: Int64, to end: Int64) {
    var group = first
    while group < end && calmGroups < allCalm {
      held[group - span + 1] = 0
      gains[group - span + 1] = 1
      group &+= 1
      calmGroups &+= 1
    }
  }

  /// Counts `groups` groups further, a multiple of what is remembered.
  @_noLocks mutating func pass(groups: Int64) {
    if lastReducedGroup > .min { lastReducedGroup += groups }
  }
}
