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
}

/// The commands that have arrived and whose frame has not, in order of frame, then of arrival.
struct CommandSchedule {
  private let entries: UnsafeMutablePointer<ScheduledCommand>
  private let mask: Int
  private var head = 0
  private(set) var count = 0
  private var nextOrder: UInt64 = 0

  init(capacity: Int) {
    var rounded = 1
    while rounded < capacity { rounded *= 2 }
    entries = .allocate(capacity: rounded)
    let nothing = MixerCommand.stop(VoiceID(rawValue: 0), at: 0, fade: .none)
    entries.initialize(repeating: ScheduledCommand(frame: 0, command: nothing), count: rounded)
    mask = rounded - 1
  }

  func deallocate() { entries.deallocate() }

  /// The frame of the next command, or `.max`.
  var nextFrame: Int64 { @_noLocks get { count > 0 ? entries[head & mask].frame : .max } }

  /// Adds a command; the caller has seen to it that there is room.
  @_noLocks mutating func insert(_ entry: ScheduledCommand) {
    var place = count
    while place > 0 && entries[(head &+ place &- 1) & mask].frame > entry.frame {
      entries[(head &+ place) & mask] = entries[(head &+ place &- 1) & mask]
      place &-= 1
    }
    entries[(head &+ place) & mask] = entry
    entries[(head &+ place) & mask].order = nextOrder
    nextOrder &+= 1
    count &+= 1
  }

  /// Takes the next command; there must be one.
  @_noLocks mutating func removeFirst() -> ScheduledCommand {
    let entry = entries[head & mask]
    head = (head &+ 1) & mask
    count &-= 1
    return entry
  }

  /// Takes the `index`th command, counted from the next, out of the order.
  @_noLocks mutating func remove(_ index: Int) {
    for place in index..<count - 1 { entry(place).pointee = entry(place + 1).pointee }
    count &-= 1
  }

  /// The place in memory of the `index`th command.
  @_noLocks func entry(_ index: Int) -> UnsafeMutablePointer<ScheduledCommand> { entries + ((head &+ index) & mask) }

  /// The place in the order of the planned start of a voice that has not begun, or -1.
  @_noLocks func pendingStart(of id: VoiceID) -> Int {
    for index in 0..<count {
      if case .start(let start) = entry(index).pointee.command, start.id == id { return index }
    }
    return -1
  }

  /// The plan of a voice that has not begun, or nil.
  @_noLocks func plannedStart(of id: VoiceID) -> VoiceStart? {
    let index = pendingStart(of: id)
    if index >= 0, case .start(let start) = entry(index).pointee.command { return start }
    return nil
  }

  /// Changes the plan of a voice that has not begun.
  @_noLocks func replaceStart(by start: VoiceStart) {
    let index = pendingStart(of: start.id)
    if index >= 0 { entry(index).pointee.command = .start(start) }
  }

  /// Plans that a voice begins paused, or not.
  @_noLocks func setPaused(_ isPaused: Bool, startOf id: VoiceID) {
    let index = pendingStart(of: id)
    if index >= 0 { entry(index).pointee.isPaused = isPaused }
  }
}
