/// From the gain that each group of frames needs to the gain it is given: never more, without steps, and ready in time.
///
/// The lowest need of the `span` groups ahead is held back on its way up (to 1/e in 80 ms) and averaged over `span` groups;
/// as every value in that average looks at the group in question, the average is never above its need.
struct GainEnvelope {
  /// Groups that are looked ahead, and averaged over.
  let span: Int64
  private let needs: GroupRing
  /// Reductions, 1 - gain, in 2^-24 and rounded up: whole numbers, so that their running sum stays exact.
  private let held: GroupRing
  private let gains: GroupRing
  private let scale: Float
  /// What is left of a reduction one group later.
  private let keep: Float

  private var lowest: Float = 1
  private var lowestGroup = Int64.min
  private var reduction: Float = 0
  private var heldSum: Int64 = 0
  /// Groups in a row that needed nothing and were held by nothing.
  private var calmGroups: Int64
  /// With so many of them, all that is remembered says so.
  private let allCalm: Int64
  /// The last group given less than 1.
  private(set) var lastReducedGroup = Int64.min

  /// An envelope over `span` groups of eight frames that remembers the gains of at least `memory` groups.
  init(span: Int, memory: Int, rate: Int) {
    self.span = Int64(span)
    needs = GroupRing(count: span + 1, initial: 1)
    held = GroupRing(count: span + 1, initial: 0)
    gains = GroupRing(count: memory, initial: 1)
    scale = 1 / (Float(span) * 0x1p24)
    // exp(-y) is 1 / (1 + y) to within y^2 / 2, here 2e-6.
    keep = 1 / (1 + 8 / (0.08 * Float(rate)))
    allCalm = Int64(max(gains.count, 2 * span)) + Int64(span)
    calmGroups = allCalm
  }

  func deallocate() {
    needs.deallocate()
    held.deallocate()
    gains.deallocate()
  }

  /// The gain given at a group's beginning.
  @_noLocks func gain(at group: Int64) -> Float { gains[group] }

  /// Whether groups that need nothing would all be given 1.
  var isCalm: Bool { @_noLocks get { calmGroups >= 2 * span } }

  /// Takes a group's need, 0...1, and settles the gain `span - 1` groups back, which it returns.
  @_noLocks @inline(__always) mutating func add(_ need: Float, at group: Int64) -> Float {
    let settled = group - span + 1
    needs[group] = need
    if need <= lowest {
      lowest = need
      lowestGroup = group
    } else if lowestGroup < settled {
      findLowest(from: settled, through: group)
    }
    let left = reduction * keep
    reduction = max(1 - lowest, left > 1e-5 ? left : 0)
    let rounded = reduction > 0 ? min(Int64(reduction * 0x1p24) + 1, 1 << 24) : 0
    heldSum += rounded - Int64(held[settled - span])
    held[settled] = Float(rounded)
    let gain = max(1 - Float(heldSum) * scale, 0)
    gains[settled] = gain
    if gain < 1 { lastReducedGroup = settled }
    calmGroups = need == 1 && reduction == 0 ? calmGroups + 1 : 0
    return gain
  }

  /// What `add` does with groups that need nothing, while it is calm.
  @_noLocks mutating func addCalm(from first: Int64, to end: Int64) {
    var group = first
    while group < end && calmGroups < allCalm {
      needs[group] = 1
      held[group - span + 1] = 0
      gains[group - span + 1] = 1
      group &+= 1
      calmGroups &+= 1
    }
    lowest = 1
    lowestGroup = end - 1
  }

  /// Counts `groups` groups further, a multiple of what is remembered.
  @_noLocks mutating func pass(groups: Int64) {
    if lowestGroup > .min { lowestGroup += groups }
    if lastReducedGroup > .min { lastReducedGroup += groups }
  }

  @_noLocks private mutating func findLowest(from first: Int64, through last: Int64) {
    lowest = needs[first]
    lowestGroup = first
    var group = first + 1
    while group <= last {
      if needs[group] <= lowest {
        lowest = needs[group]
        lowestGroup = group
      }
      group &+= 1
    }
  }
}
