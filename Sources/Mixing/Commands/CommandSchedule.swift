// SPDX-License-Identifier: Apache-2.0

/// A command on its way to its frame.
struct ScheduledCommand: BitwiseCopyable {
  /// When it is carried out: its own frame, or the first that was still in reach.
  var frame: Int64
  var command: MixerCommand
  /// Counts arrivals.
  var order: UInt64 = 0
  /// For a start: whether it has been paused before it began.
  var isPaused = false

  @_noLocks init(frame: Int64, command: MixerCommand) {
    self.frame = frame
    self.command = command
  }

  @_noLocks func comes(before other: ScheduledCommand) -> Bool {
    frame != other.frame ? frame < other.frame : order < other.order
  }

  @_noLocks func isStart(on bus: Bus?, arrivedBefore other: UInt64) -> Bool {
    guard order < other, case .start(let start) = command else { return false }
    guard let bus else { return true }
    return start.bus.index == bus.index
  }
}

/// The commands that have arrived and whose frame has not: taken out in order of frame, then of arrival.
///
/// A binary heap, so that no order of arrival makes adding one cost more than a handful of moves.
struct CommandSchedule {
  private let entries: UnsafeMutablePointer<ScheduledCommand>
  private(set) var count = 0
  private var nextOrder: UInt64 = 0
  /// How many commands were looked at to take some back.
  private(set) var looks = 0

  init(capacity: Int) {
    entries = .allocate(capacity: capacity)
    let nothing = MixerCommand.stop(VoiceID(rawValue: 0), at: 0, fade: .none)
    entries.initialize(repeating: ScheduledCommand(frame: 0, command: nothing), count: capacity)
  }

  func deallocate() { entries.deallocate() }

  /// The frame of the next command, or `.max`.
  var nextFrame: Int64 { @_noLocks get { count > 0 ? entries.pointee.frame : .max } }

  /// Adds a command; the caller has seen to it that there is room.
  @_noLocks mutating func insert(_ entry: ScheduledCommand) {
    var added = entry
    added.order = nextOrder
    nextOrder &+= 1
    count &+= 1
    rise(added, from: count - 1)
  }

  /// Takes the next command; there must be one.
  @_noLocks mutating func removeFirst() -> ScheduledCommand {
    let first = entries.pointee
    remove(0)
    return first
  }

  // MARK: Starts that are still planned

  /// The plan of a voice that has not begun, or nil.
  @_noLocks func plannedStart(of id: VoiceID) -> VoiceStart<VoiceSource>? {
    let place = place(ofStart: id)
    if place >= 0, case .start(let start) = entries[place].command { return start }
    return nil
  }

  /// Changes the plan of a voice that has not begun.
  @_noLocks func replaceStart(by start: VoiceStart<VoiceSource>) {
    let place = place(ofStart: start.id)
    if place >= 0 { entries[place].command = .start(start) }
  }

  /// The starts of an owner are of those who have gone.
  @_noLocks func leave(_ owner: UInt64) {
    for place in 0..<count {
      guard case .start(var start) = entries[place].command, start.owner == owner else { continue }
      start.owner = VoiceOwner.gone(of: start.user)
      entries[place].command = .start(start)
    }
  }

  /// Plans that a voice begins paused, or not.
  @_noLocks func setPaused(_ isPaused: Bool, startOf id: VoiceID) {
    let place = place(ofStart: id)
    if place >= 0 { entries[place].isPaused = isPaused }
  }

  /// Takes back the planned start of a voice. Whether there was one.
  @_noLocks mutating func removeStart(of id: VoiceID) -> Bool {
    let place = place(ofStart: id)
    if place < 0 { return false }
    remove(place)
    return true
  }

  /// Takes back the starts on a bus (nil: on any) that arrived before number `order`, and tells how many they were;
  /// until the next insertion `removedStart` names them.
  @_noLocks mutating func removeStarts(on bus: Bus?, arrivedBefore order: UInt64) -> Int {
    var kept = 0
    for place in 0..<count where !entries[place].isStart(on: bus, arrivedBefore: order) {
      keep(place, as: &kept)
    }
    return drop(from: kept)
  }

  /// The voice of the `index`th start that `removeStarts` took back, in no order.
  @_noLocks func removedStart(_ index: Int) -> VoiceID {
    if case .start(let start) = entries[count + index].command { return start.id }
    return VoiceID(rawValue: 0)
  }

  /// Where in the heap the planned start of a voice lies, or -1.
  @_noLocks private func place(ofStart id: VoiceID) -> Int {
    for place in 0..<count {
      if case .start(let start) = entries[place].command, start.id == id { return place }
    }
    return -1
  }

  // MARK: All that is planned about a voice

  /// Takes back what was asked for about voices, of each from a frame on; how much that was. By the frame asked for, not by the one
  /// at which what came late is carried out: whoever takes back does not know which came late.
  @_noLocks mutating func remove(_ takenBack: TakenBack) -> Int {
    var kept = 0
    looks &+= count
    for place in 0..<count where !takenBack.takes(entries[place].command) { keep(place, as: &kept) }
    return drop(from: kept)
  }

  /// Takes back what was asked for to drive a target at `frame` or later; how much that was.
  @_noLocks mutating func remove(driving target: DrivenTarget, from frame: Int64) -> Int {
    var kept = 0
    for place in 0..<count where entries[place].command.frame < frame || !entries[place].command.drives(target) {
      keep(place, as: &kept)
    }
    return drop(from: kept)
  }

  // MARK: Heap

  /// Puts the command at `place` among those that stay; those that do not gather behind them.
  @_noLocks private func keep(_ place: Int, as kept: inout Int) {
    if place != kept {
      let entry = entries[place]
      entries[place] = entries[kept]
      entries[kept] = entry
    }
    kept &+= 1
  }

  /// Drops all but the first `kept` commands, makes a heap of those, and tells how many went.
  @_noLocks private mutating func drop(from kept: Int) -> Int {
    let removed = count - kept
    count = kept
    if removed > 0 {
      var place = kept / 2 - 1
      while place >= 0 {
        sink(entries[place], from: place)
        place &-= 1
      }
    }
    return removed
  }

  /// Fills the gap that taking the command at `place` leaves with the last one, and moves that to where it belongs.
  @_noLocks private mutating func remove(_ place: Int) {
    count &-= 1
    if place == count { return }
    let moved = entries[count]
    if place > 0 && moved.comes(before: entries[(place - 1) / 2]) {
      rise(moved, from: place)
    } else {
      sink(moved, from: place)
    }
  }

  @_noLocks private func rise(_ entry: ScheduledCommand, from start: Int) {
    var place = start
    while place > 0 && entry.comes(before: entries[(place - 1) / 2]) {
      entries[place] = entries[(place - 1) / 2]
      place = (place - 1) / 2
    }
    entries[place] = entry
  }

  @_noLocks private func sink(_ entry: ScheduledCommand, from start: Int) {
    var place = start
    while 2 * place + 1 < count {
      var child = 2 * place + 1
      if child + 1 < count && entries[child + 1].comes(before: entries[child]) { child += 1 }
      if !entries[child].comes(before: entry) { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}
